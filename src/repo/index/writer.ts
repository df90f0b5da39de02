/** The one writer of an index: the lock first, then the store, and a damaged store is set aside and built anew. */
import { UserError } from "../../platform/errors.ts";
import { type Acquired, acquireWriter, type Holder } from "../../platform/lock.ts";
import type { Environment } from "../../platform/paths.ts";
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
  const lock: Acquired = acquireWriter(paths.lock, options.purpose, options.waitMs ?? 0);
  if ("heldBy" in lock) throw new WriterBusy(lock.heldBy);
  try {
    for (let attempt = 1; ; attempt++) {
      let store: Store | undefined;
      try {
        store = openStore(root, { mode: "write", ...(options.env ? { env: options.env } : {}) });
        return await body(store);
      } catch (error) {
        const refusal = diskRefusal(error, paths.database);
        if (refusal) throw refusal;
        if (attempt > 1 || !(error instanceof DamagedStore || isDamage(error))) throw error;
        store?.close();
        store = undefined;
        options.onSetAside?.(setAside(paths.database));
      } finally {
        store?.close();
      }
    }
  } finally {
    lock.release();
  }
}

/** Full disks, file size limits and read-only folders, told apart from faults of ours. */
function diskRefusal(error: unknown, path: string): UserError | undefined {
  const code = (error as { code?: string } | undefined)?.code ?? "";
  const kept = "what was finished is kept, and the next run goes on from there";
  if (code === "SQLITE_FULL" || code === "ENOSPC")
    return new UserError(
      `the disk is full: the index ${path} cannot grow`,
      `free some room and run the command again; ${kept}`,
    );
  if (code.startsWith("SQLITE_IOERR") || code === "EIO" || code === "EFBIG")
    return new UserError(
      `the index ${path} cannot be written (${code})`,
      `a full disk or a limit on file sizes may be the reason; ${kept}`,
    );
  if (code.startsWith("SQLITE_READONLY") || code === "EROFS" || code === "EACCES")
    return new UserError(`the index ${path} cannot be written: no permission`, "check who owns it and its folder");
  return undefined;
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
