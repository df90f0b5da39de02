/**
 * Damage that a reader meets in the middle of an answer. The index is marked, so that the next run sets it aside and
 * builds a new one: by itself that run might touch nothing of the damaged part, and find all well.
 */
import { existsSync, writeFileSync } from "node:fs";
import { removeQuietly } from "../../platform/files.ts";
import type { Environment } from "../../platform/paths.ts";
import { DamagedStore, openStore, storePaths } from "./open.ts";

/** What to tell about the index of `root` after SQLite called a database damaged; undefined when this one is sound. */
export function damageOf(root: string, env: Environment = process.env): DamagedStore | undefined {
  const { database } = storePaths(root, env);
  if (!existsSync(database) || isSound(root, env)) return undefined;
  markDamaged(database);
  return new DamagedStore(database);
}

export function markDamaged(database: string): void {
  try {
    writeFileSync(markOf(database), "", { mode: 0o600 });
  } catch {
    // A read-only home or a full disk: the message says what to do all the same.
  }
}

export function isMarkedDamaged(database: string): boolean {
  return existsSync(markOf(database));
}

export function clearDamageMark(database: string): void {
  removeQuietly(markOf(database));
}

function markOf(database: string): string {
  return `${database}.suspect`;
}

function isSound(root: string, env: Environment): boolean {
  try {
    const store = openStore(root, { mode: "read", env });
    try {
      return store.integrity() === undefined;
    } finally {
      store.close();
    }
  } catch {
    return false;
  }
}
