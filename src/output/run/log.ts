/** Every run in the hook log, also those that saved nothing: a share of savings that leaves them out can't go down. */
import { logHookEvent } from "../../platform/hook-log.ts";
import type { Environment } from "../../platform/paths.ts";
import type { RunRequest } from "./command.ts";
import type { Told } from "./deliver.ts";
import { loggedRoot } from "./root.ts";
import type { Run } from "./run.ts";

/** Agents show no more than about this of one output, so no more can be saved. */
const MOST_SHOWN_CHARS = 30_000;

export function logRun(
  run: Pick<Run, "line" | "cwd" | "env">,
  told: Told,
  details: { by: string; exitCode: number; durationMs: number },
): void {
  const rawChars = Math.min(told.rawChars, MOST_SHOWN_CHARS);
  const chars = Math.min(told.chars, rawChars);
  logHookEvent(
    loggedRoot(run.cwd, run.env),
    {
      action: chars < rawChars ? "intercepted" : "pass",
      tool: "shell",
      agent: "run",
      subject: run.line,
      rawTokens: Math.ceil(rawChars / 4),
      shownTokens: Math.ceil(chars / 4),
      ...details,
    },
    run.env,
  );
}

/** A command that printed nothing. */
export function logSilent(request: RunRequest, exitCode: number, ms: number, env: Environment): void {
  const run = { line: request.line ?? request.argv.join(" "), cwd: process.cwd(), env };
  logRun(run, { rawChars: 0, chars: 0 }, { by: "generic", exitCode, durationMs: Math.round(ms) });
}

export function logBypassed(request: RunRequest, note: string, exitCode: number, env: Environment): void {
  const subject = request.line ?? request.argv.join(" ");
  const root = loggedRoot(process.cwd(), env);
  const event = { action: "bypassed", tool: "shell", agent: "run", subject, rawTokens: 0, shownTokens: 0 } as const;
  logHookEvent(root, { ...event, exitCode, note }, env);
}
