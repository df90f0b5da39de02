/**
 * Gemini CLI. Always one JSON object on stdout and nothing on stderr: an empty stdout makes the agent parse
 * stderr. Rewritten arguments are judged again by its own policy, and a hook's allow skips no prompt. After a
 * tool there is no clean way to swap its result: a "deny" reads as an error.
 */
import { firstText, objectOf, textOf } from "../json.ts";
import { answerJson, type Dialect, type HookEvent } from "../tool-call.ts";
import { actionOf, commandKey, eventOf } from "./input.ts";

const NOTHING = answerJson({});
const EVENTS: Readonly<Record<string, HookEvent>> = {
  BeforeTool: "pre",
  AfterTool: "post",
  SessionStart: "session-start",
};

export const gemini: Dialect = {
  id: "gemini",
  names: ["gemini", "gemini-cli"],

  recognise(payload) {
    const named = textOf(payload["hook_event_name"]);
    if (named === undefined || (!named.startsWith("Before") && !named.startsWith("After"))) return 0;
    return /^(?:Before|After)(?:Tool|Agent|Model)/.test(named) ? 9 : 0;
  },

  decode(payload, door) {
    const named = textOf(payload["hook_event_name"]);
    const event = eventOf(EVENTS, named, door);
    const tool = textOf(payload["tool_name"]) ?? "";
    const input = objectOf(payload["tool_input"]) ?? {};
    if (tool === "" && event !== "session-start") return undefined;
    return {
      ...actionOf(tool, input),
      dialect: "gemini",
      event,
      tool,
      input,
      payload,
      cwd: firstText(payload, "cwd"),
      sessionId: firstText(payload, "session_id"),
      transcriptPath: firstText(payload, "transcript_path"),
    };
  },

  abilities: (call) => ({
    replaces: false,
    replacesFailures: false,
    rewrites: call.event === "pre",
    keepsCommands: false,
    blocks: call.event === "pre",
    // It shows a hundred matches at most by itself, and tells the model of every change that a hook made (0.61.0).
    limitsGrep: false,
    addsContext: true,
  }),

  encode(decision, call) {
    switch (decision.kind) {
      case "rewrite-command": {
        const key = commandKey(call.input);
        if (key === undefined) return NOTHING;
        return answerJson({ hookSpecificOutput: { tool_input: { ...call.input, [key]: decision.command } } });
      }
      case "block":
        return answerJson({ decision: "deny", reason: decision.reason });
      case "add-context":
        return answerJson({ hookSpecificOutput: { additionalContext: decision.text } });
      default:
        return NOTHING;
    }
  },

  pass: () => NOTHING,
};
