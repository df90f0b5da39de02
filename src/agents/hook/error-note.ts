/** One masked line in the home's error log for a fault of ours that a session did not notice. */
import { appendFileSync, closeSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../../platform/errors.ts";
import { ensurePrivateDir } from "../../platform/files.ts";
import { homePath } from "../../platform/paths.ts";
import { redactCredentials } from "../../platform/redact.ts";

const MAX_LOG_BYTES = 1024 * 1024;
const MAX_MESSAGE = 600;

/** A fault that every call meets until somebody mends it (a broken configuration): one line is enough. */
export class RepeatedFault extends Error {}

const TAIL_BYTES = 4096;

/** Set aside when it is long. A pipe in its place would hold the hook until somebody reads it. */
function hasRoom(path: string): boolean {
  const state = statSync(path, { throwIfNoEntry: false });
  if (state === undefined) return true;
  if (!state.isFile()) return false;
  if (state.size > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  return true;
}

function endsWith(path: string, message: string): boolean {
  try {
    const { size } = statSync(path);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const file = openSync(path, "r");
    const count = readSync(file, bytes, 0, bytes.length, Math.max(0, size - TAIL_BYTES));
    closeSync(file);
    return bytes.toString("utf8", 0, count).includes(message);
  } catch {
    return false;
  }
}

export function noteHookError(error: unknown): void {
  try {
    const path = homePath("errors.log");
    ensurePrivateDir(dirname(path));
    if (!hasRoom(path)) return;
    const where =
      error instanceof Error && !(error instanceof RepeatedFault)
        ? (/\bat [^\n]+/.exec(error.stack ?? "")?.[0] ?? "")
        : "";
    // Line ends and control codes of a message would make it more than one line.
    const flat = `${messageOf(error)} ${where}`.replace(/\p{Cc}+/gu, " ").trim();
    // Masked before it is cut: half a credential would not be known as one.
    const message = redactCredentials(flat.slice(0, 4 * MAX_MESSAGE)).slice(0, MAX_MESSAGE);
    if (error instanceof RepeatedFault && endsWith(path, message)) return;
    appendFileSync(path, `${new Date().toISOString()} hook: ${message}\n`, { mode: 0o600 });
  } catch {
    // A log that can't be written must not touch the session either.
  }
}
