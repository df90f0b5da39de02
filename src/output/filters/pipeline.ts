/**
 * What a filter makes of one output: a pure function of the filter and what the command printed. Reads no file, starts
 * nothing, and never throws on odd output. The generic stages (`output/compress`) come after it and are not its business.
 */
import { dominantEol, restoreEol, splitLines, stripAnsi } from "../../platform/text.ts";
import { type CompiledFilter, compileFilter } from "./compile.ts";
import { isFailureLine, showsFailure } from "./failure.ts";
import type { FilterDefinition, OutputMatch } from "./schema.ts";
import { keepNearest, type LineRanker } from "./semantic.ts";
import {
  capBlocks,
  capCategories,
  extractSections,
  lastOverwrite,
  replaceInLines,
  size,
  stripAndKeep,
} from "./stages.ts";

export interface CommandOutput {
  /** The command line as it was typed; only told to people, never matched here. */
  readonly command: string;
  /** With `filter_stderr`, a runner that keeps the order of both streams gives everything here. */
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** The other stream has text of its own and is shown beside this one: nothing must be said for it here. */
  readonly besides?: boolean;
  /** Measures nearness for `semantic_filter`; without it that stage is skipped. */
  readonly rank?: LineRanker;
}

export interface FilterStep {
  readonly stage: string;
  readonly droppedLines: number;
}

export interface FilterResult {
  readonly filterName: string;
  /** stdout, filtered; both streams when the filter takes stderr. */
  readonly text: string;
  /** stderr as it was, for the generic stages; empty when the filter took it. */
  readonly stderr: string;
  readonly droppedLines: number;
  readonly droppedBytes: number;
  readonly steps: readonly FilterStep[];
  /** A cap or a sizing cut took lines away and left a marker: the way back must be printed. */
  readonly cut: boolean;
  /** Why the filter's own result was not used. */
  readonly fellBack?: "on_failure" | "emptied" | "hid the failure" | "not smaller";
}

/** A bounded view of an output that its filter emptied or whose failure it hid. */
const VIEW = { head: 40, tail: 20 } as const;
/** Lines that speak of failure and so survive every cut of a failed command; the rest of a long list is counted. */
const FAILURE_LINES_KEPT = 80;
/** `match_output` looks at no more than this of each end, so that its patterns need not be fast on megabytes. */
const MATCHED_OUTPUT = 6 * 1024;
/** How much of each end is searched for text that says the run failed. */
const SEARCHED_FOR_FAILURE = 64 * 1024;

export function applyFilter(filter: FilterDefinition | CompiledFilter, output: CommandOutput): FilterResult {
  const compiled = "definition" in filter ? filter : compileFilter(filter);
  const { definition } = compiled;
  const raw = definition.filter_stderr ? output.stdout + output.stderr : output.stdout;
  const stderr = definition.filter_stderr ? "" : output.stderr;
  const finish = (text: string, rest: Partial<FilterResult> = {}): FilterResult => {
    const bytes = Buffer.byteLength(text);
    const rawBytes = Buffer.byteLength(raw);
    const base = { filterName: definition.name, stderr, steps: [], cut: false, ...rest };
    if (bytes > rawBytes || text === raw)
      return { ...base, text: raw, droppedLines: 0, droppedBytes: 0, cut: false, ...notSmaller(bytes > rawBytes) };
    return {
      ...base,
      text,
      droppedLines: Math.max(0, splitLines(raw).length - splitLines(text).length),
      droppedBytes: rawBytes - bytes,
    };
  };

  const failed = output.exitCode !== 0;
  if (failed && definition.on_failure === "passthrough") return finish(raw, { fellBack: "on_failure" });
  const eol = dominantEol(raw);
  const end = raw.endsWith("\n") ? "\n" : "";
  const render = (lines: readonly string[]) => restoreEol(lines.length === 0 ? "" : lines.join("\n") + end, eol);

  const plain = definition.strip_ansi ? stripAnsi(raw) : raw;
  const shownFailure = (text: string) => showsFailure(bounded(text, SEARCHED_FOR_FAILURE));
  // A pipeline's exit code is its last command's, and a request that succeeds may report a failure.
  const tellsFailure = failed || shownFailure(plain);
  const succeeded = !tellsFailure && !shownFailure(stderr);
  if (succeeded) {
    const message = matchedMessage(compiled, plain);
    if (message !== undefined)
      return finish(render([message]), {
        steps: [{ stage: "match_output", droppedLines: Math.max(0, splitLines(raw).length - 1) }],
      });
  }

  const rawLines = splitLines(plain).map(definition.strip_ansi ? lastOverwrite : (line) => line);
  const failureLines = tellsFailure ? boundedFailureLines(rawLines) : NONE;
  const alwaysKeep = (line: string) => failureLines.has(line) || (compiled.priority?.(line) ?? false);

  if (failed && typeof definition.on_failure === "object") {
    const tail = size(rawLines, { head: 0, tail: definition.on_failure.tail }, alwaysKeep);
    return finish(render(tail.lines), { fellBack: "on_failure", cut: tail.dropped > 0 });
  }

  const steps: FilterStep[] = [];
  let lines: string[] = rawLines;
  const step = (stage: string, next: string[]) => {
    if (next.length < lines.length) steps.push({ stage, droppedLines: lines.length - next.length });
    lines = next;
  };
  step("block_caps", capBlocks(lines, compiled));
  step("strip/keep_lines_matching", stripAndKeep(lines, compiled, alwaysKeep));
  step("replace_in_lines", replaceInLines(lines, compiled));
  step("extract_sections", extractSections(lines, compiled, alwaysKeep));
  const capped = capCategories(lines, compiled);
  step("category_caps", capped.lines);
  let ranked = 0;
  if (definition.semantic_filter && output.rank) {
    const nearest = keepNearest(lines, definition.semantic_filter, output.rank, alwaysKeep);
    ranked = nearest.dropped;
    step("semantic_filter", nearest.lines);
  }
  const sized = size(lines, sizingOf(definition), alwaysKeep);
  step("sizing", sized.lines);
  const cut =
    capped.dropped + ranked + sized.dropped > 0 ||
    lines.some((line) => line.startsWith("[... ") && !rawLines.includes(line));

  const isEmptied = lines.every((line) => line.trim() === "");
  const hadText = rawLines.some((line) => line.trim() !== "");
  if (isEmptied && hadText) {
    if (output.besides) return finish("", { steps });
    const onEmpty = succeeded && !definition.passthrough_when_emptied ? definition.on_empty : undefined;
    if (onEmpty !== undefined) return finish(render([onEmpty]), { steps });
    return view("emptied");
  }
  if (tellsFailure && failureLines.size > 0 && !lines.some((line) => failureLines.has(line)))
    return view("hid the failure");
  return finish(render(lines), { steps, cut });

  function view(why: "emptied" | "hid the failure"): FilterResult {
    const shown = size(rawLines, VIEW, alwaysKeep);
    return finish(render(shown.lines), { steps, fellBack: why, cut: shown.dropped > 0 });
  }
}

const NONE: ReadonlySet<string> = new Set();

function boundedFailureLines(lines: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of lines) {
    if (!isFailureLine(line.length > 4096 ? line.slice(0, 4096) : line)) continue;
    found.add(line);
    if (found.size >= FAILURE_LINES_KEPT) break;
  }
  return found;
}

function matchedMessage(filter: CompiledFilter, text: string): string | undefined {
  const ends = filter.matchOutput.length > 0 ? bounded(text, MATCHED_OUTPUT) : "";
  for (const { pattern, unless, message } of filter.matchOutput) {
    const match = pattern.exec(ends);
    if (match && !(unless && splitLines(text).some(unless))) return expand(message, match);
  }
  return undefined;
}

/** `$1`, `$<name>` and `$$` in a message, as `String.replace` writes them. */
function expand(message: OutputMatch["message"], match: RegExpExecArray): string {
  return message.replace(/\$(\d|<([^>]+)>|\$)/g, (whole, digit: string, name: string | undefined) => {
    if (digit === "$") return "$";
    return (name === undefined ? match[Number(digit)] : match.groups?.[name]) ?? (name === undefined ? "" : whole);
  });
}

function sizingOf(definition: FilterDefinition) {
  return {
    head: definition.head_lines,
    tail: definition.tail_lines,
    max: definition.max_lines,
    truncateAt: definition.truncate_lines_at,
  };
}

/** Both ends of a long text; a pattern with two repeats would take the square of a whole one. */
function bounded(text: string, each: number): string {
  return text.length <= each * 2 ? text : `${text.slice(0, each)}\n${text.slice(text.length - each)}`;
}

function notSmaller(isWorse: boolean): Partial<FilterResult> {
  return isWorse ? { fellBack: "not smaller" } : {};
}
