/**
 * What filters are matched against: the command with everything taken off that does not change what it prints, and
 * every stage before that, so that a filter on a wrapper (`npx`, `uv run`, `docker compose exec`) matches too.
 */
import { mapped } from "../../platform/lists.ts";
import { parseCommandLine } from "./parse.ts";
import { type Argument, type Form, type Peeled, peel } from "./prefixes.ts";
import { SILENT } from "./program-rules.ts";
import type { CommandLine, Dialect, Segment } from "./types.ts";

const MAX_CANDIDATES = 24;
const MAX_CANDIDATE_LENGTH = 4096;

/**
 * The candidates for the output of a whole line, the innermost first. Empty when several commands of it print (no
 * one filter is right for their joined text), and when it was not understood to the end.
 *
 *     candidates("cd x && sudo git -C y diff") // ["git diff", "git -C y diff", "sudo git -C y diff"]
 */
export function candidates(line: string, dialect: Dialect = "bash"): string[] {
  const parsed = parseCommandLine(line, dialect);
  const segment = parsed && soleCommand(parsed);
  return segment ? segmentCandidates(segment) : [];
}

/** The same for a program and its arguments, as they come from a process. */
export function argvCandidates(argv: readonly string[]): string[] {
  const words: Argument[] = mapped(argv, (text) => ({ raw: text, text, value: text }));
  return words.length === 0 ? [] : formCandidates(peel(words));
}

/** The candidates of one command of a line, the innermost first. */
export function segmentCandidates(segment: Segment): string[] {
  return segment.words.length === 0 ? [] : formCandidates(peel(segment.words));
}

export function formCandidates(peeled: Peeled): string[] {
  const inner = peeled.shellLine === undefined ? [] : candidates(peeled.shellLine);
  const outer = mapped(peeled.forms, join).reverse();
  return [...new Set([...inner, ...outer])].slice(0, MAX_CANDIDATES);
}

function join(form: Form): string {
  let out = "";
  for (const { raw, text, value } of form) {
    if (out.length > MAX_CANDIDATE_LENGTH) break;
    if (out) out += " ";
    // the quotes stay on a word that would fall apart without them
    out += raw === text || (value !== undefined && !/\s/.test(value)) ? text : raw;
  }
  return out.trimEnd();
}

/**
 * The one command whose output is the output of the line; undefined when there are several, or a pipeline, or a
 * construct around them.
 */
export function soleCommand(line: CommandLine): Segment | undefined {
  if (line.isCompound || line.hasHeredoc || line.hasBackground) return undefined;
  let sole: Segment | undefined;
  for (const segment of line.segments) {
    if (segment.piped) return undefined;
    if (segment.words.length === 0 || SILENT.has(segment.words[0]?.value ?? "")) continue;
    if (sole) return undefined;
    sole = segment;
  }
  return sole;
}
