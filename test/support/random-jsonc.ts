/** Settings files as people really have them: any style, comments, tabs, CRLF, a byte-order mark. The same seed gives the same file. */

export interface RandomSource {
  below(limit: number): number;
  chance(percent: number): boolean;
  pick<T>(from: ArrayLike<T>): T;
}

/** A small generator with a good enough spread (mulberry32). */
export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: <T>(from: ArrayLike<T>): T => from[below(from.length)] as T,
  };
}

export interface JsoncStyle {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
}

/** An object at the top, as every settings file has. */
export function randomJsonc(
  random: RandomSource,
  style: JsoncStyle = { comments: true, trailingCommas: true },
): string {
  const eol = random.chance(30) ? "\r\n" : "\n";
  const unit = random.pick(["  ", "    ", "\t", " "]);
  const isCompact = random.chance(20);
  const comment = (): string => {
    if (!style.comments || isCompact || !random.chance(15)) return "";
    return random.chance(50) ? ` // ${random.pick(["note", '"quoted", and {braced}', "café"])}` : " /* a, b */";
  };
  const ownLine = (indent: string): string =>
    style.comments && !isCompact && random.chance(8) ? `${indent}// a line, of "its" own${eol}` : "";
  const scalar = (): string =>
    random.pick(["1", "-2.5", "true", "null", '"text"', '"a \\"b\\" // c"', '"ä🙂 \\u00e9"', '""', '"x, y: {z}"']);
  const value = (depth: number, indent: string): string => {
    if (depth > 3 || random.chance(50)) return scalar();
    return random.chance(60) ? list(depth, indent, "{", "}") : list(depth, indent, "[", "]");
  };
  const list = (depth: number, indent: string, open: string, close: string): string => {
    const count = random.below(4);
    const inner = indent + unit;
    const element = (index: number): string =>
      `${open === "{" ? `"k${index}${random.pick(["", " x", "ä", "."])}":${isCompact ? "" : " "}` : ""}${value(depth + 1, inner)}`;
    if (isCompact || (depth > 0 && random.chance(25))) {
      const gap = isCompact ? "" : " ";
      const items = Array.from({ length: count }, (_, index) => element(index));
      if (items.some((item) => item.includes("\n"))) return scalar();
      return `${open}${items.join(`,${gap}`)}${close}`;
    }
    if (count === 0) return random.pick([`${open}${close}`, `${open} ${close}`, `${open}${eol}${indent}${close}`]);
    let text = open + (random.chance(10) ? comment() : "") + eol;
    for (let index = 0; index < count; index++) {
      const isLast = index === count - 1;
      const comma = !isLast || (style.trailingCommas && random.chance(20)) ? "," : "";
      text += `${ownLine(inner)}${inner}${element(index)}${comma}${comment()}${eol}`;
    }
    return `${text}${ownLine(inner)}${indent}${close}`;
  };
  const mark = random.chance(10) ? "\uFEFF" : "";
  const head = style.comments && random.chance(10) ? `// settings${eol}` : "";
  const end = random.pick(["", eol, eol + eol]);
  return mark + head + list(0, "", "{", "}") + end;
}
