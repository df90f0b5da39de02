/**
 * The hook's door. Whatever happens behind it, the session goes on: any error, panic, odd payload, slow disk
 * or broken configuration ends in the agent's own "go on" with exit 0, and one masked line in the log.
 * It imports what the common answer needs and nothing of `node:`; stdin and stdout are Bun's own.
 */
import { firstOf } from "../../platform/lists.ts";
import { dialectNamed } from "../dialects/index.ts";
import { type Answer, SILENT } from "../tool-call.ts";
import { budgetMs, processContext } from "./context.ts";
import { readPayload } from "./payload.ts";
import { respond } from "./respond.ts";
import type { Watchdog } from "./watchdog.ts";

/** The agent may not close stdin: what is there by then is all there is. */
const MOST_STDIN_MS = 1200;
/** The door's own timer comes first wherever it can. */
const GRACE_MS = 100;

export async function hookDoor(door: "hook" | "hook-post", args: readonly string[]): Promise<void> {
  const started = performance.now();
  if (args.includes("--help") || args.includes("-h")) return help(door);
  const side = door === "hook" ? "pre" : "post";
  const named = dialectNamed(firstOf(args, (word) => !word.startsWith("-")));
  const limitMs = budgetMs(process.env);
  let fallback: Answer = named?.pass(side) ?? SILENT;
  let watchdog: Watchdog | undefined;
  const timer = setTimeout(() => {
    watchdog?.callOff();
    end(fallback);
  }, limitMs);
  const guardDisk = async (fromNowMs: number): Promise<void> => {
    const { watch } = await import("./watchdog.ts");
    watchdog ??= watch(fromNowMs, fallback.stdout);
  };
  const untilLate = (): number => limitMs + GRACE_MS - (performance.now() - started);
  let failure: unknown;
  try {
    const payload = await readPayload(Bun.stdin.stream(), Math.min(limitMs, MOST_STDIN_MS));
    fallback = await respond({
      payload,
      named,
      side,
      context: {
        ...processContext(() => limitMs - (performance.now() - started), { endsSoon: true }),
        guardDisk: () => guardDisk(untilLate()),
      },
      whenKnown: (pass) => {
        fallback = pass;
      },
      onError: (error) => {
        failure = error;
      },
    });
    if (payload.problem !== undefined) failure ??= await unreadable(door, named?.id, payload.problem);
  } catch (error) {
    failure = error;
  }
  clearTimeout(timer);
  if (failure !== undefined) {
    // The answer to a failure is "go on": it may be given from outside, should the log's disk not answer either.
    await guardDisk(Math.max(GRACE_MS, untilLate())).catch(() => undefined);
    await note(failure);
  }
  watchdog?.callOff();
  end(fallback);
}

/** Nothing of the payload itself is kept: what is no JSON has no fields to mask. */
async function unreadable(door: string, agent: string | undefined, problem: string): Promise<Error> {
  const { RepeatedFault } = await import("./error-note.ts");
  return new RepeatedFault(`the payload for '${agent ? `${door} ${agent}` : door}' is passed through: ${problem}`);
}

/** One line in the error log of the home. Loaded only here: an error is the rare case. */
async function note(error: unknown): Promise<void> {
  try {
    const { noteHookError } = await import("./error-note.ts");
    noteHookError(error);
  } catch {
    // Nothing of ours may stand between the agent and its answer.
  }
}

// `console`, not `process.stdout`: merely touching that getter costs more than the whole decision.
function end(answer: Answer): never {
  if (answer.stdout !== "") console.log(answer.stdout.replace(/\n$/, ""));
  if (answer.stderr !== "") console.error(answer.stderr.replace(/\n$/, ""));
  process.exit(answer.exitCode);
}

function help(door: string): void {
  console.log(`tokenix ${door} [AGENT] < payload.json

Answers one hook call of an AI coding agent; the agent starts it, people don't.
AGENT: claude, codex, copilot, vscode, antigravity, gemini, opencode, cursor; without it the payload tells.
Exit 0: go on (perhaps changed), 2: blocked, with the reason on stderr. 'tokenix explain-hook' says why.`);
}
