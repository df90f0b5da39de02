/**
 * Recordings for whoever writes a filter: while a session is on, `run` keeps what matching commands print. They land in the
 * working tree (`.tokenix/recordings/`), so they are masked before they are written and the folder ignores itself.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensurePrivateDir, removeQuietly, writeFileAtomic } from "../../platform/files.ts";
import { redactCredentials } from "../../platform/redact.ts";
import { cutAt } from "../../platform/text.ts";

const MOST_CHARS = 1024 * 1024;
const MOST_RECORDINGS = 200;
/** A session that nobody stopped ends by itself. */
const LONGEST_SESSION_MS = 24 * 60 * 60 * 1000;

export interface RecordingSession {
  /** Only commands that begin with these words; empty for all. */
  readonly command: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

export interface Recording {
  readonly command: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams came through one pipe, in order, and are in `stdout`. */
  readonly merged: boolean;
  readonly at: string;
}

export function recordingsDir(root: string): string {
  return join(root, ".tokenix", "recordings");
}

export function startRecording(root: string, command: string, now = new Date()): RecordingSession {
  const folder = recordingsDir(root);
  ensurePrivateDir(folder);
  writeFileAtomic(join(folder, ".gitignore"), "*\n");
  const session = { command: command.trim(), startedAt: now.toISOString() };
  writeFileAtomic(join(folder, "session.json"), JSON.stringify(session));
  return session;
}

/** Gives whether a session was on. */
export function stopRecording(root: string): boolean {
  const path = join(recordingsDir(root), "session.json");
  const wasOn = existsSync(path);
  removeQuietly(path);
  return wasOn;
}

export function recordingSession(root: string, now = Date.now()): RecordingSession | undefined {
  try {
    const session = JSON.parse(readFileSync(join(recordingsDir(root), "session.json"), "utf8")) as RecordingSession;
    return now - Date.parse(session.startedAt) < LONGEST_SESSION_MS ? session : undefined;
  } catch {
    return undefined;
  }
}

export function isRecorded(session: RecordingSession, names: readonly string[]): boolean {
  return session.command === "" || names.some((name) => `${name} `.startsWith(`${session.command} `));
}

export function saveRecording(root: string, recording: Recording): void {
  const folder = recordingsDir(root);
  const masked: Recording = {
    ...recording,
    command: redactCredentials(recording.command),
    stdout: redactCredentials(cutAt(recording.stdout, MOST_CHARS)),
    stderr: redactCredentials(cutAt(recording.stderr, MOST_CHARS)),
  };
  const stamp = recording.at.replace(/[-:.TZ]/g, "");
  const name = `${stamp}-${slugOf(recording.command)}-${Math.random().toString(36).slice(2, 6)}.json`;
  writeFileAtomic(join(folder, name), JSON.stringify(masked, null, 1));
  const names = recordingNames(folder);
  for (const old of names.slice(0, Math.max(0, names.length - MOST_RECORDINGS))) removeQuietly(join(folder, old));
}

/** Oldest first; only those of commands that begin with `command`, when given. */
export function readRecordings(root: string, command = ""): Recording[] {
  const folder = recordingsDir(root);
  return recordingNames(folder).flatMap((name) => {
    try {
      const path = join(folder, name);
      if (statSync(path).size > 8 * MOST_CHARS) return [];
      const recording = JSON.parse(readFileSync(path, "utf8")) as Recording;
      return typeof recording.command === "string" && `${recording.command} `.includes(command) ? [recording] : [];
    } catch {
      return [];
    }
  });
}

function recordingNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d.*\.json$/.test(name))
      .sort();
  } catch {
    return [];
  }
}

export function slugOf(command: string): string {
  return (
    command
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 40)
      .replace(/-$/, "") || "command"
  );
}
