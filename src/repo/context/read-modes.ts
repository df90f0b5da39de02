/**
 * Ways to show a file in fewer tokens than it has. Each shows whole lines with their numbers and marks every gap, so
 * that a reader can ask for exactly what is missing.
 */
import { countTokens } from "../../platform/tokens.ts";
import type { Outline } from "./outline.ts";

/** Lines `from` to `to` (1-based, inclusive) of a text, as they are. */
export function sliceLines(text: string, from: number, to: number): string {
  const lines = text.split("\n");
  const end = Math.min(to, lines.length);
  const part = lines.slice(from - 1, end).join("\n");
  return end < lines.length ? `${part}\n` : part;
}

/** Cuts lines longer than `mostOfLine` characters, each with a count, and all after `most`. */
export function bounded(text: string, mostOfLine: number, most: number): { text: string; omitted: number } {
  if (text.length <= mostOfLine) return { text, omitted: 0 };
  let omitted = 0;
  let length = 0;
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    if (length >= most) {
      omitted += line.length + 1;
      continue;
    }
    const over = line.length - mostOfLine;
    kept.push(over > 0 ? `${line.slice(0, mostOfLine)} … ${over} more characters` : line);
    omitted += Math.max(0, over);
    length += Math.min(line.length, mostOfLine) + 1;
  }
  return { text: kept.join("\n"), omitted };
}

/** `12-40`, `12-`, `-40`, `12`. */
export function parseRange(range: string, lineCount: number): { from: number; to: number } | undefined {
  const match = /^(\d*)(-?)(\d*)$/.exec(range.trim());
  if (!match || (match[1] === "" && match[3] === "")) return undefined;
  const from = match[1] === "" ? 1 : Number(match[1]);
  const to = match[2] === "" ? from : match[3] === "" ? lineCount : Number(match[3]);
  return from >= 1 && to >= from ? { from, to: Math.min(to, Math.max(lineCount, from)) } : undefined;
}

/** The lines that declare something, with the first line of each doc comment. */
export function signatureLines(text: string, outline: Outline): string {
  const lines = text.split("\n");
  const keep = new Set<number>();
  for (const entry of outline.entries) {
    keep.add(entry.startLine);
    const above = lines[entry.startLine - 2] ?? "";
    if (/^\s*(?:\/\/\/?|#|--|\*\/|@|"""|''')/.test(above)) keep.add(entry.startLine - 1);
  }
  return withGaps(lines, keep);
}

/**
 * About `percent` of the file's tokens: declarations first, then their comments, then the lines where something is
 * decided or leaves (return, throw, if, for …), then the shallowest of the rest.
 */
export function densityLines(text: string, outline: Outline | undefined, percent: number): string {
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  const budget = Math.ceil((countTokens(text) * percent) / 100);
  const declared = new Set(outline?.entries.map((entry) => entry.startLine));
  const ranked = lines
    .map((line, index) => ({ number: index + 1, line, weight: weigh(line, declared.has(index + 1)) }))
    .sort((a, b) => b.weight - a.weight || a.number - b.number);
  const keep = new Set<number>();
  let tokens = 0;
  for (const { number, line } of ranked) {
    tokens += (line.length + 1) / 4;
    if (tokens > budget && keep.size > 0) break;
    keep.add(number);
  }
  return withGaps(lines, keep);
}

function weigh(line: string, declares: boolean): number {
  const text = line.trim();
  if (text === "" || /^[\])}>;,]+$/.test(text)) return -1;
  if (declares) return 100;
  const indent = line.length - line.trimStart().length;
  if (/^(?:\/\/|#|--|\/?\*|"""|''')/.test(text)) return 50 - indent / 4;
  if (/\b(?:return|throw|raise|yield|panic!?|exit|assert)\b/.test(text)) return 60 - indent / 4;
  if (/\b(?:if|else|elif|match|switch|case|for|while|try|catch|except|await)\b/.test(text)) return 55 - indent / 4;
  return 40 - indent / 2;
}

/** The kept lines with their numbers; each gap is one line that says which lines it stands for. */
function withGaps(lines: readonly string[], keep: ReadonlySet<number>): string {
  const width = String(lines.length).length;
  const out: string[] = [];
  let gapFrom = 0;
  for (let number = 1; number <= lines.length + 1; number++) {
    const shown = keep.has(number);
    const isGap = !shown && number <= lines.length;
    if (isGap) {
      if (gapFrom === 0) gapFrom = number;
      continue;
    }
    if (gapFrom > 0) {
      out.push(
        `${" ".repeat(width)}  ... ${gapFrom === number - 1 ? `line ${gapFrom}` : `lines ${gapFrom}-${number - 1}`}`,
      );
      gapFrom = 0;
    }
    if (shown) out.push(`${String(number).padStart(width)}  ${(lines[number - 1] ?? "").replace(/\r$/, "")}`);
  }
  return `${out.join("\n")}\n`;
}
