/**
 * Google Antigravity (`agy`). PreToolUse is a gate without a neutral answer: `{}` and, in some versions, an
 * empty answer deny the call, so every way out prints `{"decision":"allow"}`. That allow approves nothing:
 * the agent's own permission engine still runs. Other events expect exactly `{}`.
 */
import { firstText, isObject, listOf, objectOf, textOf } from "../json.ts";
import { answerJson, type Dialect, type HookEvent } from "../tool-call.ts";
import { actionOf, commandKey } from "./input.ts";

const ALLOW = answerJson({ decision: "allow" });
const NOTHING = answerJson({});

export const antigravity: Dialect = {
  id: "antigravity",
  names: ["antigravity", "agy"],

  recognise(payload) {
    if (objectOf(payload["toolCall"]) !== undefined) return 9;
    return "conversationId" in payload && "workspacePaths" in payload ? 6 : 0;
  },

  decode(payload, door) {
    const call = objectOf(payload["toolCall"]) ?? objectOf(payload["tool_call"]);
    if (!call) return undefined;
    const tool = firstText(call, "name") ?? "";
    const input = objectOf(call["args"]) ?? {};
    if (tool === "") return undefined;
    const workspace = listOf(payload["workspacePaths"]).find((path) => typeof path === "string");
    return {
      ...actionOf(tool, input),
      dialect: "antigravity",
      event: eventOf(textOf(payload["hookEventName"]) ?? textOf(payload["hook_event_name"]), door),
      tool,
      input,
      payload,
      cwd: firstText(input, "Cwd", "cwd") ?? textOf(workspace),
      sessionId: firstText(payload, "conversationId"),
      toolUseId: stepOf(payload["stepIdx"]),
      transcriptPath: firstText(payload, "transcriptPath"),
    };
  },

  abilities: (call) => ({
    replaces: false,
    replacesFailures: false,
    rewrites: call.event === "pre",
    keepsCommands: false,
    blocks: call.event === "pre",
    limitsGrep: false,
    addsContext: false,
  }),

  encode(decision, call) {
    switch (decision.kind) {
      case "rewrite-command": {
        const key = commandKey(call.input);
        if (key === undefined || !isObject(call.input)) return ALLOW;
        // The agent's versions differ in whether `overwrite` is the arguments or the whole call: only the changed key.
        return answerJson({ decision: "allow", overwrite: { [key]: decision.command } });
      }
      case "block":
        return answerJson({ decision: "deny", reason: decision.reason });
      default:
        return antigravity.pass(call.event);
    }
  },

  pass: (event) => (event === "pre" ? ALLOW : NOTHING),
};

function stepOf(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : textOf(value);
}

function eventOf(named: string | undefined, door: "pre" | "post"): HookEvent {
  if (named === undefined) return door;
  if (named === "PreToolUse") return "pre";
  return named === "PostToolUse" ? "post" : "other";
}
