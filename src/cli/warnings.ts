/** What a person should know beside an answer: on stderr, never in the answer. */

export interface Warned {
  readonly stale?: string | undefined;
  readonly configProblems: readonly string[];
}

export async function warnings(about: Warned): Promise<void> {
  if (about.configProblems.length === 0 && about.stale === undefined) return;
  const { tell } = await import("./tell.ts");
  for (const problem of about.configProblems) await tell("warn", problem);
  if (about.stale !== undefined) await tell("warn", about.stale);
}
