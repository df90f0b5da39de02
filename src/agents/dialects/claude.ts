/**
 * Claude Code, by its hooks reference. A result can be swapped after a success, in the tool's own object
 * shape; a string in place of the object is silently ignored. After a failure only text can be added.
 */
import { kept } from "../../platform/lists.ts";
import { firstText, isObject, type JsonObject, type JsonValue, listOf, numberOf, textOf } from "../json.ts";
import {
  type Abilities,
  type Action,
  type Answer,
  answerJson,
  type Decision,
  type Dialect,
  type HookEvent,
  type Replacement,
  SILENT,
  type ToolCall,
} from "../tool-call.ts";
import { CLAUDE_EVENTS, decodeClaudePayload } from "./claude-payload.ts";
import { commandKey } from "./input.ts";

export const claude: Dialect = {
  id: "claude",
  names: ["claude", "claude-code"],

  recognise(payload) {
    if (textOf(payload["tool_name"]) === undefined && textOf(payload["hook_event_name"]) === undefined) return 0;
    let score = 2;
    if (textOf(payload["hook_event_name"]) !== undefined) score += 1;
    if ("transcript_path" in payload) score += 1;
    if ("permission_mode" in payload) score += 1;
    if ("tool_use_id" in payload) score += 1;
    return score;
  },

  decode(payload, door) {
    const call = decodeClaudePayload(payload, door, "claude", withResult);
    return call && { ...call, failure: textOf(payload["error"]) };
  },

  abilities(call): Abilities {
    // The real agent always names its event and then calls the post hook too. Without a name there is only this one answer.
    const isWhole = textOf(call.payload["hook_event_name"]) !== undefined;
    return {
      replaces: isWhole || call.event !== "pre",
      replacesFailures: false,
      rewrites: true,
      keepsCommands: true,
      blocks: !isWhole,
      limitsGrep: true,
      addsContext: true,
    };
  },

  encode(decision, call) {
    switch (decision.kind) {
      case "rewrite-command":
      case "limit-grep":
        return rewritten(decision, call);
      case "block":
        // Exit 2 blocks in every version, and its text reaches the model as it is.
        return { stdout: "", stderr: `${decision.reason}\n`, exitCode: 2 };
      case "replace": {
        const output = inOwnShape(decision.with, call);
        if (output === undefined) return SILENT;
        return answerJson({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: output } });
      }
      case "add-context":
        return answerJson({
          hookSpecificOutput: { hookEventName: eventName(call.event), additionalContext: decision.text },
        });
      case "pass":
        return SILENT;
    }
  },

  pass: () => SILENT,
};

function rewritten(decision: Extract<Decision, { kind: "rewrite-command" | "limit-grep" }>, call: ToolCall): Answer {
  const base = { hookEventName: "PreToolUse" };
  if (decision.kind === "limit-grep") {
    // No decision: Grep is judged by its path, which stays.
    const updatedInput = { ...call.input, head_limit: decision.headLimit };
    return answerJson({ hookSpecificOutput: { ...base, updatedInput } });
  }
  const key = commandKey(call.input);
  if (key === undefined) return SILENT;
  return answerJson({
    hookSpecificOutput: {
      ...base,
      permissionDecision: "allow",
      permissionDecisionReason: decision.why,
      updatedInput: { ...call.input, [key]: decision.command },
    },
  });
}

function eventName(event: HookEvent): string {
  for (const [name, value] of Object.entries(CLAUDE_EVENTS)) if (value === event) return name;
  return "PostToolUse";
}

/** The result of a successful call. A shape that is not the documented one stays without a result, and so untouched. */
export function withResult(action: Action, raw: JsonValue): Action {
  switch (action.kind) {
    case "shell":
      return isObject(raw) && typeof raw["stdout"] === "string" ? { ...action, result: shellResult(raw) } : action;
    case "read":
      return isObject(raw) ? { ...action, result: readResult(raw) } : action;
    case "grep":
      return isObject(raw) ? grepResult(action, raw) : action;
    case "glob": {
      const paths = isObject(raw) && Array.isArray(raw["filenames"]) ? listOf(raw["filenames"]) : undefined;
      return paths?.every((path): path is string => typeof path === "string")
        ? { ...action, result: { paths } }
        : action;
    }
    case "mcp": {
      const texts = mcpTexts(raw);
      return texts ? { ...action, result: { texts } } : action;
    }
    default:
      return action;
  }
}

function shellResult(raw: JsonObject) {
  const whole = firstText(raw, "persistedOutputPath");
  return {
    stdout: textOf(raw["stdout"]) ?? "",
    stderr: textOf(raw["stderr"]) ?? "",
    unusual:
      raw["interrupted"] === true ||
      raw["isImage"] === true ||
      raw["backgroundTaskId"] !== undefined ||
      raw["timedOutAfterMs"] !== undefined,
    // The hook runs after a success only; an exit of 1 that counts as one (grep, diff) is named in words.
    exitCode: typeof raw["returnCodeInterpretation"] === "string" ? 1 : 0,
    ...(whole === undefined ? {} : { wholeOutputPath: whole }),
  };
}

function readResult(raw: JsonObject) {
  if (raw["type"] === "file_unchanged") return { state: "unchanged" } as const;
  const file = raw["file"];
  const text = isObject(file) ? textOf(file["content"]) : undefined;
  if (raw["type"] !== "text" || !isObject(file) || text === undefined) return { state: "other" } as const;
  const lines = numberOf(file["numLines"]) ?? 0;
  const totalLines = numberOf(file["totalLines"]) ?? lines;
  const whole =
    (numberOf(file["startLine"]) ?? 1) <= 1 && lines >= totalLines && file["truncatedByTokenCap"] === undefined;
  return { state: "text", text, whole, totalLines } as const;
}

function grepResult(action: Extract<Action, { kind: "grep" }>, raw: JsonObject): Action {
  const files = numberOf(raw["numFiles"]);
  const content = textOf(raw["content"]) ?? "";
  if (files === undefined && !("content" in raw) && !Array.isArray(raw["filenames"])) return action;
  const names = kept(listOf(raw["filenames"]), (name) => typeof name === "string");
  const matched =
    (files ?? 0) > 0 ||
    names.length > 0 ||
    (content.trim() !== "" && !/^no matches found/i.test(content)) ||
    (numberOf(raw["numMatches"]) ?? 0) > 0;
  return { ...action, result: { matched, text: content === "" ? names.join("\n") : content } };
}

/** An MCP result is a string, a list of blocks, or an object that holds such a list. */
export function mcpTexts(raw: JsonValue): readonly string[] | undefined {
  if (typeof raw === "string") return [raw];
  const blocks = Array.isArray(raw) ? raw : isObject(raw) && Array.isArray(raw["content"]) ? raw["content"] : undefined;
  if (!blocks) return undefined;
  return (blocks as readonly JsonValue[]).flatMap((block) =>
    isObject(block) && block["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
  );
}

/** The same value with its text blocks replaced in order; every other block and key stays. */
export function withMcpTexts(raw: JsonValue, texts: readonly string[]): JsonValue | undefined {
  if (typeof raw === "string") return texts[0];
  if (isObject(raw)) {
    const content = withMcpTexts(listOf(raw["content"]), texts);
    return content === undefined ? undefined : { ...raw, content };
  }
  if (!Array.isArray(raw)) return undefined;
  let next = 0;
  return (raw as readonly JsonValue[]).map((block) =>
    isObject(block) && block["type"] === "text" && typeof block["text"] === "string"
      ? { ...block, text: texts[next++] ?? block["text"] }
      : block,
  );
}

/** The replacement in the tool's own object shape, with every key that we don't change kept. */
function inOwnShape(replacement: Replacement, call: ToolCall): JsonValue | undefined {
  const raw = call.rawResult;
  if (replacement.kind === "mcp") return raw === undefined ? undefined : withMcpTexts(raw, replacement.texts);
  if (!isObject(raw)) return undefined;
  switch (replacement.kind) {
    case "shell": {
      // What we give is the whole already: the agent must not cut it again and point to its own file.
      const { persistedOutputPath: _path, persistedOutputSize: _size, ...rest } = raw;
      return { interrupted: false, isImage: false, ...rest, stdout: replacement.stdout, stderr: replacement.stderr };
    }
    case "read": {
      const file = isObject(raw["file"]) ? raw["file"] : {};
      const path = firstText(file, "filePath") ?? (call.kind === "read" ? call.read.path : "");
      const lines = replacement.text === "" ? 0 : replacement.text.split("\n").length;
      return {
        type: "text",
        file: {
          filePath: path,
          content: replacement.text,
          numLines: lines,
          startLine: 1,
          totalLines: Math.max(lines, replacement.totalLines),
        },
      };
    }
    case "read-text": {
      const file = isObject(raw["file"]) ? raw["file"] : undefined;
      return file ? { ...raw, file: { ...file, content: replacement.text } } : undefined;
    }
    case "glob":
      return { ...raw, filenames: replacement.lines };
    case "grep": {
      if (replacement.matched) return { ...raw, content: replacement.text };
      const lines = replacement.text.split("\n").length;
      return { mode: "content", numFiles: 0, filenames: [], content: replacement.text, numLines: lines };
    }
  }
}
