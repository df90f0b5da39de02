/**
 * Cursor. Always one JSON object, `{}` to go on. On Windows stdin starts with one or two byte-order marks.
 * Its allow is ignored by some versions: the user's allow list is asked all the same. Only results of MCP
 * tools can be swapped.
 */
import { firstText, isObject, type JsonObject, type JsonValue, listOf, objectOf, textOf } from "../json.ts";
import { type Action, answerJson, type Dialect, type HookEvent, type ToolCall } from "../tool-call.ts";
import { mcpTexts, withMcpTexts } from "./claude.ts";
import { actionOf, commandKey, eventOf } from "./input.ts";

const NOTHING = answerJson({});
const EVENTS: Readonly<Record<string, HookEvent>> = {
  preToolUse: "pre",
  beforeShellExecution: "pre",
  beforeMCPExecution: "pre",
  beforeReadFile: "pre",
  postToolUse: "post",
  afterShellExecution: "post",
  afterMCPExecution: "post",
  postToolUseFailure: "post-failure",
  sessionStart: "session-start",
};

export const cursor: Dialect = {
  id: "cursor",
  names: ["cursor", "cursor-agent"],

  recognise(payload) {
    if ("cursor_version" in payload) return 10;
    if ("conversation_id" in payload && ("generation_id" in payload || "workspace_roots" in payload)) return 9;
    const named = textOf(payload["hook_event_name"]);
    return named !== undefined && startsSmall(named) && Object.hasOwn(EVENTS, named) ? 6 : 0;
  },

  decode(payload, door) {
    const named = textOf(payload["hook_event_name"]);
    const event = eventOf(EVENTS, named, door);
    // The older shell events carry the command itself, at the top.
    const tool = textOf(payload["tool_name"]) ?? (textOf(payload["command"]) === undefined ? "" : "Shell");
    const command = textOf(payload["command"]);
    const input = objectOf(payload["tool_input"]) ?? (command === undefined ? {} : { command });
    if (tool === "" && event !== "session-start") return undefined;
    const rawResult = payload["tool_output"] ?? payload["tool_response"] ?? payload["output"];
    const action = actionOf(tool, input);
    const roots = listOf(payload["workspace_roots"]);
    return {
      ...(event === "post" && rawResult !== undefined ? withResult(action, rawResult) : action),
      dialect: "cursor",
      event,
      tool,
      input,
      payload,
      ...(rawResult === undefined ? {} : { rawResult }),
      cwd: firstText(payload, "cwd") ?? textOf(roots[0]),
      sessionId: firstText(payload, "conversation_id"),
      toolUseId: firstText(payload, "tool_use_id"),
      transcriptPath: firstText(payload, "transcript_path"),
    };
  },

  abilities: (call) => ({
    replaces: call.kind === "mcp" && call.event === "post",
    replacesFailures: false,
    // `beforeShellExecution` can't change the command.
    rewrites: call.payload["hook_event_name"] === "preToolUse",
    keepsCommands: false,
    blocks: call.event === "pre",
    limitsGrep: false,
    addsContext: call.event === "post",
  }),

  encode(decision, call) {
    switch (decision.kind) {
      case "rewrite-command": {
        const key = commandKey(call.input);
        if (key === undefined) return NOTHING;
        return answerJson({ permission: "allow", updated_input: { ...call.input, [key]: decision.command } });
      }
      case "block":
        return answerJson({
          permission: "deny",
          user_message: "tokenix answered this call from its index",
          agent_message: decision.reason,
        });
      case "replace":
        return replacedMcp(decision.with.kind === "mcp" ? decision.with.texts : undefined, call);
      case "add-context":
        return answerJson({ additional_context: decision.text });
      default:
        return NOTHING;
    }
  },

  pass: () => NOTHING,
};

/** By hand: this is asked of every call of every agent. */
function startsSmall(name: string): boolean {
  const code = name.charCodeAt(0);
  return code >= 97 && code <= 122;
}

function withResult(action: Action, raw: JsonValue): Action {
  // The result of any tool comes as a JSON text.
  const object: JsonObject | undefined = objectOf(raw);
  if (action.kind === "mcp") {
    const texts = mcpTexts(object ?? raw);
    return texts && texts.length > 0 ? { ...action, result: { texts } } : action;
  }
  return action;
}

function replacedMcp(texts: readonly string[] | undefined, call: ToolCall) {
  if (!texts || call.rawResult === undefined) return NOTHING;
  const raw = objectOf(call.rawResult) ?? call.rawResult;
  const output = withMcpTexts(raw, texts);
  return isObject(output) ? answerJson({ updated_mcp_tool_output: output }) : NOTHING;
}
