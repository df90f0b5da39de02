/** What stands before a referenced name, as one short path: read from captured text, or backwards from the name. */

const qualifierLimit = 120;

/** ASCII letters, digits, `_` and `$` only: most names, told without a regular expression. */
export function isPlainName(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    const isWord = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
    if (!isWord && code !== 95 && code !== 36) return false;
  }
  return end > start;
}

/** Plain names joined by single dots. */
function isPlainPath(raw: string): boolean {
  let wasDot = true;
  for (let i = 0; i < raw.length; i++) {
    const isDot = raw.charCodeAt(i) === 46;
    if (isDot ? wasDot : !isPlainName(raw, i, i + 1)) return false;
    wasDot = isDot;
  }
  return !wasDot;
}

/** `a::b` and `a->b` and `a?.b` → `a.b`; arguments and indexes are left out: `make(x)[0].y` → `make()[].y`. */
export function flattenQualifier(raw: string): string {
  if (isPlainPath(raw)) return raw.length > qualifierLimit ? `…${raw.slice(-qualifierLimit)}` : raw;
  let flat = raw.replace(/^(?:await|new)\s+/, "");
  if (/[([{"'`]/.test(flat)) flat = withoutArguments(flat);
  for (let i = 0; i < 4 && flat.includes("<"); i++) {
    const shorter = flat.replace(/(?:::)?<[^<>()]*>/g, "");
    if (shorter === flat) break;
    flat = shorter;
  }
  flat = flat
    .replace(/\s+/g, "")
    .replace(/::|->|\?\.|!!?\.|\\/g, ".")
    .replace(/^[&*]+/, "")
    .replace(/^\.+|[.?!:]+$/g, "");
  return flat.length > qualifierLimit ? `…${flat.slice(-qualifierLimit)}` : flat;
}

/** What stands inside brackets and strings, taken out. */
function withoutArguments(raw: string): string {
  let out = "";
  let depth = 0;
  for (let i = 0; i < raw.length; i++) {
    const char = raw[i] ?? "";
    if (char === '"' || char === "'" || char === "`") {
      const close = raw.indexOf(char, i + 1);
      // A lone apostrophe is a lifetime or a prime, not a string.
      if (close === -1 || close - i > 400) continue;
      i = close;
      if (depth === 0) out += '""';
    } else if (char === "(" || char === "[" || char === "{") {
      if (depth++ === 0) out += char;
    } else if (char === ")" || char === "]" || char === "}") {
      if (--depth === 0) out += char;
      if (depth < 0) depth = 0;
    } else if (depth === 0) out += char;
  }
  return out;
}

/** Where the tree has no node for what stands before a name, its text is read backwards: `others.map(f)` of `.toList`. */
export function qualifierBefore(text: string, start: number): string | undefined {
  let at = start;
  let first = start;
  const floor = Math.max(0, start - 400);
  for (;;) {
    const dots = separatorLength(text, at);
    if (dots === 0) break;
    at = skipBack(text, at - dots, floor);
    if (at < first - dots) first = at;
    else return first === start ? "()" : undefined;
  }
  return first === start ? undefined : flattenQualifier(text.slice(first, start));
}

/** How long the `.`, `?.`, `::` or `->` is that ends at an offset. */
function separatorLength(text: string, end: number): number {
  const last = text[end - 1];
  const two = text.slice(Math.max(0, end - 2), end);
  if (two === "::" || two === "->" || two === "?.") return 2;
  return last === "." && two !== ".." ? 1 : 0;
}

/** Back over one name with its brackets, and the blanks around them. */
function skipBack(text: string, from: number, floor: number): number {
  let at = from;
  while (at > floor && /\s/.test(text[at - 1] ?? "")) at--;
  let depth = 0;
  while (at > floor) {
    const char = text[at - 1] ?? "";
    if (char === ")" || char === "]" || char === "}") depth++;
    else if (char === "(" || char === "[" || char === "{") {
      if (depth === 0) break;
      depth--;
    } else if (depth === 0 && !/[\p{L}\p{N}_$@!?]/u.test(char)) break;
    at--;
  }
  return at;
}
