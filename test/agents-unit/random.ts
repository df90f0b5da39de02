/** Random and broken payloads, and what a valid answer is for each agent. Seeded, so that a failure can be run again. */
import { isObject, type JsonObject } from "../../src/agents/json.ts";
import type { Answer, DialectId } from "../../src/agents/tool-call.ts";
import { samples } from "./payloads.ts";

export type Random = () => number;

/** A small generator with a seed (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function pick<T>(from: readonly T[], next: Random): T {
  return from[Math.floor(next() * from.length)] as T;
}

const COMMAND_PARTS = [
  "npm test",
  "cargo test --all",
  "git log -p",
  "cd x",
  "echo 'it''s'",
  'echo "$(git log)"',
  "cat <<EOF\nx\nEOF",
  "`id`",
  "> out.txt",
  "2>&1",
  "| tail -3",
  "&& ",
  "; ",
  " & ",
  "for i in 1; do pytest; done",
  "'unclosed",
  '"unclosed',
  "$'a\\'b'",
  "\\",
  "((",
  "{ make; }",
  "TOKENIX_DISABLED=1 make",
  "tokenix run make",
  "日本語 🙂 é",
  "\u0000\u0007",
  "sudo -u x make -j8",
  "*",
  "# comment",
  "\n",
  "\r\n",
];

const VALUES: readonly ((next: Random) => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1e308,
  () => "",
  () => "PreToolUse",
  () => "PostToolUse",
  () => "\ud800",
  () => [],
  () => ({}),
  () => ({ __proto__: { x: 1 }, constructor: 1, toString: "x" }),
  (next) => "x".repeat(Math.floor(next() * 300)),
  (next) => command(next),
  (next) => ({ command: command(next) }),
  (next) => ({ file_path: pick(["/nope/a.ts", "a.ts", "..", "C:\\x\\y.ts", "\u0000"], next) }),
  (next) => ({ stdout: command(next), stderr: "", interrupted: next() < 0.2 }),
  (next) => ({ type: "text", file: { filePath: "a", content: "x\n".repeat(Math.floor(next() * 400)), numLines: 3 } }),
  (next) => [{ type: "text", text: command(next) }],
  (next) => JSON.stringify({ command: command(next) }),
  (next) => nested(Math.floor(next() * 200)),
];

function command(next: Random): string {
  let text = "";
  for (let n = 1 + Math.floor(next() * 4); n > 0; n--)
    text += pick(COMMAND_PARTS, next) + pick([" ", "", " && "], next);
  return text;
}

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value };
  return value;
}

function mutated(value: unknown, next: Random, depth = 0): unknown {
  if (!isObject(value) || depth > 3) return next() < 0.3 ? pick(VALUES, next)(next) : value;
  const result: Record<string, unknown> = { ...value };
  for (const key of Object.keys(result)) {
    const dice = next();
    if (dice < 0.08) delete result[key];
    else if (dice < 0.16) result[key] = pick(VALUES, next)(next);
    else if (dice < 0.2) result[key] = JSON.stringify(result[key]);
    else if (dice < 0.5) result[key] = mutated(result[key], next, depth + 1);
  }
  if (next() < 0.15)
    result[pick(["toolCall", "tool_name", "cursor_version", "turn_id", "extra", "constructor"], next)] = pick(
      VALUES,
      next,
    )(next);
  return result;
}

/** The bytes of one payload, often broken. */
export function payloadText(next: Random): string {
  const sample = pick(samples, next);
  let text = JSON.stringify(next() < 0.1 ? pick(VALUES, next)(next) : mutated(sample.payload, next)) ?? "";
  const dice = next();
  if (dice < 0.06) text = text.slice(0, Math.floor(next() * text.length));
  else if (dice < 0.1) text = `\ufeff${text}`;
  else if (dice < 0.12) text = `\ufeff\ufeff${text}`;
  else if (dice < 0.15) text = JSON.stringify(text);
  else if (dice < 0.17) text = `${text}${text}`;
  else if (dice < 0.19) text = `${text}garbage`;
  else if (dice < 0.2) text = "";
  else if (dice < 0.22) {
    const at = Math.floor(next() * text.length);
    text = `${text.slice(0, at)}${String.fromCharCode(Math.floor(next() * 65536))}${text.slice(at + 1)}`;
  }
  return text;
}

export const NAMES = [
  undefined,
  "claude",
  "codex",
  "copilot",
  "vscode",
  "agy",
  "gemini",
  "opencode",
  "cursor",
  "nobody",
];

const SILENT_IS_FINE = new Set<DialectId | undefined>([undefined, "claude", "codex", "copilot", "vscode"]);

const CODEX_KEYS = new Set([
  "hookEventName",
  "permissionDecision",
  "permissionDecisionReason",
  "updatedInput",
  "additionalContext",
]);

/** What is wrong with an answer, or undefined. */
export function problemWith(answer: Answer, dialect: DialectId | undefined, side: "pre" | "post"): string | undefined {
  if (answer.exitCode !== 0 && answer.exitCode !== 2) return `exit ${answer.exitCode}`;
  if (answer.exitCode === 2 && answer.stderr.trim() === "") return "exit 2 without a reason";
  if (answer.exitCode === 2 && dialect !== "claude") return `exit 2 for ${dialect}`;
  if (answer.stdout === "") {
    if (answer.exitCode === 2) return undefined;
    return SILENT_IS_FINE.has(dialect) ? undefined : `silence for ${dialect}`;
  }
  if (answer.stderr !== "") return "both stdout and stderr";
  let value: unknown;
  try {
    value = JSON.parse(answer.stdout);
  } catch {
    return "stdout is no JSON";
  }
  if (!isObject(value)) return "stdout is no JSON object";
  return shapeProblem(value, dialect, side);
}

function shapeProblem(value: JsonObject, dialect: DialectId | undefined, side: "pre" | "post"): string | undefined {
  const inner = value["hookSpecificOutput"];
  switch (dialect) {
    case "antigravity":
      if (side === "post" && Object.keys(value).length === 0) return undefined;
      return value["decision"] === "allow" || value["decision"] === "deny" || Object.keys(value).length === 0
        ? undefined
        : "no decision for agy";
    case "codex": {
      if (value["decision"] === "block")
        return typeof value["reason"] === "string" && value["reason"] !== "" ? undefined : "block without reason";
      if (!isObject(inner)) return "no hookSpecificOutput";
      if (!Object.keys(inner).every((key) => CODEX_KEYS.has(key))) return "a key that Codex does not know";
      const rewrites = inner["updatedInput"] !== undefined;
      return rewrites === (inner["permissionDecision"] === "allow")
        ? undefined
        : "updatedInput and allow not as a pair";
    }
    case "claude":
    case "vscode":
      return isObject(inner) && typeof inner["hookEventName"] === "string" ? undefined : "no hookSpecificOutput";
    default:
      return undefined;
  }
}
