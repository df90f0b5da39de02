/**
 * The run door: `tokenix run …` from argv to exit code. Imports what starts a command and no more; the rest is loaded
 * while the command runs. Ends the process itself, as a pipe that something left open must not keep it.
 */
import { messageOf, UserError } from "../../platform/errors.ts";
import { Capture } from "./capture.ts";
import { CannotStart, exitOf, startCaptured } from "./child.ts";
import { parseRun, RUN_HELP, type RunRequest } from "./command.ts";
import { couldNotStart, reasonForRaw, runRaw, watchSignals } from "./raw.ts";
import type { RunDependencies, Started } from "./run.ts";
import { areSameSink, writeAll } from "./sink.ts";

export async function runDoor(args: readonly string[], deps: RunDependencies = {}): Promise<never> {
  process.exit(await run(args, deps));
}

async function run(args: readonly string[], deps: RunDependencies): Promise<number> {
  try {
    if (args[0] === "--help" || args[0] === "-h") {
      writeAll(1, RUN_HELP);
      return 0;
    }
    const request = parseRun(args);
    try {
      return await runCommand(request, process.env, deps);
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

/** How long a command gets to end without a word before the work of understanding it begins. */
const QUICK_MS = 2;

async function runCommand(request: RunRequest, env: NodeJS.ProcessEnv, deps: RunDependencies): Promise<number> {
  const why = reasonForRaw(request, env);
  if (why) return runRaw(request, why, env);
  const started = areSameSink() ? undefined : startApart(request);
  if (started && !request.explain) {
    const from = performance.now();
    const loading = import("./log.ts");
    const ended = await Promise.race([started.child.ended, Bun.sleep(QUICK_MS)]);
    // A command that ends at once without a word (`mkdir`, `git add`) needs no filter and no understanding.
    if (ended && started.out.bytes === 0 && started.err?.bytes === 0) {
      (await loading).logSilent(request, ended.code, performance.now() - from, env);
      return exitOf(ended);
    }
  }
  const { runCaptured } = await import("./run.ts");
  return runCaptured(request, started, env, deps);
}

function startApart(request: RunRequest): Started {
  const out = new Capture();
  const err = new Capture();
  const child = startCaptured(request.argv, out, err);
  return { child, out, err, stopped: watchSignals(child) };
}
