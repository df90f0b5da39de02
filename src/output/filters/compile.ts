/** A definition with its patterns compiled: once per chosen filter, never for the ones that were only looked up. */
import { compilePattern } from "./regex.ts";
import type { FilterDefinition, LineReplacement, OutputMatch } from "./schema.ts";

/** True when one of a list of patterns is found in a line. */
export type LineTest = (line: string) => boolean;

export interface CompiledFilter {
  readonly definition: FilterDefinition;
  readonly matchOutput: readonly (Omit<OutputMatch, "pattern" | "unless"> & {
    readonly pattern: RegExp;
    readonly unless?: LineTest;
  })[];
  readonly blockCaps: readonly {
    readonly start: LineTest;
    readonly end?: LineTest;
    readonly keep: number;
    readonly max?: number;
  }[];
  readonly strip?: LineTest;
  readonly keep?: LineTest;
  readonly replace: readonly (Omit<LineReplacement, "pattern"> & { readonly pattern: RegExp })[];
  readonly sections: readonly {
    readonly start: LineTest;
    readonly end?: LineTest;
    readonly splitOnStart: boolean;
    readonly maxLines?: number;
    readonly keepOutside: boolean;
  }[];
  readonly categories: readonly { readonly test: LineTest; readonly max: number; readonly label: string }[];
  readonly priority?: LineTest;
}

/** @throws SyntaxError for a pattern that can't be compiled; the message names it. */
export function compileFilter(definition: FilterDefinition): CompiledFilter {
  return {
    definition,
    matchOutput: definition.match_output.map(({ pattern, message, unless }) => ({
      pattern: compiled(pattern),
      message,
      ...(unless === undefined ? {} : { unless: lineTest([unless]) }),
    })),
    blockCaps: definition.block_caps.map(({ start, end, keep, max }) => ({
      start: lineTest([start]),
      ...(end === undefined ? {} : { end: lineTest([end]) }),
      keep,
      ...(max === undefined ? {} : { max }),
    })),
    ...(definition.strip_lines_matching.length > 0 ? { strip: lineTest(definition.strip_lines_matching) } : {}),
    ...(definition.keep_lines_matching.length > 0 ? { keep: lineTest(definition.keep_lines_matching) } : {}),
    replace: definition.replace_in_lines.map((rule) => ({ pattern: compiled(rule.pattern), with: rule.with })),
    sections: definition.extract_sections.map((rule) => ({
      start: lineTest([rule.start]),
      ...(rule.end === undefined ? {} : { end: lineTest([rule.end]) }),
      splitOnStart: rule.split_on_start,
      ...(rule.max_lines === undefined ? {} : { maxLines: rule.max_lines }),
      keepOutside: rule.keep_outside,
    })),
    categories: definition.category_caps.map(({ pattern, max, label }) => ({ test: lineTest([pattern]), max, label })),
    ...(definition.priority_lines.length > 0 ? { priority: lineTest(definition.priority_lines) } : {}),
  };
}

/**
 * How much of one line a pattern sees. A line of megabytes would make a pattern with two `.*` quadratic; no fact that
 * a line filter looks for stands this far to the right.
 */
export const MATCHED_CHARACTERS = 2048;

export function lineTest(sources: readonly string[]): LineTest {
  const patterns = sources.map(compiled);
  const [first] = patterns;
  if (first && patterns.length === 1) return (line) => first.test(seen(line));
  return (line) => {
    const text = seen(line);
    for (const pattern of patterns) if (pattern.test(text)) return true;
    return false;
  };
}

function seen(line: string): string {
  return line.length > MATCHED_CHARACTERS ? line.slice(0, MATCHED_CHARACTERS) : line;
}

function compiled(source: string): RegExp {
  try {
    return compilePattern(source);
  } catch (error) {
    throw new SyntaxError(`pattern '${source}': ${error instanceof Error ? error.message : String(error)}`);
  }
}
