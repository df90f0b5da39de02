/**
 * The hook's door. Whatever happens behind it, the session goes on: any error, panic, odd payload, slow disk
 * or broken configuration ends in the agent's own "go on" with exit 0, and one masked line in the log.
 * It imports what the common answer needs and nothing of `node:`; stdin and stdout are Bun's own.
 */
import { dialectNamed, guessFromText, recognise } from "../dialects/index.ts";
import { type Answer, type Dialect, type HookEvent, SILENT, type ToolCall } from "../tool-call.ts";
import { BUDGET_MS, processContext } from "./context.ts";
import { type Payload, readPayload } from "./payload.ts";

/** The agent may not close stdin: what is there by then is all there is. */
const STDIN_SHARE = 0.8;

export async function hookDoor(door: "hook" | "hook-post", args: readonly string[]): Promise<void> {
  const side = door === "hook" ? "pre" : "post";
  const started = performance.now();
  const named = dialectNamed(args.find((word) => !word.startsWith("-")));
  if (args.includes("--help") || args.includes("-h")) return help(door);
  // The best answer known so far; the timer gives it when time is up.
  let fallback: Answer = named?.pass(side) ?? SILENT;
  const timer = setTimeout(() => end(fallback), BUDGET_MS);
  let answer = fallback;
  try {
    const payload = await readPayload(Bun.stdin.stream(), BUDGET_MS * STDIN_SHARE);
    const dialect = (payload.value && recognise(payload.value, named)) ?? named ?? guessFromText(payload.text);
    fallback = dialect?.pass(side) ?? SILENT;
    answer = fallback;
    const remainingMs = () => BUDGET_MS - (performance.now() - started);
    answer = await answerFor(payload, dialect, side, remainingMs, (pass) => {
      fallback = pass;
    });
  } catch (error) {
    answer = fallback;
    await note(error).catch(() => undefined);
  }
  clearTimeout(timer);
  end(answer);
}

async function answerFor(
  payload: Payload,
  dialect: Dialect | undefined,
  side: "pre" | "post",
  remainingMs: () => number,
  whenKnown: (pass: Answer) => void,
): Promise<Answer> {
  if (!payload.value || !dialect) return dialect?.pass(side) ?? SILENT;
  const call = dialect.decode(payload.value, side);
  if (!call) return dialect.pass(eventNamed(payload.value["hook_event_name"], side));
  const pass = dialect.pass(call.event);
  whenKnown(pass);
  if (!concernsUs(call)) return pass;
  const { decide } = await import("./decide.ts");
  const decision = await decide(call, processContext(remainingMs));
  return decision.kind === "pass" ? pass : dialect.encode(decision, call);
}

/** What no rule of ours speaks of is let through before anything is loaded. */
export function concernsUs(call: ToolCall): boolean {
  if (call.kind === "other" || call.kind === "glob") return false;
  switch (call.event) {
    case "pre":
      return call.kind !== "mcp";
    case "post":
      return call.result !== undefined;
    case "post-failure":
      return call.kind === "read" && call.failure !== undefined;
    default:
      return false;
  }
}

function eventNamed(name: unknown, side: "pre" | "post"): HookEvent {
  return name === undefined ? side : name === "PreToolUse" || name === "BeforeTool" ? "pre" : "other";
}

/** One line in the error log of the home. Loaded only here: an error is the rare case. */
async function note(error: unknown): Promise<void> {
  const { noteHookError } = await import("./error-note.ts");
  noteHookError(error);
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
