/** How fast the doors open. The check enforces these budgets with some air for a noisy machine (`SLACK`). */
import { statSync } from "node:fs";
import type { BenchContext, Row } from "../bench.ts";

/** A shared CI machine jitters; a real regression of a door is a factor of two and more. */
const SLACK = process.argv.includes("--budget-only") ? 1.6 : 1;

export async function bench(context: BenchContext): Promise<Row[]> {
  const pass = JSON.stringify({
    session_id: "bench",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "echo hello" },
    cwd: context.scratch,
  });
  const version = await context.ratio([context.binary, "--version"], { runs: 21 });
  const hook = await context.ratio([context.binary, "hook"], { runs: 21, stdin: "" });
  const through = await context.ratio([context.binary, "hook"], { runs: 21, stdin: pass });
  return [
    { name: "start: --version", value: version, unit: "E", atMost: 1.5 * SLACK },
    { name: "start: hook, empty payload", value: hook, unit: "E", atMost: 1.5 * SLACK },
    { name: "start: hook, pass-through", value: through, unit: "E", atMost: 1.6 * SLACK },
    { name: "size: binary for this machine", value: statSync(context.binary).size / 1e6, unit: "MB", atMost: 190 },
  ];
}
