/** What a person should know beside an answer: on stderr, never in the answer. */

export interface Warned {
  readonly stale?: string | undefined;
  readonly configProblems: readonly string[];
}

export function warnings(about: Warned): void {
  for (const problem of about.configProblems) process.stderr.write(`tokenix: ${problem}\n`);
  if (about.stale !== undefined) process.stderr.write(`tokenix: ${about.stale}\n`);
}
