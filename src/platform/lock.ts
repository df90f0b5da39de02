/**
 * One writer at a time, by a lock of the operating system: SQLite's own file locks on a small database
 * beside the index. The system drops it with the process, so a killed run never leaves one behind,
 * and no pid has to be trusted; the pid and start time stored beside it only make the refusal readable.
 */
import { Database } from "bun:sqlite";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ensurePrivateDir, removeQuietly, writeFileAtomic } from "./files.ts";
import { isAlive } from "./process.ts";

export interface Holder {
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly purpose: string;
}

export type Acquired = { readonly release: () => void } | { readonly heldBy: Holder | undefined };

/** Takes the writer's lock at `path`, or says who holds it. Waits at most `waitMs`. */
export function acquireWriter(path: string, purpose: string, waitMs = 0): Acquired {
  ensurePrivateDir(dirname(path));
  try {
    return acquire(path, purpose, waitMs);
  } catch (error) {
    // A power cut may leave it so, and nobody can hold what is no database: a new one takes its place.
    if (!isDamaged(error)) throw error;
    removeQuietly(path);
    return acquire(path, purpose, waitMs);
  }
}

function acquire(path: string, purpose: string, waitMs: number): Acquired {
  const database = new Database(path, { create: true });
  const holderPath = `${path}.holder`;
  try {
    // A database without a page gets its first one by the lock itself, which a full disk refuses: nobody could forget an
    // index to make room.
    const isNew = statSync(path).size === 0;
    if (isNew && process.platform !== "win32") chmodSync(path, 0o600);
    database.exec(
      `PRAGMA busy_timeout = ${Math.floor(waitMs)}; PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF;` +
        `${isNew ? "PRAGMA user_version = 1;" : ""} BEGIN EXCLUSIVE;`,
    );
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return { heldBy: readHolder(holderPath) };
  }
  const holder: Holder = { pid: process.pid, startedAt: new Date().toISOString(), purpose };
  try {
    writeFileAtomic(holderPath, JSON.stringify(holder));
  } catch {
    // A full disk: the lock is ours all the same, and a refusal names nobody.
  }
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      removeQuietly(holderPath);
      try {
        database.exec("ROLLBACK");
      } finally {
        database.close();
      }
    },
  };
}

function isBusy(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? "";
  return code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED") || /database is locked/.test(String(error));
}

function isDamaged(error: unknown): boolean {
  return /^SQLITE_(?:NOTADB|CORRUPT)/.test((error as { code?: string }).code ?? "");
}

function readHolder(path: string): Holder | undefined {
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as Partial<Holder>;
    if (typeof value.pid !== "number" || typeof value.startedAt !== "string" || !isAlive(value.pid)) return undefined;
    return { pid: value.pid, startedAt: value.startedAt, purpose: String(value.purpose ?? "") };
  } catch {
    return undefined;
  }
}
