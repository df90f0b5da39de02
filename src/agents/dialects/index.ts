/** Which agent is calling: named on the command line, or told by its payload. */
import { firstOf } from "../../platform/lists.ts";
import type { JsonObject } from "../json.ts";
import type { Dialect, DialectId } from "../tool-call.ts";
import { antigravity } from "./antigravity.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { vscode } from "./vscode.ts";

export const dialects: readonly Dialect[] = [claude, codex, copilot, vscode, antigravity, gemini, opencode, cursor];

export function dialectNamed(name: string | undefined): Dialect | undefined {
  if (name === undefined) return undefined;
  const wanted = name.toLowerCase();
  return firstOf(dialects, (dialect) => dialect.names.includes(wanted));
}

export function dialectOf(id: DialectId): Dialect {
  return firstOf(dialects, (dialect) => dialect.id === id) ?? claude;
}

/** A payload that is surely another agent's beats the name: several agents load the settings of Claude Code. */
const SURE = 6;

export function recognise(payload: JsonObject, named?: Dialect): Dialect | undefined {
  let best: Dialect | undefined;
  let bestScore = 0;
  for (const dialect of dialects) {
    const score = dialect.recognise(payload);
    if (score > bestScore) {
      best = dialect;
      bestScore = score;
    }
  }
  if (!named || best === named) return best ?? named;
  return best && bestScore >= SURE && named.recognise(payload) < bestScore ? best : named;
}

/**
 * For input that is no JSON at all: an agent that takes silence for a refusal still has to get its own "go on".
 * Undefined: silence is right.
 */
export function guessFromText(text: string): Dialect | undefined {
  const head = text.slice(0, 65_536);
  if (/"toolCall"|"workspacePaths"/.test(head)) return antigravity;
  if (/"cursor_version"|"generation_id"/.test(head)) return cursor;
  return /"(?:Before|After)Tool"/.test(head) ? gemini : undefined;
}
