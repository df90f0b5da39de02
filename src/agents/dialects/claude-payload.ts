/** The payload of Claude Code's hooks, which Codex took over field by field; results have a form of their own in each. */
import { firstText, type JsonObject, type JsonValue, objectOf, textOf } from "../json.ts";
import type { Action, DialectId, HookEvent, ToolCall } from "../tool-call.ts";
import { actionOf, eventOf } from "./input.ts";

export const CLAUDE_EVENTS: Readonly<Record<string, HookEvent>> = {
  PreToolUse: "pre",
  PostToolUse: "post",
  PostToolUseFailure: "post-failure",
  SessionStart: "session-start",
};

export function decodeClaudePayload(
  payload: JsonObject,
  door: "pre" | "post",
  dialect: DialectId,
  withResult: (action: Action, raw: JsonValue) => Action,
): ToolCall | undefined {
  const event = eventOf(CLAUDE_EVENTS, textOf(payload["hook_event_name"]), door);
  const tool = textOf(payload["tool_name"]) ?? "";
  const input = objectOf(payload["tool_input"]) ?? {};
  if (tool === "" && event !== "session-start") return undefined;
  const rawResult = payload["tool_response"];
  const action = actionOf(tool, input);
  return {
    ...(event === "post" && rawResult !== undefined ? withResult(action, rawResult) : action),
    dialect,
    event,
    tool,
    input,
    payload,
    ...(rawResult === undefined ? {} : { rawResult }),
    cwd: firstText(payload, "cwd"),
    sessionId: conversationOf(payload),
    toolUseId: firstText(payload, "tool_use_id"),
    permissionMode: firstText(payload, "permission_mode"),
    transcriptPath: firstText(payload, "transcript_path"),
  };
}

/** A sub-agent has the session's id and a conversation of its own: it has not been shown what the session was. */
function conversationOf(payload: JsonObject): string | undefined {
  const session = firstText(payload, "session_id");
  const agent = firstText(payload, "agent_id");
  return session !== undefined && agent !== undefined ? `${session}/${agent}` : session;
}
