/**
 * From what a command printed to what is shown: filter, generic stages, the way back. Each stream ends as bytes; nothing is
 * written here. Whatever goes wrong on the way, the answer is the raw output.
 */

import { type Compressed, compressOutput } from "../compress/compress.ts";
import { applyWithinBudget } from "../filters/budget.ts";
import type { FilterTier } from "../filters/find.ts";
import type { FilterResult } from "../filters/pipeline.ts";
import type { FilterDefinition } from "../filters/schema.ts";
import type { RankerLoader } from "../filters/semantic.ts";
import type { Captured } from "./capture.ts";
import { bytesOf, isBinary, textOf } from "./text.ts";

export interface Shown {
  readonly bytes: Buffer;
  /** The raw bytes are shown, unchanged. */
  readonly isRaw: boolean;
  /** A marker stands where lines are missing. */
  readonly cut: boolean;
  readonly droppedBytes: number;
  readonly chars: number;
  readonly rawChars: number;
  readonly filter?: FilterResult;
  readonly generic?: Compressed;
  /** A fault of ours, for stderr. */
  readonly problem?: string;
}

export interface ChosenFilter {
  readonly definition: FilterDefinition;
  readonly tier: FilterTier;
  readonly isUnproven: boolean;
}

export interface PrintOptions {
  readonly command: string;
  readonly exitCode: number;
  readonly filter?: ChosenFilter;
  readonly verbatim: boolean;
  /** The other stream has text as well. */
  readonly besides: boolean;
  readonly loadRanker?: RankerLoader;
}

export async function show(captured: Captured, options: PrintOptions): Promise<Shown> {
  const raw = rawShown(captured);
  if (captured.bytes === 0 || isBinary(captured.head)) return raw;
  try {
    const { text, isUtf8 } = textOf(captured);
    let filter: FilterResult | undefined;
    let problem: string | undefined;
    if (options.filter) {
      const { definition, isUnproven } = options.filter;
      // A worker can't be handed a function, so a filter under a budget does without.
      const rule = isUnproven ? undefined : definition.semantic_filter;
      const rank = rule && (await options.loadRanker?.(rule.model));
      const output = {
        ...(rank ? { rank } : {}),
        command: options.command,
        stdout: text,
        stderr: "",
        exitCode: options.exitCode,
        besides: options.besides,
      };
      const answer = applyWithinBudget({ ...definition, filter_stderr: false }, output, { isUnproven });
      const done = answer instanceof Promise ? await answer : answer;
      if ("result" in done) filter = done.result;
      else problem = done.problem;
    }
    const generic = compressOutput(filter?.text ?? text, { verbatim: options.verbatim });
    const bytes = bytesOf(generic.text, isUtf8);
    const isWhole = captured.omittedBytes === 0;
    const more = problem === undefined ? {} : { problem };
    if (isWhole && bytes.length >= captured.bytes) return { ...raw, ...more, ...(filter ? { filter } : {}) };
    return {
      bytes,
      isRaw: false,
      cut: generic.cut || (filter?.cut ?? false) || !isWhole,
      droppedBytes: captured.bytes - bytes.length,
      chars: generic.text.length,
      rawChars: isWhole ? text.length : captured.bytes,
      generic,
      ...(filter ? { filter } : {}),
      ...more,
    };
  } catch (error) {
    return { ...raw, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** As it came; of an output that did not fit memory, what is in memory (the caller copies the spool instead). */
export function rawShown(captured: Captured): Shown {
  return {
    bytes: captured.head,
    isRaw: true,
    cut: false,
    droppedBytes: 0,
    chars: captured.bytes,
    rawChars: captured.bytes,
  };
}
