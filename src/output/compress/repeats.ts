/**
 * Lines and blocks that say the same again. Identical text is folded with its count; lines that differ only in times,
 * percentages, sizes and counters (progress) keep their first and last. Lines that differ in anything else stay: a number
 * in a row of like lines is usually the fact.
 */

const LONGEST_BLOCK = 12;
/** So many progress lines in a row before the middle goes. */
const FEWEST_SIMILAR = 6;

/** Blocks of 2–12 lines that follow on themselves. */
export function foldBlocks(lines: readonly string[]): string[] {
  const ids = idsOf(lines);
  const out: string[] = [];
  let runEnd = 0;
  for (let at = 0; at < lines.length; ) {
    if (at >= runEnd) for (runEnd = at + 1; runEnd < ids.length && ids[runEnd] === ids[at]; ) runEnd++;
    // Inside a long run of one line every block is that line alone, which is the next stage's.
    const found = runEnd - at >= 2 * LONGEST_BLOCK ? undefined : repeatedBlock(ids, lines, at);
    if (!found) {
      out.push(lines[at] as string);
      at++;
      continue;
    }
    out.push(...lines.slice(at, at + found.size));
    out.push(`[${found.size} lines above repeated ${times(found.more)}]`);
    at += found.size * (found.more + 1);
  }
  return out;
}

function repeatedBlock(
  ids: Int32Array,
  lines: readonly string[],
  at: number,
): { size: number; more: number } | undefined {
  for (let size = 2; size <= LONGEST_BLOCK && at + size * 2 <= ids.length; size++) {
    if (ids[at] !== ids[at + size] || !sameBlock(ids, at, at + size, size)) continue;
    // A block of one repeated line is the next stage's; blank lines are a stage of their own.
    if (isOneLine(ids, at, size)) continue;
    const block = lines.slice(at, at + size);
    if (block.every((line) => line.trim() === "")) continue;
    let more = 1;
    while (sameBlock(ids, at, at + size * (more + 1), size)) more++;
    if (block.join("\n").length * more > 48) return { size, more };
  }
  return undefined;
}

function isOneLine(ids: Int32Array, from: number, size: number): boolean {
  for (let at = from + 1; at < from + size; at++) if (ids[at] !== ids[from]) return false;
  return true;
}

function sameBlock(ids: Int32Array, a: number, b: number, size: number): boolean {
  if (b + size > ids.length) return false;
  for (let at = 0; at < size; at++) if (ids[a + at] !== ids[b + at]) return false;
  return true;
}

function idsOf(lines: readonly string[]): Int32Array {
  const known = new Map<string, number>();
  const ids = new Int32Array(lines.length);
  lines.forEach((line, at) => {
    let id = known.get(line);
    if (id === undefined) {
      id = known.size;
      known.set(line, id);
    }
    ids[at] = id;
  });
  return ids;
}

export function foldLines(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string;
    let end = at + 1;
    while (end < lines.length && lines[end] === line) end++;
    const more = end - at - 1;
    const marker = `[line above repeated ${times(more)}]`;
    if (more > 1 && line.trim() !== "" && (line.length + 1) * more > marker.length) out.push(line, marker);
    else for (let copy = at; copy < end; copy++) out.push(line);
    at = end;
  }
  return out;
}

export function foldSimilar(lines: readonly string[], mustStay: (line: string) => boolean): string[] {
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const shape = progressShape(lines[at] as string);
    let end = at + 1;
    if (shape !== undefined) while (end < lines.length && progressShape(lines[end] as string) === shape) end++;
    const run = lines.slice(at, end);
    if (run.length >= FEWEST_SIMILAR && !run.some(mustStay))
      out.push(run[0] as string, `[... ${run.length - 2} similar lines omitted ...]`, run.at(-1) as string);
    else out.push(...run);
    at = end;
  }
  return out;
}

const PROGRESS =
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?\b|\b\d+(?:\.\d+)?\s?(?:%|(?:[kKMGT]i?)?B(?:\/s|ps)?\b|ms\b|s\b|µs\b|min\b)|[[(]\s*\d+\s*\/\s*\d+\s*[\])]|\b\d+\/\d+\b|[=#█▉▊▋▌▍▎▏░▒▓━╸─-]{4,}>?|[⠁-⣿]/g;

/** The line with its moving parts taken out, or undefined when it has none. */
function progressShape(line: string): string | undefined {
  if (line.length > 400) return undefined;
  const shape = line.replace(PROGRESS, "\0");
  // What is left must be words: a table of times or sizes has none, and its numbers are the facts.
  return shape !== line && /[A-Za-z]{3}/.test(shape) ? shape.replace(/ {2,}/g, " ") : undefined;
}

function times(more: number): string {
  return more === 1 ? "once more" : `${more} more times`;
}
