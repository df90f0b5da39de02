/**
 * The hook log: one NDJSON line for each thing we did or let pass, per project, in the home. It lies down
 * here because `output/run`, the hook and the reports all write or read it. Every text in it is masked;
 * the file is owner-only and is set aside at 5 MB (one generation is kept). Writing never throws:
 * a full disk must not touch the session.
 */
import { appendFileSync, chmodSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ensurePrivateDir } from "./files.ts";
import { type Environment, projectPaths } from "./paths.ts";
import { redactCredentials } from "./redact.ts";

const ROTATE_AT_BYTES = 5 * 1024 * 1024;
const PREVIEW_CHARACTERS = 400;

export interface HookEvent {
  /** ISO 8601. */
  readonly at: string;
  /** `intercepted`: we made it smaller; `pass`: it went through unchanged; `bypassed`: the user said so;
   * `retrieve`: what we had clipped was fetched; `error`: something of ours failed and the call went on. */
  readonly action: "intercepted" | "pass" | "bypassed" | "retrieve" | "error";
  /** `shell`, `read`, `grep`, `glob`, `mcp`. */
  readonly tool: string;
  /** The agent's name, or `run` when a person or script called `tokenix run`. */
  readonly agent: string;
  /** The command line, path or pattern. */
  readonly subject: string;
  /** The filter or stage that did it: `git-log`, `generic`, `outline`, `symbols`, `meaning`, `head-limit`. */
  readonly by?: string;
  /** Estimated tokens of what would have been shown without us (already capped at what the agent shows). */
  readonly rawTokens: number;
  /** Estimated tokens of what was shown. */
  readonly shownTokens: number;
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly session?: string;
  readonly note?: string;
}

export function logHookEvent(root: string, event: Omit<HookEvent, "at">, env: Environment = process.env): void {
  try {
    const path = projectPaths(root, { env }).log;
    const room = roomAt(path);
    if (room === "none") return;
    if (room === "new") ensurePrivateDir(dirname(path));
    const line: HookEvent = {
      at: new Date().toISOString(),
      ...event,
      subject: preview(event.subject),
      ...(event.note === undefined ? {} : { note: preview(event.note) }),
    };
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // The log is an account of the session, never a condition of it.
  }
}

/** All events of a project, oldest first, the set-aside generation included; lines that do not parse are counted, not thrown. */
export function readHookLog(root: string, env: Environment = process.env): { events: HookEvent[]; badLines: number } {
  return readHookLogFile(projectPaths(root, { env }).log);
}

export function readHookLogFile(path: string): { events: HookEvent[]; badLines: number } {
  const events: HookEvent[] = [];
  let badLines = 0;
  for (const file of [`${path}.1`, path]) {
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch {
      continue;
    }
    for (const line of text.split("\n")) {
      if (line === "") continue;
      try {
        const value = JSON.parse(line) as HookEvent;
        if (typeof value.at === "string" && typeof value.action === "string") events.push(value);
        else badLines++;
      } catch {
        badLines++;
      }
    }
  }
  return { events, badLines };
}

function preview(text: string): string {
  const masked = redactCredentials(text.length > 4 * PREVIEW_CHARACTERS ? text.slice(0, 4 * PREVIEW_CHARACTERS) : text);
  return masked.length > PREVIEW_CHARACTERS ? `${masked.slice(0, PREVIEW_CHARACTERS)}…` : masked;
}

/** `new`: no log yet, and so perhaps no folder for it. `none`: a pipe in its place would hold the session until somebody reads it. */
function roomAt(path: string): "there" | "new" | "none" {
  const state = statSync(path, { throwIfNoEntry: false });
  if (state === undefined) return "new";
  if (!state.isFile()) return "none";
  if (state.size >= ROTATE_AT_BYTES) {
    renameSync(path, `${path}.1`);
    if (process.platform !== "win32") chmodSync(`${path}.1`, 0o600);
  }
  return "there";
}
