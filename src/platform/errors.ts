/**
 * Errors a user can meet: what happened, to what, and what to do. Anything else is a fault of ours.
 * Exit codes come from this one table; `hook` uses only 0 and 2, `run` gives the command's own.
 */
export const EXIT = { ok: 0, findings: 1, usage: 2 } as const;

export class UserError extends Error {
  constructor(
    message: string,
    /** One sentence that says what to do next; printed as a second line. */
    readonly hint?: string,
    readonly exitCode: number = EXIT.findings,
  ) {
    super(message);
    this.name = "UserError";
  }
}

/** The message of whatever was thrown, in one line. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll("\n", " ");
}
