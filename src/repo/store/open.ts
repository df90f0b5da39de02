/**
 * Opens a project's database: owner-only, WAL, so that readers are never blocked by the one writer.
 * Readers never migrate: an older database is read through temporary stand-ins for what it lacks.
 */
import { constants, Database } from "bun:sqlite";
import { chmodSync, existsSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { UserError } from "../../platform/errors.ts";
import { ensurePrivateDir, removeQuietly, writeFileAtomic } from "../../platform/files.ts";
import type { Environment } from "../../platform/paths.ts";
import { storageRefusal } from "../../platform/storage-errors.ts";
import { storePaths } from "./paths.ts";
import { ensureSchema, refuseNewer, SCHEMA_VERSION, schemaVersion, standIns } from "./schema.ts";
import { Store } from "./store.ts";

export { storePaths } from "./paths.ts";

export interface OpenOptions {
  readonly mode: "read" | "write";
  readonly env?: Environment;
}

/**
 * Opens the index of the project at `root`. A writer must hold the writer's lock (`index/writer.ts`) and makes
 * what is missing.
 * @throws UserError when there is no index (read), when it is damaged, or when a newer program wrote it.
 */
export function openStore(root: string, options: OpenOptions): Store {
  const paths = storePaths(root, options.env);
  if (options.mode === "read") {
    if (!existsSync(paths.database)) throw notIndexed(root);
    return new Store(
      root,
      paths.database,
      guarded(paths.database, () => openForReading(paths.database)),
    );
  }
  ensurePrivateDir(dirname(paths.database));
  const database = guarded(paths.database, () => openForWriting(paths.database));
  writeFileAtomic(paths.name, `${root}\n`);
  return new Store(root, paths.database, database);
}

export function notIndexed(root: string): UserError {
  return new UserError(`there is no index of ${root}`, "run 'tokenix index' there first");
}

/** True for the errors that SQLite gives for a file that is no (whole) database. */
export function isDamage(error: unknown): boolean {
  const code = (error as { code?: string } | undefined)?.code ?? "";
  return (
    code.startsWith("SQLITE_CORRUPT") ||
    code.startsWith("SQLITE_NOTADB") ||
    /malformed|not a database|no such table|disk image/.test(error instanceof Error ? error.message : "")
  );
}

/** Renames a damaged database (nothing is deleted) and gives its new name. */
export function setAside(path: string, now: () => number = Date.now): string {
  const stamp = new Date(now()).toISOString().replace(/[-:]/g, "").replace(/\..*/, "");
  let target = `${path}.damaged-${stamp}`;
  for (let n = 2; existsSync(target); n++) target = `${path}.damaged-${stamp}-${n}`;
  renameSync(path, target);
  // The log belongs to the damaged file; beside a new one it would be replayed into it.
  for (const suffix of ["-wal", "-shm"]) {
    if (!existsSync(path + suffix)) continue;
    try {
      renameSync(path + suffix, target + suffix);
    } catch {
      removeQuietly(path + suffix);
    }
  }
  return target;
}

function guarded(path: string, open: () => Database): Database {
  try {
    return open();
  } catch (error) {
    if (isDamage(error)) throw new DamagedStore(path);
    throw storageRefusal(error, `the index ${path}`) ?? error;
  }
}

export class DamagedStore extends UserError {
  constructor(readonly path: string) {
    super(`the index ${path} is damaged`, "run 'tokenix index': it sets the damaged file aside and builds a new one");
  }
}

function openForReading(path: string): Database {
  let database: Database;
  try {
    // Not `readonly`: a reader of a WAL database may have to make its shared-memory file.
    database = new Database(path, { readwrite: true, create: false });
    database.exec("PRAGMA busy_timeout = 5000; SELECT 1 FROM sqlite_schema LIMIT 1;");
  } catch (error) {
    if (isDamage(error)) throw error;
    // A home on read-only media, or a full disk. What a killed writer left in the log could not be seen this way.
    if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw error;
    database = new Database(
      `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`,
      constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
    );
  }
  const version = schemaVersion(database);
  refuseNewer(version, path);
  if (version < SCHEMA_VERSION) database.exec(standIns(database));
  database.exec("PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -16000; PRAGMA query_only = 1;");
  return database;
}

function openForWriting(path: string): Database {
  const isNew = !existsSync(path) || statSync(path).size === 0;
  const database = new Database(path, { readwrite: true, create: true });
  try {
    if (isNew) database.exec("PRAGMA page_size = 8192;");
    database.exec(
      "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;" +
        "PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000;",
    );
    ensureSchema(database);
    if (process.platform !== "win32")
      for (const suffix of ["", "-wal", "-shm"]) if (existsSync(path + suffix)) chmodSync(path + suffix, 0o600);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
