/**
 * The commands of a line one by one, as a permission rule of an agent judges them. Only for lines in which every
 * command shows its whole effect: anything that hides one (a substitution, a loop, a program named by a variable)
 * or writes beside it (a redirection into a file) gives undefined, and the caller must not answer for the user.
 */
import { parseCommandLine } from "./parse.ts";
import type { Dialect, Redirection, Segment } from "./types.ts";

export interface SimpleCommand {
  /** As written, without a joining operator. */
  readonly text: string;
  /** The same without redirections such as `2>&1`. */
  readonly bare: string;
}

/**
 * The text of each command on its own.
 *
 *     simpleCommands("cd x && git status 2>&1") // ["cd x", "git status 2>&1"]
 */
export function simpleCommands(line: string, dialect: Dialect = "bash"): string[] | undefined {
  return simpleCommandForms(line, dialect)?.map(({ text }) => text);
}

/** The same with the bare text beside it: some agents match rules against one, some against both. */
export function simpleCommandForms(line: string, dialect: Dialect = "bash"): SimpleCommand[] | undefined {
  const parsed = parseCommandLine(line, dialect);
  if (!parsed || parsed.isCompound || parsed.hasHeredoc || parsed.hasSubstitution) return undefined;
  // what another reader could take for a separator
  if (/[\r\v\f\u0085\u00a0\u2028\u2029]/.test(line)) return undefined;
  const out: SimpleCommand[] = [];
  let from = 0;
  for (const segment of parsed.segments) {
    if (!isOpen(segment) || !/^[ \t\n]*$/.test(line.slice(from, segment.start))) return undefined;
    from = segment.end;
    const operator = segment.operator ?? "";
    // whatever is neither a blank nor the operator (a comment, an escaped newline) stands between the two
    while (line.charAt(from) === " " || line.charAt(from) === "\t") from++;
    if (!line.startsWith(operator, from)) return undefined;
    from += operator.length;
    out.push({ text: segment.text, bare: withoutRedirections(segment) });
  }
  return /^[ \t\n]*$/.test(line.slice(from)) ? out : undefined;
}

function isOpen({ compound, negated, timed, words, redirections }: Segment): boolean {
  if (compound || negated || timed || !redirections.every(isHarmless)) return false;
  return words.length === 0 || words[0]?.value !== undefined;
}

function isHarmless({ operator, target }: Redirection): boolean {
  if (operator === ">&" || operator === "<&") return /^[0-2]$/.test(target.raw);
  return target.value === "/dev/null";
}

function withoutRedirections({ text, start, redirections }: Segment): string {
  let out = "";
  let from = 0;
  for (const redirection of redirections) {
    out += text.slice(from, redirection.start - start).trimEnd();
    from = redirection.end - start;
  }
  return (out + text.slice(from)).trim();
}
