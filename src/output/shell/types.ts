/**
 * What the reader of command lines hands out. Offsets are UTF-16 positions in the line as it was given, so that
 * `line.slice(start, end)` is always the exact text. Nothing here is executed, expanded or looked up.
 */

export type Dialect = "bash" | "pwsh" | "cmd";

/** What stands between one command and the next; `undefined` after the last one. */
export type Operator = "&&" | "||" | ";" | "|" | "|&" | "&" | "\n";

export interface Word {
  readonly start: number;
  readonly end: number;
  /** As written. */
  readonly raw: string;
  /** Quotes taken off; expansions left as written. For looking at flags, never for running. */
  readonly text: string;
  /** What the program receives, when that does not depend on anything outside the line. */
  readonly value: string | undefined;
}

export interface Assignment {
  readonly start: number;
  readonly end: number;
  readonly raw: string;
  readonly name: string;
}

export interface Redirection {
  readonly start: number;
  readonly end: number;
  readonly raw: string;
  /** `<`, `>`, `>>`, `>|`, `<>`, `<&`, `>&`, `&>`, `&>>`, `<<`, `<<-`, `<<<` */
  readonly operator: string;
  /** The number in front, when there is one. */
  readonly fd: number | undefined;
  readonly target: Word;
}

export type Compound = "subshell" | "group" | "if" | "loop" | "case" | "function" | "test" | "arithmetic";

/** One simple command, or one compound construct as a whole. */
export interface Segment {
  /** Start of the first assignment, redirection or word; a `!` or `time` keyword stands before it. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The program and its arguments; empty for a compound construct and for assignments alone. */
  readonly words: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
  readonly compound: Compound | undefined;
  /** What follows. */
  readonly operator: Operator | undefined;
  /** One of several commands joined by `|`. */
  readonly piped: boolean;
  /** `! cmd` */
  readonly negated: boolean;
  /** `time cmd`, the shell's own keyword. */
  readonly timed: boolean;
  readonly hasHeredoc: boolean;
  /** `$(…)`, backticks, `<(…)`, `>(…)`. */
  readonly hasSubstitution: boolean;
}

export interface CommandLine {
  readonly source: string;
  readonly dialect: Dialect;
  readonly segments: readonly Segment[];
  readonly hasHeredoc: boolean;
  readonly hasSubstitution: boolean;
  /** A command of the line is started with `&`. */
  readonly hasBackground: boolean;
  /** A loop, branch, group, subshell or function is in the line; `[[ … ]]` and `(( … ))` do not count. */
  readonly isCompound: boolean;
}

/** Longer lines are left alone: no agent types 64 KB by hand, and the time per line stays bounded. */
export const MAX_LINE_LENGTH = 65_536;
