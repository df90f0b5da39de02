/**
 * Codex CLI. Its answers are parsed strictly: a rewrite is exactly `updatedInput` with `allow`, and any
 * other key makes the hook count as failed. There is no field for a result; a PostToolUse "block" puts its
 * reason in the place of the result, of failing commands too, and the line with the exit code goes with it.
 */
import { firstText, type JsonValue, objectOf, textOf } from "../json.ts";
import { type Action, answerJson, type Dialect, type ShellResult, SILENT } from "../tool-call.ts";
import { mcpTexts } from "./claude.ts";
import { decodeClaudePayload } from "./claude-payload.ts";
import { commandKey } from "./input.ts";

export const codex: Dialect = {
  id: "codex",
  names: ["codex"],

  recognise(payload) {
    if (textOf(payload["hook_event_name"]) === undefined) return 0;
    return "turn_id" in payload ? 9 : 0;
  },

  decode: (payload, door) => decodeClaudePayload(payload, door, "codex", withResult),

  abilities(call) {
    return {
      replaces: call.kind === "shell" || call.kind === "mcp",
      replacesFailures: true,
      rewrites: true,
      keepsCommands: false,
      blocks: true,
      limitsGrep: false,
      addsContext: true,
      // Under "Blocked by hook" (run against 0.171.0).
      leastSpared: 400,
    };
  },

  encode(decision, call) {
    switch (decision.kind) {
      case "rewrite-command": {
        const key = commandKey(call.input);
        if (key === undefined) return SILENT;
        return answerJson({
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "allow",
            updatedInput: { ...call.input, [key]: decision.command },
          },
        });
      }
      case "block":
        return answerJson({
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: decision.reason,
          },
        });
      case "replace": {
        const text =
          decision.with.kind === "shell"
            ? heading(call.rawResult, decision.with.exitCode) + decision.with.stdout
            : decision.with.kind === "mcp"
              ? decision.with.texts.join("\n")
              : undefined;
        return text === undefined || text === "" ? SILENT : answerJson({ decision: "block", reason: text });
      }
      case "add-context":
        return answerJson({
          hookSpecificOutput: {
            hookEventName: call.event === "pre" ? "PreToolUse" : "PostToolUse",
            additionalContext: decision.text,
          },
        });
      default:
        return SILENT;
    }
  },

  pass: () => SILENT,
};

function withResult(action: Action, raw: JsonValue): Action {
  if (action.kind === "shell") {
    const result = shellResult(raw);
    return result ? { ...action, result } : action;
  }
  if (action.kind !== "mcp") return action;
  const texts = mcpTexts(raw);
  return texts && texts.length > 0 ? { ...action, result: { texts } } : action;
}

/**
 * A text, or an object with one. Some versions put a header before it that ends in "Output:" and says how the
 * command ended ("Process exited with code 7"): only then is that known. The header is no part of the output.
 */
function shellResult(raw: JsonValue): ShellResult | undefined {
  const text = outputText(raw);
  if (text === undefined) return undefined;
  const header = headerOf(text);
  const code = /^(?:Process exited with code|Exit code:) (-?\d{1,3})$/m.exec(header)?.[1];
  const exitCode = code === undefined ? {} : { exitCode: Number(code) };
  return { stdout: text.slice(header.length), stderr: "", unusual: false, ...exitCode };
}

function outputText(raw: JsonValue | undefined): string | undefined {
  if (typeof raw === "string") return raw;
  const object = objectOf(raw);
  return object && firstText(object, "output", "stdout", "text");
}

/** The agent's own lines about the command, which go with the result that is replaced. */
function heading(raw: JsonValue | undefined, exitCode: number | undefined): string {
  const own = headerOf(outputText(raw) ?? "");
  if (own !== "" || exitCode === undefined) return own;
  return `Process exited with code ${exitCode}\nOutput:\n`;
}

function headerOf(text: string): string {
  return /^[\s\S]{0,600}?^Output:\n/m.exec(text.slice(0, 700))?.[0] ?? "";
}
