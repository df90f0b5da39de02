/**
 * The generic stages, for every output, filtered or not: blobs → JSON → colour codes and decoration → blank lines →
 * repeated blocks → repeated lines → similar lines → the token ceiling. Knows no tool; what it takes away is noise in any
 * text, or said with its count.
 */
import { dominantEol, restoreEol, stripAnsi } from "../../platform/text.ts";
import { isFailureLine } from "../filters/failure.ts";
import { lastOverwrite } from "../filters/stages.ts";
import { omitBlobs } from "./blobs.ts";
import { ceilingTokens, cutToCeiling } from "./ceiling.ts";
import { compactJson } from "./json.ts";
import { foldBlocks, foldLines, foldSimilar } from "./repeats.ts";

export interface CompressOptions {
  /** The text is a file's or a patch's own: only the ceiling may touch it. */
  readonly verbatim?: boolean;
  /** Our tokens (characters / 4); 0 for no ceiling. `TOKENIX_MAX_OUTPUT_TOKENS` when not given. */
  readonly ceilingTokens?: number;
}

export interface Compressed {
  readonly text: string;
  /** Lines were cut at the ceiling: the way back must be printed. */
  readonly cut: boolean;
  readonly steps: readonly { readonly stage: string; readonly droppedChars: number }[];
}

/** Below this nothing is worth a changed byte. */
const SMALL = 256;

export function compress(text: string, options: CompressOptions = {}): string {
  return compressOutput(text, options).text;
}

export function compressOutput(text: string, options: CompressOptions = {}): Compressed {
  const steps: { stage: string; droppedChars: number }[] = [];
  const ceiling = options.ceilingTokens ?? ceilingTokens();
  let current = text;
  const step = (stage: string, next: string) => {
    if (next.length < current.length) {
      steps.push({ stage, droppedChars: current.length - next.length });
      current = next;
    }
  };
  const finish = (): Compressed => {
    const before = current;
    const cut = cutToCeiling(before, ceiling, isFailureLine);
    step("ceiling", cut.text);
    const restored = eol === "\n" ? current : restoreEol(current, eol);
    return Buffer.byteLength(restored) < Buffer.byteLength(text)
      ? { text: restored, cut: cut.cut, steps }
      : { text, cut: false, steps: [] };
  };
  const eol = dominantEol(text);
  if (options.verbatim) return finish();
  if (text.length < SMALL) {
    step("colour codes", stripAnsi(text));
    return finish();
  }
  step("blobs", omitBlobs(current));
  const json = compactJson(current);
  if (json !== undefined) {
    step("json", json);
    return finish();
  }
  if (eol === "\r\n") current = current.replaceAll("\r\n", "\n");
  step("colour codes", stripAnsi(current));
  const end = current.endsWith("\n") ? "\n" : "";
  let lines = (end ? current.slice(0, -1) : current).split("\n");
  const linesStep = (stage: string, next: string[]) => {
    if (next.length === lines.length && next.every((line, at) => line === lines[at])) return;
    lines = next;
    step(stage, lines.join("\n") + end);
  };
  linesStep("overwritten progress", lines.map(lastOverwrite));
  linesStep("decoration", lines.map(withoutLeadingEmoji));
  linesStep("blank lines", collapseBlank(lines));
  linesStep("repeated blocks", foldBlocks(lines));
  linesStep("repeated lines", foldLines(lines));
  linesStep("similar lines", foldSimilar(lines, isFailureLine));
  return finish();
}

/**
 * A picture before a line's text is decoration. Marks that carry the meaning (✓ ✗ ❌ ✅ ⚠, coloured circles and squares)
 * stay, and so does everything inside of a line: it may be a name or a message.
 */
const LEADING_EMOJI =
  /^(\s*)(?:(?![\u{1f534}\u{1f535}\u{1f7e0}-\u{1f7eb}\u{1f6a8}\u{1f6d1}])[\u{1f300}-\u{1faff}]\ufe0f?\u200d?)+\s+(?=\S)/u;

function withoutLeadingEmoji(line: string): string {
  return line.charCodeAt(0) < 128 && line.trimStart().charCodeAt(0) < 128 ? line : line.replace(LEADING_EMOJI, "$1");
}

function collapseBlank(lines: readonly string[]): string[] {
  return lines.filter((line, at) => line.trim() !== "" || (at > 0 && lines[at - 1]?.trim() !== ""));
}
