/** What a doctor's check is. A room adds its own file here and its line in `checks.ts`. */

export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  /** What was found, in one sentence. */
  readonly detail: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

export interface DoctorContext {
  /** The project around the working directory. */
  readonly root: string;
  readonly indexed: boolean;
}

export interface Check {
  readonly name: string;
  readonly run: (context: DoctorContext) => Promise<readonly Finding[]> | readonly Finding[];
}
