/**
 * Asks an AI program of this machine to write a filter from masked recordings, and takes its answer only when it parses
 * and its cases hold. The one place where recordings leave this program; the caller has asked its user first.
 */
import { capture } from "../../platform/process.ts";
import { caseSetProblems, runCase } from "./cases.ts";
import type { Recording } from "./record.ts";
import { filterSkeleton } from "./skeleton.ts";
import { parseFilterToml } from "./toml.ts";

export interface AuthorProgram {
  readonly name: string;
  readonly argv: readonly string[];
}

/** Each reads the prompt from stdin and prints its answer. */
const PROGRAMS: readonly AuthorProgram[] = [
  { name: "claude", argv: ["claude", "-p"] },
  { name: "codex", argv: ["codex", "exec", "--skip-git-repo-check", "-"] },
  { name: "gemini", argv: ["gemini"] },
  { name: "opencode", argv: ["opencode", "run"] },
];

const TIMEOUT_MS = 4 * 60 * 1000;
const TRIES = 2;
const SAMPLE_CHARS = 12_000;

export function findAuthor(name?: string): AuthorProgram | undefined {
  return PROGRAMS.find((program) => (name === undefined || program.name === name) && Bun.which(program.name));
}

/** The filter file's text, or why there is none. */
export async function askAuthor(
  author: AuthorProgram,
  command: string,
  recordings: readonly Recording[],
): Promise<{ toml: string } | { problem: string }> {
  const skeleton = filterSkeleton(command, recordings);
  let feedback = "";
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const prompt = promptFor(command, recordings, skeleton.toml) + feedback;
    const answer = await capture(author.argv, { stdin: prompt, timeoutMs: TIMEOUT_MS, maxBytes: 1024 * 1024 });
    if (answer.code !== 0)
      return { problem: `${author.name} ended with ${answer.code}: ${answer.stderr.slice(0, 200)}` };
    const toml = withoutFence(answer.stdout);
    const problems = problemsOf(toml);
    if (problems.length === 0) return { toml };
    feedback = `\n\nYour last answer had these faults:\n${problems.slice(0, 10).join("\n")}\nAnswer again with the whole file.\n`;
  }
  return { problem: `${author.name} wrote no filter that passes its own cases` };
}

function problemsOf(toml: string): string[] {
  const file = parseFilterToml(toml);
  if (file.problems.length > 0) return [...file.problems];
  return file.filters.flatMap((filter) => {
    const cases = file.cases.get(filter.name) ?? [];
    const held = cases.flatMap((one) =>
      runCase(filter, one).problems.filter((problem) => !problem.startsWith("'expected'")),
    );
    return [...caseSetProblems({ ...filter, cannot_fail: true }, cases), ...held];
  });
}

function withoutFence(text: string): string {
  const fenced = /```(?:toml)?\n([\s\S]*?)```/.exec(text)?.[1];
  return fenced ?? text.slice(Math.max(0, text.indexOf("[filters.")));
}

function promptFor(command: string, recordings: readonly Recording[], skeleton: string): string {
  const samples = recordings
    .slice(0, 4)
    .map((one) => `--- ${one.command} (exit ${one.exitCode})\n${(one.stdout + one.stderr).slice(0, SAMPLE_CHARS)}`)
    .join("\n");
  return `Write a TOML output filter for the command '${command}'. It takes known noise out of what the command prints and keeps every
fact that a programmer acts on: file:line positions, messages, names of failing tests, error codes, counts, ids.
Answer with the file alone, in one \`\`\`toml block. Start from this skeleton; keep its test cases' inputs as they are and fill in must_keep:

${skeleton}

Keys: match_output [{pattern,message,unless}], block_caps [{start,keep,max,end}], strip_lines_matching, keep_lines_matching,
replace_in_lines [{pattern,with}], extract_sections [{start,end,split_on_start,max_lines,keep_outside}],
category_caps [{pattern,max,label}], priority_lines, head_lines, tail_lines, max_lines, truncate_lines_at, filter_stderr,
on_failure ("passthrough" or "tail:N"), on_empty, passthrough_when_emptied. Regexes are JavaScript's, tried line by line, and must be linear.

What the command printed:
${samples}
`;
}
