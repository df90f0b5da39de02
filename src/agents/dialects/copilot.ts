/**
 * GitHub Copilot CLI. The spelling of the event name selects the field names: camel (`preToolUse`) or snake
 * (`PreToolUse`, with Claude-like tool names). A hook that ends with anything but 0 denies every call, so
 * nothing here ever does. Run against 1.0.102: a shell command that ends with an error is a successful call to it, so
 * its result can be swapped like any other; and a rewrite that says "allow" runs past `--deny-tool`. So the command
 * is never touched and the result always is.
 */
import { firstText, isObject, type JsonObject, type JsonValue, objectOf, textOf } from "../json.ts";
import { type Action, answerJson, type Dialect, type HookEvent, SILENT, type ToolCall } from "../tool-call.ts";
import { actionOf, commandKey } from "./input.ts";

const EVENTS: Readonly<Record<string, HookEvent>> = {
  pretooluse: "pre",
  posttooluse: "post",
  posttoolusefailure: "post-failure",
  sessionstart: "session-start",
};

export const copilot: Dialect = {
  id: "copilot",
  names: ["copilot", "copilot-cli", "github-copilot"],

  recognise(payload) {
    if ("toolName" in payload || "toolArgs" in payload) return 8;
    // The snake form: Claude-like, but with a time and without a transcript.
    const isSnake = textOf(payload["hook_event_name"]) !== undefined && "tool_name" in payload;
    if (isSnake && "timestamp" in payload && !("transcript_path" in payload)) return 7;
    return "toolResult" in payload || "tool_result" in payload ? 7 : 0;
  },

  decode(payload, door) {
    const event = eventOf(payload, door);
    const tool = firstText(payload, "toolName", "tool_name") ?? "";
    const input = objectOf(payload["toolArgs"] ?? payload["tool_input"]) ?? {};
    if (tool === "" && event !== "session-start") return undefined;
    const rawResult = payload["toolResult"] ?? payload["tool_result"];
    const action = actionOf(tool, input);
    return {
      ...(event === "post" && rawResult !== undefined ? withResult(action, rawResult) : action),
      dialect: "copilot",
      event,
      tool,
      input,
      payload,
      ...(rawResult === undefined ? {} : { rawResult }),
      failure: firstText(payload, "error"),
      cwd: firstText(payload, "cwd"),
      sessionId: firstText(payload, "sessionId", "session_id"),
      toolUseId: firstText(payload, "toolCallId", "tool_use_id"),
    };
  },

  abilities(call) {
    const isWhole = firstText(call.payload, "sessionId", "session_id") !== undefined;
    return {
      replaces: isWhole || call.event !== "pre",
      replacesFailures: true,
      rewrites: false,
      keepsCommands: true,
      blocks: !isWhole,
      limitsGrep: false,
      addsContext: call.event === "post-failure",
    };
  },

  encode(decision, call) {
    switch (decision.kind) {
      case "rewrite-command": {
        const key = commandKey(call.input);
        if (key === undefined) return SILENT;
        return answerJson({ permissionDecision: "allow", modifiedArgs: { ...call.input, [key]: decision.command } });
      }
      case "block":
        return answerJson({ permissionDecision: "deny", permissionDecisionReason: decision.reason });
      case "replace":
        return replaced(textOfReplacement(decision.with), call);
      case "add-context":
        return answerJson({ additionalContext: decision.text });
      default:
        return SILENT;
    }
  },

  pass: () => SILENT,
};

/** The line that the agent puts under a command's output. */
const ENDING = /<(?:shellId: \S+ completed|exited) with exit code (-?\d{1,3})>\s*$/;

function eventOf(payload: JsonObject, door: "pre" | "post"): HookEvent {
  const named = firstText(payload, "hook_event_name", "hookEventName", "eventName", "hookName");
  if (named !== undefined) return EVENTS[named.replace(/_/g, "").toLowerCase()] ?? "other";
  // The camel form names no event: what is there tells it.
  if ("toolResult" in payload || "tool_result" in payload) return "post";
  if ("error" in payload) return "post-failure";
  return door;
}

function withResult(action: Action, raw: JsonValue): Action {
  const text = resultText(raw);
  if (text === undefined) return action;
  switch (action.kind) {
    case "shell": {
      const end = ENDING.exec(text);
      const exitCode = end?.[1] === undefined ? {} : { exitCode: Number(end[1]) };
      // What the agent has shortened by its own rules for known programs is no program's output any more.
      const unusual = text.startsWith("Shell output was automatically compacted.");
      const stdout = end ? text.slice(0, end.index) : text;
      return { ...action, result: { stdout, stderr: "", unusual, ...exitCode } };
    }
    case "read": {
      const totalLines = text.split("\n").length;
      return { ...action, result: { state: "text", text, whole: action.read.limit === undefined, totalLines } };
    }
    case "grep":
      return { ...action, result: { matched: !/^\s*(?:no matches found\b.*)?$/i.test(text), text } };
    case "mcp":
      return { ...action, result: { texts: [text] } };
    default:
      return action;
  }
}

function resultText(raw: JsonValue): string | undefined {
  if (typeof raw === "string") return raw;
  if (!isObject(raw)) return undefined;
  const kind = firstText(raw, "resultType", "result_type");
  if (kind !== undefined && kind !== "success") return undefined;
  return firstText(raw, "textResultForLlm", "text_result_for_llm");
}

function replaced(shown: string, call: ToolCall) {
  if (shown === "") return SILENT;
  // How the command ended is said by the agent's own last line alone.
  const ending = call.kind === "shell" ? ENDING.exec(resultText(call.rawResult ?? null) ?? "")?.[0] : undefined;
  const text = ending === undefined ? shown : `${shown.replace(/\n*$/, "\n")}${ending}`;
  return isObject(call.rawResult) && "result_type" in call.rawResult
    ? answerJson({ modifiedResult: { result_type: "success", text_result_for_llm: text } })
    : answerJson({ modifiedResult: { resultType: "success", textResultForLlm: text } });
}

export function textOfReplacement(replacement: Extract<Parameters<Dialect["encode"]>[0], { kind: "replace" }>["with"]) {
  switch (replacement.kind) {
    case "shell":
      return replacement.stderr === "" ? replacement.stdout : `${replacement.stdout}\n${replacement.stderr}`;
    case "mcp":
      return replacement.texts.join("\n");
    case "glob":
      return replacement.lines.join("\n");
    default:
      return replacement.text;
  }
}
