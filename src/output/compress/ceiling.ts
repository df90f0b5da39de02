/**
 * The hard ceiling: 75 % of it for the beginning, 25 % for the end, and from the cut part the lines that speak of failure,
 * as far as an eighth of the ceiling goes. Cuts fall between lines, or between characters of one over-long line.
 */
import { cutAt } from "../../platform/text.ts";

export const DEFAULT_CEILING_TOKENS = 8000;
const HEAD_SHARE = 0.75;
const FAILURE_SHARE = 0.125;
/** A single line past this share of the ceiling is cut inside. */
const LONG_LINE_SHARE = 0.2;

/** `TOKENIX_MAX_OUTPUT_TOKENS`; 0 switches the ceiling off. */
export function ceilingTokens(env: Readonly<Record<string, string | undefined>> = process.env): number {
  const named = env["TOKENIX_MAX_OUTPUT_TOKENS"];
  if (named === undefined || !/^\d+$/.test(named.trim())) return DEFAULT_CEILING_TOKENS;
  return Number(named);
}

export function cutToCeiling(
  text: string,
  tokens: number,
  speaksOfFailure: (line: string) => boolean,
): { text: string; cut: boolean } {
  const budget = tokens * 4;
  if (tokens === 0 || text.length <= budget) return { text, cut: false };
  const longest = Math.max(200, Math.floor(budget * LONG_LINE_SHARE));
  const end = text.endsWith("\n") ? "\n" : "";
  const lines = (end ? text.slice(0, -1) : text).split("\n").map((line) => cutLine(line, longest));
  if (lines.reduce((sum, line) => sum + line.length + 1, 0) <= budget)
    return { text: lines.join("\n") + end, cut: true };

  const failureBudget = budget * FAILURE_SHARE;
  const head = fitting(lines, (budget - failureBudget) * HEAD_SHARE, 1);
  const tail = fitting(lines, (budget - failureBudget) * (1 - HEAD_SHARE), -1);
  const out = lines.slice(0, head);
  let gap = 0;
  let spent = 0;
  const closeGap = () => {
    if (gap > 0) out.push(`[... ${gap} ${gap === 1 ? "line" : "lines"} omitted ...]`);
    gap = 0;
  };
  for (let at = head; at < lines.length - tail; at++) {
    const line = lines[at] as string;
    if (spent < failureBudget && speaksOfFailure(line.slice(0, 2048))) {
      closeGap();
      out.push(line);
      // The marker of the gap that follows costs as well.
      spent += line.length + 32;
    } else gap += linesIn(line);
  }
  closeGap();
  out.push(...lines.slice(lines.length - tail));
  return { text: out.join("\n") + end, cut: true };
}

/** How many lines of the raw text a line stands for: an earlier marker stands for those it counts. */
export function linesIn(line: string): number {
  const marker = /^\[\.\.\. (\d+) (?:similar )?lines? /.exec(line);
  return marker ? Number(marker[1]) : 1;
}

function fitting(lines: readonly string[], budget: number, step: 1 | -1): number {
  let count = 0;
  let used = 0;
  for (let at = step === 1 ? 0 : lines.length - 1; at >= 0 && at < lines.length; at += step) {
    used += (lines[at] as string).length + 1;
    if (used > budget) break;
    count++;
  }
  return count;
}

function cutLine(line: string, longest: number): string {
  if (line.length <= longest) return line;
  const head = cutAt(line, Math.floor(longest * HEAD_SHARE));
  let from = line.length - Math.floor(longest * (1 - HEAD_SHARE));
  const code = line.charCodeAt(from);
  if (code >= 0xdc00 && code <= 0xdfff) from++;
  return `${head}[... ${from - head.length} characters omitted ...]${line.slice(from)}`;
}
