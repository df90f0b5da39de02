/**
 * What a golden case must prove, in one place: the corpus test, `filter verify` and the author's tool all ask here.
 * A problem is one sentence that an author can act on.
 */
import { compress } from "../compress/compress.ts";
import { claimsSuccess, isFailureLine } from "./failure.ts";
import { applyFilter, type FilterResult } from "./pipeline.ts";
import { compilePattern } from "./regex.ts";
import type { FilterCase, FilterDefinition } from "./schema.ts";

/** Share of a realistic long output (`verbose = true`) that must go. */
export const VERBOSE_SAVING = 0.7;

export interface CaseOutcome {
  readonly result: FilterResult;
  /** The filter's own text, then stderr where the filter leaves that alone: what `expected` holds. */
  readonly filtered: string;
  /** What an agent would see: `filtered` after the generic stages. */
  readonly printed: string;
  readonly raw: string;
  readonly savedShare: number;
  readonly missing: readonly string[];
  readonly problems: readonly string[];
}

export function runCase(filter: FilterDefinition, test: FilterCase): CaseOutcome {
  const stdout = test.stream === "stdout" ? test.input : "";
  const stderr = (test.stream === "stderr" ? test.input : "") + test.stderr;
  const raw = stdout + stderr;
  const result = applyFilter(filter, { command: test.command, stdout, stderr, exitCode: test.exit_code });
  const filtered = result.text + result.stderr;
  const printed = compress(result.text) + compress(result.stderr);
  const rawBytes = Buffer.byteLength(raw);
  const bytes = Buffer.byteLength(printed);
  const savedShare = rawBytes === 0 ? 0 : 1 - bytes / rawBytes;
  const problems: string[] = [];

  const missing = test.must_keep.filter((pattern) => !found(pattern, printed, problems));
  for (const pattern of missing) {
    const inRaw = found(pattern, raw, []);
    problems.push(
      inRaw ? `must_keep '${pattern}' is not in what is printed` : `must_keep '${pattern}' is not even in the raw text`,
    );
  }
  if (test.must_keep.length === 0 && raw.trim() !== "") problems.push("must_keep is empty: say what an agent acts on");
  if (test.expected === undefined)
    problems.push("'expected' is missing: 'tokenix filter verify --write' puts in what the filter makes");
  else if (sameText(test.expected) !== sameText(filtered))
    problems.push("'expected' is not what the filter makes ('tokenix filter verify --write' replaces it)");
  if (bytes > rawBytes) problems.push(`worse: ${bytes} bytes printed for ${rawBytes} raw`);
  if (test.exit_code !== 0) problems.push(...masked(raw, printed));
  if (test.verbose && savedShare < VERBOSE_SAVING)
    problems.push(`saves ${percent(savedShare)} of a verbose output, must be ${percent(VERBOSE_SAVING)}`);
  return { result, filtered, printed, raw, savedShare, missing, problems };
}

/** What all cases of one filter must prove together. */
export function caseSetProblems(filter: FilterDefinition, cases: readonly FilterCase[]): string[] {
  const problems: string[] = [];
  if (cases.length < 2) problems.push(`has ${cases.length} golden cases, needs 2 or more`);
  if (!filter.cannot_fail && !cases.some((test) => test.exit_code !== 0))
    problems.push("has no failing case (set cannot_fail = true only where the tool has no failing form)");
  const names = cases.map((test) => test.name);
  for (const name of new Set(names.filter((name, at) => names.indexOf(name) !== at)))
    problems.push(`has two cases named '${name}'`);
  return problems;
}

/** A failed command's print must speak of the failure and must not claim success with words of ours. */
function masked(raw: string, printed: string): string[] {
  const problems: string[] = [];
  if (raw.trim() !== "" && printed.trim() === "") problems.push("a failure with text became an empty output");
  const rawLines = new Set(raw.split(/\r?\n/));
  for (const line of printed.split(/\r?\n/)) {
    if (!rawLines.has(line) && !raw.includes(line.trim()) && claimsSuccess(line) && !line.startsWith("[..."))
      problems.push(`a failure is told with words of success: '${line}'`);
  }
  const failures = raw.split(/\r?\n/).filter(isFailureLine);
  if (failures.length > 0 && !printed.split(/\r?\n/).some(isFailureLine))
    problems.push("no line that says what failed");
  return problems;
}

function found(pattern: string, text: string, problems: string[]): boolean {
  try {
    const { source, flags } = compilePattern(pattern);
    // `^` and `$` in must_keep mean a line's ends, as everywhere in a filter file.
    return new RegExp(source, flags.includes("m") ? flags : `${flags}m`).test(text.replaceAll("\r\n", "\n"));
  } catch (error) {
    problems.push(`must_keep '${pattern}' is not a regex: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/** Line ends at the end of a text are an editor's, not the tool's. */
function sameText(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
