/**
 * Whether what was left out of an output needs a way back, and how much that was. A line that goes without a marker in its
 * place is known noise to the filter that drops it; after a failure nobody can be sure of that, so any line counts there.
 */
import { stripAnsi } from "../../platform/text.ts";
import { lastOverwrite } from "../filters/stages.ts";
import type { Shown } from "./print.ts";

/** A smaller loss of a success's noise needs no way back. */
const HINT_FROM_BYTES = 500;

export interface LeftOut {
  readonly lines: number;
  readonly of: number;
}

/** Undefined when nothing need be said; zero lines when every loss is said where it is. */
export function leftOut(raw: Buffer | undefined, shown: Shown, exitCode: number): LeftOut | undefined {
  if (shown.isRaw) return undefined;
  const isLarge = shown.cut || shown.droppedBytes >= HINT_FROM_BYTES;
  if (exitCode === 0) return isLarge ? { lines: 0, of: 0 } : undefined;
  // White space out of JSON leaves no line as it was, and nothing out.
  const isReshaped = shown.generic?.steps.some(({ stage }) => stage === "json") ?? false;
  const missing = raw && !isReshaped ? missingLines(raw.toString("latin1"), shown.bytes.toString("latin1")) : undefined;
  return isLarge || (missing?.lines ?? 0) > 0 ? (missing ?? { lines: 0, of: 0 }) : undefined;
}

/** Lines of `raw` that stand nowhere in `shown`. Blank lines may go, and so may colour, decoration and copies of a line. */
export function missingLines(raw: string, shown: string): LeftOut {
  const there = new Set(shown.split("\n").map(bare));
  const lines = raw.split("\n").map(bare).filter(Boolean);
  return { lines: lines.reduce((sum, line) => sum + (there.has(line) ? 0 : 1), 0), of: lines.length };
}

function bare(line: string): string {
  const text = lastOverwrite(stripAnsi(line.endsWith("\r") ? line.slice(0, -1) : line)).trim();
  // A picture before a text, byte by byte.
  return text.replace(/^[\x80-\xff]+\s+(?=\S)/, "");
}
