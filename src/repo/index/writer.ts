/** The one writer of an index: the lock first, then the store, and a damaged store is set aside and built anew. */

import { existsSync } from "node:fs";
import { UserError } from "../../platform/errors.ts";
import { type Acquired, acquireWriter, type Holder } from "../../platform/lock.ts";
import type { Environment } from "../../platform/paths.ts";
import { storageRefusal } from "../../platform/storage-errors.ts";
import { clearDamageMark, isMarkedDamaged } from "../store/damage.ts";
import { DamagedStore, isDamage, openStore, setAside, storePaths } from "../store/open.ts";
import type { Store } from "../store/store.ts";

export interface WriterOptions {
  readonly purpose: string;
  readonly env?: Environment;
  /** How long to wait for another writer. */
  readonly waitMs?: number;
  /** Told when a damaged index was set aside: its new name. */
  readonly onSetAside?: (path: string) => void;
}

/**
 * Runs `body` as the only writer of the project's index.
 * @throws UserError that names the pid and start time of the writer that is at work.
 */
export async function withWriter<T>(
  root: string,
  options: WriterOptions,
  body: (store: Store) => Promise<T>,
): Promise<T> {
  const paths = storePaths(root, options.env);
  const lock = acquired(paths.lock, options);
  if ("heldBy" in lock) throw new WriterBusy(lock.heldBy);
  try {
    for (let attempt = 1; ; attempt++) {
      let store: Store | undefined;
      try {
        if (isMarkedDamaged(paths.database)) throw new DamagedStore(paths.database);
        store = openStore(root, { mode: "write", ...(options.env ? { env: options.env } : {}) });
        return await body(store);
      } catch (error) {
        const refusal = storageRefusal(error, `the index ${paths.database}`);
        if (refusal) throw refusal;
        if (attempt > 1 || !(error instanceof DamagedStore || isDamage(error))) throw error;
        store?.close();
        store = undefined;
        clearDamageMark(paths.database);
        if (existsSync(paths.database)) options.onSetAside?.(setAside(paths.database));
      } finally {
        store?.close();
      }
    }
  } finally {
    lock.release();
  }
}

function acquired(path: string, options: WriterOptions): Acquired {
  try {
    return acquireWriter(path, options.purpose, options.waitMs ?? 0);
  } catch (error) {
    throw storageRefusal(error, path) ?? error;
  }
}

export class WriterBusy extends UserError {
  constructor(readonly holder: Holder | undefined) {
    super(
      holder
        ? `the index is being written by process ${holder.pid} (${holder.purpose}, since ${holder.startedAt})`
        : "the index is being written by another process",
      "wait for it to finish; readers are not blocked meanwhile",
    );
  }
}
