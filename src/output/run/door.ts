/**
 * The run door: `tokenix run …` from argv to exit code. Imports what starts a command and no more; the rest is loaded
 * while the command runs. Ends the process itself, as a pipe that something left open must not keep it.
 */
import { messageOf, UserError } from "../../platform/errors.ts";
import { Capture } from "./capture.ts";
import { CannotStart, startCaptured } from "./child.ts";
import { parseRun, RUN_HELP, type RunRequest } from "./command.ts";
import { couldNotStart, reasonForRaw, runRaw } from "./raw.ts";
import type { Started } from "./run.ts";
import { areSameSink, writeAll } from "./sink.ts";

export async function runDoor(args: readonly string[]): Promise<never> {
  process.exit(await run(args));
}

async function run(args: readonly string[]): Promise<number> {
  try {
    if (args[0] === "--help" || args[0] === "-h") {
      writeAll(1, RUN_HELP);
      return 0;
    }
    const request = parseRun(args);
    try {
      return await runCommand(request, process.env);
    } catch (error) {
      if (error instanceof CannotStart) return await couldNotStart(request, error);
      throw error;
    }
  } catch (error) {
    writeAll(2, `tokenix: ${messageOf(error)}\n`);
    if (error instanceof UserError && error.hint) writeAll(2, `${error.hint}\n`);
    return error instanceof UserError ? error.exitCode : 1;
  }
}

async function runCommand(request: RunRequest, env: NodeJS.ProcessEnv): Promise<number> {
  const why = reasonForRaw(request, env);
  if (why) return runRaw(request, why, env);
  const started = areSameSink() ? undefined : startApart(request);
  const { runCaptured } = await import("./run.ts");
  return runCaptured(request, started, env);
}

function startApart(request: RunRequest): Started {
  const out = new Capture();
  const err = new Capture();
  return { child: startCaptured(request.argv, out, err), out, err };
}
