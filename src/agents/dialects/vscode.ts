/**
 * Copilot in VS Code (preview). It reads Claude's settings files as well, calls every hook for every tool
 * (matchers are parsed and not applied), and drops an `updatedInput` that misses the tool's own schema.
 * No way to swap a result is documented.
 */
import { firstText, objectOf, textOf } from "../json.ts";
import { answerJson, type Dialect, type HookEvent, SILENT } from "../tool-call.ts";
import { actionOf, commandKey, eventOf, headLimitKey } from "./input.ts";

const EVENTS: Readonly<Record<string, HookEvent>> = {
  PreToolUse: "pre",
  PostToolUse: "post",
  SessionStart: "session-start",
};

export const vscode: Dialect = {
  id: "vscode",
  names: ["vscode", "vscode-copilot"],

  recognise(payload) {
    if (textOf(payload["hookEventName"]) === undefined) return 0;
    return "tool_name" in payload || "sessionId" in payload ? 8 : 0;
  },

  decode(payload, door) {
    const named = firstText(payload, "hookEventName", "hook_event_name");
    const event = eventOf(EVENTS, named, door);
    const tool = firstText(payload, "tool_name", "toolName") ?? "";
    const input = objectOf(payload["tool_input"] ?? payload["toolInput"]) ?? {};
    if (tool === "" && event !== "session-start") return undefined;
    return {
      ...actionOf(tool, input),
      dialect: "vscode",
      event,
      tool,
      input,
      payload,
      cwd: firstText(payload, "cwd"),
      sessionId: firstText(payload, "sessionId", "session_id"),
      toolUseId: firstText(payload, "tool_use_id", "toolUseId"),
      transcriptPath: firstText(payload, "transcript_path"),
    };
  },

  abilities: () => ({
    replaces: false,
    replacesFailures: false,
    rewrites: true,
    keepsCommands: false,
    blocks: true,
    limitsGrep: true,
    addsContext: true,
  }),

  encode(decision, call) {
    const base = { hookEventName: call.event === "post" ? "PostToolUse" : "PreToolUse" };
    switch (decision.kind) {
      case "rewrite-command": {
        const key = commandKey(call.input);
        if (key === undefined) return SILENT;
        const updatedInput = { ...call.input, [key]: decision.command };
        return answerJson({ hookSpecificOutput: { ...base, permissionDecision: "allow", updatedInput } });
      }
      case "limit-grep": {
        const updatedInput = { ...call.input, [headLimitKey({ maxResults: 0, ...call.input })]: decision.headLimit };
        return answerJson({ hookSpecificOutput: { ...base, updatedInput } });
      }
      case "block":
        return answerJson({
          hookSpecificOutput: { ...base, permissionDecision: "deny", permissionDecisionReason: decision.reason },
        });
      case "add-context":
        return answerJson({ hookSpecificOutput: { ...base, additionalContext: decision.text } });
      default:
        return SILENT;
    }
  },

  pass: () => SILENT,
};
