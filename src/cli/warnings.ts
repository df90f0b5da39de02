/** What a person should know beside an answer: on stderr, never in the answer. */

export interface Warned {
  readonly stale?: string | undefined;
  readonly configProblems: readonly string[];
}

export function warnings(about: Warned): void {
  for (const problem of about.configProblems) console.error(`tokenix: ${problem}`);
  if (about.stale !== undefined) console.error(`tokenix: ${about.stale}`);
}
