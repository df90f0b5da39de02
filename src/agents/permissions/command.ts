/**
 * The facts about a command line that permissions are judged by. The parts of the parser's types that are
 * needed, so that this room can be tested without it.
 */
import { allOf, anyOf, mapped } from "../../platform/lists.ts";

export interface RuleWord {
  readonly start: number;
  readonly end: number;
  readonly raw: string;
  readonly text: string;
  readonly value: string | undefined;
}

export interface RuleSegment {
  readonly text: string;
  readonly words: readonly RuleWord[];
  readonly assignments: readonly unknown[];
  readonly redirections: readonly { readonly operator: string; readonly target: RuleWord }[];
  readonly compound: string | undefined;
  readonly hasSubstitution: boolean;
  readonly negated: boolean;
  readonly timed: boolean;
}

export interface RuleLine {
  readonly source: string;
  readonly segments: readonly RuleSegment[];
}

/**
 * The text an allow rule is compared with, or undefined when the segment holds anything that Claude Code
 * might ask about for its own reasons: expansions, substitutions, assignments, odd characters, files written.
 */
export function plainCommand(line: RuleLine, segment: RuleSegment): string | undefined {
  if (segment.compound !== undefined || segment.hasSubstitution || segment.negated || segment.timed) return undefined;
  if (segment.assignments.length > 0) return undefined;
  const first = segment.words[0];
  const last = segment.words[segment.words.length - 1];
  if (!first || !last) return undefined;
  if (anyOf(segment.words, (word) => word.value === undefined)) return undefined;
  if (!allOf(segment.redirections, isHarmless)) return undefined;
  const text = line.source.slice(first.start, last.end);
  // A redirection between the words would be part of the slice.
  if (text.replace(/\s+/g, " ") !== mapped(segment.words, (word) => word.raw).join(" ")) return undefined;
  return /^[ -#%-[\]-_a-z|~\u00a1-\u167f\u1681-\u1fff\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff]*$/.test(text)
    ? text
    : undefined;
}

/** `2>&1` and what goes to `/dev/null`: the two that are not judged as writing a file. */
function isHarmless(redirection: RuleSegment["redirections"][number]): boolean {
  const target = redirection.target.value;
  if (redirection.operator === ">&") return target !== undefined && /^\d$/.test(target);
  return (
    target === "/dev/null" &&
    (redirection.operator === ">" || redirection.operator === ">>" || redirection.operator === "&>")
  );
}

/** The line as written and with its quotes taken off, for rules that refuse. */
export function refusalTexts(line: RuleLine): readonly string[] {
  const unquoted = mapped(line.segments, (segment) => mapped(segment.words, (word) => word.text).join(" "));
  return [line.source, line.source.replace(/["'\\]/g, ""), ...unquoted];
}

/** Program names, without their folder. */
export function programs(line: RuleLine): readonly string[] {
  const names: string[] = [];
  for (const segment of line.segments) {
    const name = segment.words[0]?.text;
    if (name !== undefined) names.push(name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1));
  }
  return names;
}
