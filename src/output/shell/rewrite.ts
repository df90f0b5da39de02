/**
 * Puts our prefix in front of the commands of a line whose output the agent itself reads. It only ever inserts: the
 * result is read again and must hold the same words in the same order behind the prefix, with every other character
 * as it was. Anything else, any doubt, and the line is left alone.
 */
import { allOf, anyOf, kept, mapped } from "../../platform/lists.ts";
import { formCandidates, soleCommand } from "./candidates.ts";
import { parseCommandLine } from "./parse.ts";
import { baseName, peel } from "./prefixes.ts";
import { CHANGES_THE_LINE } from "./program-rules.ts";
import { whyLeftAlone } from "./programs.ts";
import { rewritePwsh } from "./pwsh.ts";
import { requote } from "./quote.ts";
import type { CommandLine, Dialect, Redirection, Segment, Word } from "./types.ts";

export interface RewriteOptions {
  /** The words to put in front, unquoted: `["/opt/tokenix", "run"]`. */
  readonly prefix: readonly string[];
  /** Whether a command is worth it: its candidates, innermost first. */
  readonly wants: (candidates: readonly string[], segment: Segment) => boolean;
  /** Commands that the user switched off: `git diff` covers `git -C x diff --stat`. */
  readonly exclude?: readonly string[];
  readonly dialect?: Dialect;
}

export interface Rewrite {
  readonly command: string;
  /** How many commands got the prefix. */
  readonly wrapped: number;
}

/** Variables that would change our own program when set for one command. */
const TOUCHES_US = /^(?:TOKENIX_|LD_|DYLD_|BUN_|NODE_OPTIONS$|HOME$|USERPROFILE$|XDG_|TMPDIR$|IFS$)/;

/** The rewritten line, or undefined when nothing in it is to be wrapped or it is not understood to the end. */
export function rewriteCommand(line: string, options: RewriteOptions): Rewrite | undefined {
  const dialect = options.dialect ?? "bash";
  const parsed = parseCommandLine(line, dialect);
  if (!parsed || !isOurReading(parsed, options.prefix)) return undefined;
  const chosen = kept(parsed.segments, (segment) => isWrappable(segment, options));
  if (chosen.length === 0) return undefined;
  if (dialect === "pwsh") return rewritePwsh(parsed, options.prefix);
  const prefix = requote(options.prefix, dialect);
  // cmd takes the outer quotes of a line off when it begins with one
  if (prefix === undefined || (dialect === "cmd" && prefix.includes('"'))) return undefined;
  let command = "";
  let from = 0;
  for (const segment of chosen) {
    const at = segment.words[0]?.start ?? segment.start;
    command += `${line.slice(from, at)}${prefix} `;
    from = at;
  }
  command += line.slice(from);
  return isProven(parsed, chosen, options.prefix, command) ? { command, wrapped: chosen.length } : undefined;
}

/** Whether the whole line leaves the agent as the only reader, and every word its usual meaning. */
function isOurReading(line: CommandLine, prefix: readonly string[]): boolean {
  if (line.isCompound || line.hasHeredoc || line.hasBackground) return false;
  // a prefix that is looked up must still be found
  if (line.source.includes("PATH") && !/^(?:[A-Za-z]:)?[\\/]/.test(prefix[0] ?? "") && /\bPATH\+?=/.test(line.source)) {
    return false;
  }
  for (const { words } of line.segments) {
    const name = words[0]?.text ?? "";
    if (CHANGES_THE_LINE.has(name)) return false;
    if (
      name === "set" &&
      !words.slice(1).every((word) => /^(?:[-+][aeuo]+|errexit|nounset|pipefail|allexport)$/.test(word.text))
    )
      return false;
  }
  return true;
}

function isWrappable(segment: Segment, options: RewriteOptions): boolean {
  if (segment.compound || segment.piped || segment.negated || segment.hasHeredoc) return false;
  if (anyOf(segment.assignments, ({ name }) => TOUCHES_US.test(name))) return false;
  if (!allOf(segment.redirections, keepsTheReader) || passesDescriptors(segment)) return false;
  const candidates = readableCandidates(segment, options.prefix);
  if (!candidates || isExcluded(candidates, options.exclude)) return false;
  return options.wants(candidates, segment);
}

/** `<(…)` and `/dev/fd/3` are open files of the shell, which reach its own child and not a child of ours. */
function passesDescriptors({ words, assignments }: Segment): boolean {
  const passes = ({ raw }: { readonly raw: string }) =>
    raw.includes("<(") || raw.includes(">(") || raw.includes("/dev/fd/") || raw.includes("/proc/self");
  return anyOf(words, passes) || anyOf(assignments, passes);
}

/** `2>&1`, `2>/dev/null` and reading from a file: the agent still sees what is printed, and nobody else does. */
function keepsTheReader({ operator, fd, target }: Redirection): boolean {
  if (operator === ">&") return fd === 2 && target.raw === "1";
  if (operator === ">" || operator === ">>") return fd === 2 && target.value === "/dev/null";
  return operator === "<" && (fd === undefined || fd === 0);
}

/** The candidates of a command that may run behind our prefix; undefined when it may not. */
function readableCandidates(segment: Segment, prefix: readonly string[]): string[] | undefined {
  const peeled = peel(segment.words);
  if (!peeled.isKnown) return undefined;
  const ours = baseName(prefix[0] ?? "");
  for (const form of peeled.forms) {
    const name = form[0]?.value;
    if (name === undefined || name.startsWith("-") || baseName(name) === ours) return undefined;
    const [, ...args] = form;
    if (whyLeftAlone([name, ...mapped(args, (word) => word.text)])) return undefined;
  }
  if (peeled.shellLine !== undefined) {
    const inner = parseCommandLine(peeled.shellLine);
    const sole = inner && isOurReading(inner, prefix) ? soleCommand(inner) : undefined;
    if (!sole || sole.compound || passesDescriptors(sole) || sole.negated || !allOf(sole.redirections, keepsTheReader))
      return undefined;
    if (!readableCandidates(sole, prefix)) return undefined;
  }
  return formCandidates(peeled);
}

function isExcluded(candidates: readonly string[], exclude: readonly string[] = []): boolean {
  return anyOf(exclude, (entry) => {
    const command = entry.trim().replace(/\s+/g, " ");
    return command !== "" && anyOf(candidates, (candidate) => `${candidate} `.startsWith(`${command} `));
  });
}

/**
 * Reads the result again, independent of how it was made: behind our prefix the same words in the same order, the
 * same operators, and with the prefix cut out again, the original to the last character.
 */
function isProven(
  before: CommandLine,
  chosen: readonly Segment[],
  prefix: readonly string[],
  command: string,
): boolean {
  const after = parseCommandLine(command, before.dialect);
  if (!after || after.segments.length !== before.segments.length) return false;
  let rest = "";
  let from = 0;
  for (const [index, old] of before.segments.entries()) {
    const now = after.segments[index];
    if (!now || now.operator !== old.operator || now.compound !== old.compound || now.piped !== old.piped) return false;
    let { words } = now;
    if (chosen.includes(old)) {
      const ours = words[0];
      const theirs = words[prefix.length];
      if (!ours || !theirs || !startsWith(words, prefix)) return false;
      rest += command.slice(from, ours.start);
      from = theirs.start;
      words = words.slice(prefix.length);
    }
    const isSame =
      haveSameText(old.words, words) &&
      haveSameText(old.assignments, now.assignments) &&
      haveSameText(old.redirections, now.redirections);
    if (!isSame) return false;
  }
  return rest + command.slice(from) === before.source;
}

function haveSameText(old: readonly { raw: string }[], now: readonly { raw: string }[]): boolean {
  if (old.length !== now.length) return false;
  for (let at = 0; at < old.length; at++) if (old[at]?.raw !== now[at]?.raw) return false;
  return true;
}

function startsWith(words: readonly Word[], prefix: readonly string[]): boolean {
  for (let at = 0; at < prefix.length; at++) if (words[at]?.value !== prefix[at]) return false;
  return true;
}
