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

function endsWith(path: string, message: string): boolean {
  try {
    const { size } = statSync(path);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const file = openSync(path, "r");
    const count = readSync(file, bytes, 0, bytes.length, Math.max(0, size - TAIL_BYTES));
    closeSync(file);
    return bytes.toString("utf8", 0, count).includes(redactCredentials(message));
  } catch {
    return false;
  }
}

export function noteHookError(error: unknown): void {
  try {
    const path = homePath("errors.log");
    ensurePrivateDir(dirname(path));
    try {
      if (statSync(path).size > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
    } catch {
      // No log yet.
    }
    if (error instanceof RepeatedFault && endsWith(path, error.message)) return;
    const where =
      error instanceof Error && !(error instanceof RepeatedFault)
        ? (/\bat [^\n]+/.exec(error.stack ?? "")?.[0] ?? "")
        : "";
    const message = redactCredentials(`${messageOf(error)} ${where}`.slice(0, MAX_MESSAGE));
    appendFileSync(path, `${new Date().toISOString()} hook: ${message}\n`, { mode: 0o600 });
  } catch {
    // A log that can't be written must not touch the session either.
  }
}
