/**
 * From what came on stdin to the answer, guarded: whatever goes wrong on the way, the answer is the agent's own
 * "go on". Everything but reading stdin and ending the process happens here, so that tests can ask it directly.
 */
import { guessFromText, recognise } from "../dialects/index.ts";
import { type Answer, type Dialect, type HookEvent, SILENT, type ToolCall } from "../tool-call.ts";
import type { HookContext } from "./context.ts";
import type { Payload } from "./payload.ts";

export interface Respond {
  readonly payload: Payload;
  readonly named: Dialect | undefined;
  readonly side: "pre" | "post";
  readonly context: HookContext;
  /** Told the "go on" of the agent as soon as it is known, for a timer that may cut in. */
  readonly whenKnown?: (pass: Answer) => void;
  readonly onError?: (error: unknown) => void;
}

export async function respond(request: Respond): Promise<Answer> {
  const { payload, named, side, whenKnown } = request;
  let answer = named?.pass(side) ?? SILENT;
  try {
    const dialect = (payload.value && recognise(payload.value, named)) ?? named ?? guessFromText(payload.text);
    if (!dialect) return SILENT;
    answer = dialect.pass(side);
    const call = payload.value && dialect.decode(payload.value, side);
    if (!call) return dialect.pass(payload.value ? eventNamed(payload.value["hook_event_name"], side) : side);
    answer = dialect.pass(call.event);
    whenKnown?.(answer);
    if (!concernsUs(call)) return answer;
    const { decide } = await import("./decide.ts");
    const decision = await decide(call, request.context);
    return decision.kind === "pass" ? answer : dialect.encode(decision, call);
  } catch (error) {
    request.onError?.(error);
    return answer;
  }
}

/** What no rule of ours speaks of is let through before anything is loaded. */
export function concernsUs(call: ToolCall): boolean {
  if (call.kind === "other") return false;
  switch (call.event) {
    case "pre":
      return call.kind !== "mcp" && call.kind !== "glob";
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
