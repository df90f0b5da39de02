/** Commands without anything around them: how one is written down, and how a shell's line of one such command is read. */
import { refuse } from "./cursor.ts";
import type { CommandLine, Dialect, Operator, Redirection, Segment, Word } from "./types.ts";

/** One simple command; `words` is not empty. */
export function plainSegment(
  source: string,
  words: readonly Word[],
  redirections: readonly Redirection[] = [],
  operator?: Operator,
  piped = false,
): Segment {
  const start = words[0]?.start ?? 0;
  const end = Math.max(words[words.length - 1]?.end ?? 0, redirections[redirections.length - 1]?.end ?? 0);
  return {
    start,
    end,
    text: source.slice(start, end),
    words,
    assignments: [],
    redirections,
    compound: undefined,
    operator,
    piped,
    negated: false,
    timed: false,
    hasHeredoc: false,
    hasSubstitution: false,
  };
}

export function plainLine(source: string, dialect: Dialect, segments: readonly Segment[]): CommandLine {
  return {
    source,
    dialect,
    segments,
    hasHeredoc: false,
    hasSubstitution: false,
    hasBackground: false,
    isCompound: false,
  };
}

/** How a shell of Windows writes the little that is read of it. The patterns are sticky. */
export interface Syntax {
  readonly dialect: Dialect;
  readonly word: RegExp;
  /** `2>&1`, or `2>` and the shell's name for nothing. */
  readonly redirection: RegExp;
  wordOf(source: string, start: number, end: number): Word;
  isProgram(word: Word): boolean;
}

/** Reads a line that is one external command, its words and then its redirections; refuses everything else. */
export function readOneCommand(source: string, syntax: Syntax): CommandLine {
  const words: Word[] = [];
  const redirections: Redirection[] = [];
  let at = behindBlanks(source, 0);
  while (at < source.length) {
    let end = behind(syntax.redirection, source, at);
    if (end > at) {
      const raw = source.slice(at, end);
      const toStdout = raw.endsWith("&1");
      const target = syntax.wordOf(source, at + (toStdout ? 3 : 2), end);
      redirections.push({ start: at, end, raw, operator: toStdout ? ">&" : ">", fd: 2, target });
    } else {
      end = behind(syntax.word, source, at);
      // `2>file`, `3>&1` and words behind a redirection
      if (end === at || redirections.length > 0) refuse();
      words.push(syntax.wordOf(source, at, end));
    }
    at = behindBlanks(source, end);
    if (at === end && at < source.length) refuse();
  }
  const [program] = words;
  if (!program || !syntax.isProgram(program)) refuse();
  return plainLine(source, syntax.dialect, [plainSegment(source, words, redirections)]);
}

/** The place behind a match of a sticky pattern at `at`; `at` when there is none. */
function behind(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}

function behindBlanks(source: string, from: number): number {
  let at = from;
  while (source.charAt(at) === " " || source.charAt(at) === "\t") at++;
  return at;
}
