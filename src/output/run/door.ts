/** The run door: `tokenix run …` from argv to exit code. Ends the process itself, as a left-open pipe must not keep it. */
import { messageOf, UserError } from "../../platform/errors.ts";
import { parseRun } from "./command.ts";
import { runCommand } from "./run.ts";
import { writeAll } from "./sink.ts";

export async function runDoor(args: readonly string[]): Promise<never> {
  process.exit(await run(args));
}

async function run(args: readonly string[]): Promise<number> {
  if (args[0] === "--help" || args[0] === "-h") {
    const { runCli } = await import("../../cli/run.ts");
    await runCli(["help", "run"]);
    return Number(process.exitCode ?? 0);
  }
  try {
    return await runCommand(parseRun(args));
  } catch (error) {
    writeAll(2, `tokenix: ${messageOf(error)}\n`);
    if (error instanceof UserError && error.hint) writeAll(2, `${error.hint}\n`);
    return error instanceof UserError ? error.exitCode : 1;
  }
}
