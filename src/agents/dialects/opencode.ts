/**
 * OpenCode, through our own plugin: the plugin sends one JSON object a call and copies the answer into the
 * agent's own objects, so this is the one contract that we define.
 *
 * In: `{agent: "opencode", event: "tool.execute.before" | "tool.execute.after", tool, sessionID, callID, cwd, args, output?, metadata?}`.
 * Out: `{}`, or `{args: {…}}` before, `{block: "reason"}` before, `{output: "text"}` after.
 * Results are swapped after failures too, since the agent's bash tool gives the exit code beside the text.
 */
import { firstText, isObject, type JsonObject, type JsonValue, numberOf, objectOf, textOf } from "../json.ts";
import { type Action, answerJson, type Dialect, type HookEvent } from "../tool-call.ts";
import { textOfReplacement } from "./copilot.ts";
import { actionOf, commandKey, eventOf } from "./input.ts";

const NOTHING = answerJson({});
const EVENTS: Readonly<Record<string, HookEvent>> = {
  "tool.execute.before": "pre",
  "tool.execute.after": "post",
};

export const opencode: Dialect = {
  id: "opencode",
  names: ["opencode"],

  recognise(payload) {
    if (payload["agent"] === "opencode") return 10;
    const named = textOf(payload["event"]);
    return named !== undefined && Object.hasOwn(EVENTS, named) ? 8 : 0;
  },

  decode(payload, door) {
    const named = textOf(payload["event"]);
    const event = eventOf(EVENTS, named, door);
    const tool = textOf(payload["tool"]) ?? "";
    const input = objectOf(payload["args"]) ?? {};
    if (tool === "") return undefined;
    const rawResult = payload["output"];
    const action = actionOf(tool, input);
    return {
      ...(event === "post" && rawResult !== undefined ? withResult(action, rawResult, payload) : action),
      dialect: "opencode",
      event,
      tool,
      input,
      payload,
      ...(rawResult === undefined ? {} : { rawResult }),
      cwd: firstText(payload, "cwd"),
      sessionId: firstText(payload, "sessionID", "sessionId"),
      toolUseId: firstText(payload, "callID", "callId"),
    };
  },

  abilities: () => ({
    replaces: true,
    replacesFailures: true,
    rewrites: false,
    keepsCommands: true,
    blocks: false,
    limitsGrep: false,
    addsContext: false,
  }),

  encode(decision, call) {
    switch (decision.kind) {
      case "rewrite-command": {
        const key = commandKey(call.input);
        return key === undefined ? NOTHING : answerJson({ args: { ...call.input, [key]: decision.command } });
      }
      case "block":
        return answerJson({ block: decision.reason });
      case "replace":
        return answerJson({ output: textOfReplacement(decision.with) });
      default:
        return NOTHING;
    }
  },

  pass: () => NOTHING,
};

function withResult(action: Action, raw: JsonValue, payload: JsonObject): Action {
  if (typeof raw !== "string") return action;
  const metadata = isObject(payload["metadata"]) ? payload["metadata"] : {};
  switch (action.kind) {
    case "shell": {
      const exitCode = numberOf(metadata["exit"]);
      const unusual = exitCode === undefined;
      return { ...action, result: { stdout: raw, stderr: "", unusual, ...(unusual ? {} : { exitCode }) } };
    }
    case "read": {
      // The agent wraps a file in tags and says at the end when it showed a part only.
      const whole = action.read.offset === undefined && action.read.limit === undefined && !/has more lines/i.test(raw);
      return { ...action, result: { state: "text", text: raw, whole, totalLines: raw.split("\n").length } };
    }
    case "grep":
      return { ...action, result: { matched: !/^\s*no files found\s*$/i.test(raw) && raw.trim() !== "", text: raw } };
    case "mcp":
      return { ...action, result: { texts: [raw] } };
    default:
      return action;
  }
}
