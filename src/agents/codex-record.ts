/**
 * What Codex itself has written down about a call, in the record of its session: under which policy the turn runs,
 * what the model asked for besides the command, and how the command ended. The payload carries none of the three.
 * Only the end of the record is read. Its format is Codex's own business (run against 0.171.0): what is not found,
 * or is not as expected, is unknown.
 */
import { isObject, type JsonObject, numberOf, objectOf, textOf } from "./json.ts";
import type { ToolCall } from "./tool-call.ts";

/** A turn's policy stands at its beginning: behind it may lie a long turn. */
const TAILS = [256 * 1024, 8 * 1024 * 1024];

export interface RecordedCall {
  /** `on-request`, `untrusted`, …; undefined where it is not one word. */
  readonly approvalPolicy: string | undefined;
  /** Everything that the model said with the command. */
  readonly input: JsonObject;
}

/** The call as it was asked for, and the policy of its turn. */
export async function recordedCall(call: ToolCall): Promise<RecordedCall | undefined> {
  const turn = textOf(call.payload["turn_id"]);
  const { toolUseId } = call;
  if (turn === undefined || toolUseId === undefined) return undefined;
  let policy: JsonObject | undefined;
  let asked: JsonObject | undefined;
  await eachEntry(call, [turn, toolUseId], (kind, payload) => {
    if (kind === "turn_context" && payload["turn_id"] === turn) policy ??= payload;
    const type = textOf(payload["type"]) ?? "";
    if (kind === "response_item" && payload["call_id"] === toolUseId && type.endsWith("_call")) asked ??= payload;
    return policy !== undefined && asked !== undefined;
  });
  // Other kinds of calls (code mode) start commands that no record names one by one.
  if (asked?.["type"] !== "function_call") return undefined;
  const input = objectOf(asked["arguments"]);
  return input && policy ? { approvalPolicy: textOf(policy["approval_policy"]), input } : undefined;
}

/** The exit code of a command that has ended. */
export async function recordedExitCode(call: ToolCall): Promise<number | undefined> {
  const { toolUseId } = call;
  if (toolUseId === undefined) return undefined;
  let ended: JsonObject | undefined;
  await eachEntry(call, [toolUseId], (kind, payload) => {
    const item = payload["item"];
    if (kind === "event_msg" && isObject(item) && item["id"] === toolUseId && item["type"] === "CommandExecution")
      ended ??= item;
    return ended !== undefined;
  });
  if (ended?.["status"] !== "completed" && ended?.["status"] !== "failed") return undefined;
  return numberOf(ended["exit_code"]);
}

/** The entries that name one of `ids`, newest first, until `isEnough` says so. */
async function eachEntry(
  call: ToolCall,
  ids: readonly string[],
  isEnough: (kind: string, payload: JsonObject) => boolean,
): Promise<void> {
  if (call.transcriptPath === undefined) return;
  let read = 0;
  for (const tail of TAILS) {
    const text = await endOf(call.transcriptPath, tail);
    if (text === undefined || text.length <= read) return;
    read = text.length;
    // The first line of a tail is a part of one.
    for (const line of text.split("\n").slice(1).reverse()) {
      if (!ids.some((id) => line.includes(id))) continue;
      const entry = parsed(line);
      const payload = entry?.["payload"];
      if (entry && isObject(payload) && isEnough(textOf(entry["type"]) ?? "", payload)) return;
    }
  }
}

/** A line end before it, so that a short file's first line is whole. Of anything but a regular file nothing is read. */
async function endOf(path: string, bytes: number): Promise<string | undefined> {
  try {
    const file = Bun.file(path);
    const { size } = file;
    // A pipe has a size without an end.
    if (size <= 0 || !Number.isSafeInteger(size)) return undefined;
    return size <= bytes ? `\n${await file.text()}` : await file.slice(size - bytes, size).text();
  } catch {
    return undefined;
  }
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
