/**
 * The database side of snapshots: a compact copy of an index, and the inspection of a copy that somebody else made.
 * A foreign database is hostile until shown otherwise: it is opened read-only with its schema distrusted, must hold
 * exactly the tables that this program makes (no trigger, no view, no virtual table), must be sound, and no path in it
 * may leave the project.
 */
import { Database } from "bun:sqlite";
import { UserError } from "../../platform/errors.ts";
import { STORED_OUTCOMES } from "./records.ts";
import { currentSchema, refuseNewer, SCHEMA_VERSION, schemaVersion } from "./schema.ts";

/** Raised when what a snapshot holds changes its meaning. */
export const SNAPSHOT_VERSION = 1;

const MAX_PATH = 4096;
const MAX_NAME = 1_000_000;
const MAX_TEXT = 200_000_000;

export interface SnapshotFacts {
  readonly createdAt: string;
  readonly indexedAt: string;
  readonly model: string | undefined;
  readonly fingerprint: string;
  /** What tells the project apart, on every machine; empty when there is nothing to tell it by. */
  readonly identity: string;
  readonly hasContent: boolean;
  readonly files: number;
  readonly chunks: number;
}

export interface CopyOptions {
  readonly createdAt: string;
  readonly identity: string;
  /** False leaves out the source text, and the lines that quote it. */
  readonly content: boolean;
}

/** Writes a compact copy of `source` to `target`, which must not exist. Readers and the writer of `source` go on. */
export function copyForSnapshot(source: Database, target: string, options: CopyOptions): void {
  // A reader's connection refuses every write, this one included, though it changes nothing of ours.
  source.exec("PRAGMA query_only = 0;");
  source.query("VACUUM INTO ?").run(target);
  source.exec("PRAGMA query_only = 1;");
  const copy = new Database(target, { readwrite: true });
  try {
    copy.exec("PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE;");
    // What only this machine can use, or what the receiver's first run makes anew.
    copy.exec("DELETE FROM embedding_cache; DELETE FROM meta WHERE key IN ('root', 'ignore_files', 'building');");
    // A copy knows no worktree of ours: branch and commit are what the receiver can use.
    copy.exec(
      "UPDATE meta SET value = substr(value, instr(value, char(9))) WHERE key = 'fingerprint' AND instr(value, char(9)) > 0;",
    );
    if (!options.content)
      copy.exec("DELETE FROM contents; UPDATE symbols SET signature = ''; UPDATE refs SET qualifier_type = NULL;");
    const set = copy.query("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)");
    set.run("snapshot_version", String(SNAPSHOT_VERSION));
    set.run("snapshot_created_at", options.createdAt);
    set.run("snapshot_identity", options.identity);
    set.run("snapshot_content", options.content ? "1" : "0");
    copy.exec("COMMIT;");
    if (!options.content) copy.exec("VACUUM;");
  } finally {
    copy.close();
  }
}

/** Looks through a foreign database. @throws UserError when anything about it is not as a snapshot of ours is. */
export function inspectSnapshot(path: string): SnapshotFacts {
  let database: Database;
  try {
    database = new Database(path, { readonly: true });
  } catch {
    throw refused("it is not a database");
  }
  try {
    database.exec(
      // With a cache that holds the tables which are looked through more than once.
      "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA query_only = ON;" +
        "PRAGMA cache_size = -64000;",
    );
    refuseNewer(schemaVersion(database), "in the snapshot");
    if (schemaVersion(database) < SCHEMA_VERSION)
      throw new UserError("the snapshot was written by an older tokenix", "ask its sender to update and export again");
    mustHaveOurSchema(database);
    mustBeSound(database);
    mustBeOfReason(database);
    mustStayInside(database);
    return factsOf(database);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw refused("it is not a sound database");
  } finally {
    database.close();
  }
}

function mustHaveOurSchema(database: Database): void {
  const ours = currentSchema();
  const rows = database
    .query<{ type: string; name: string; sql: string | null }, []>(
      "SELECT type, name, sql FROM sqlite_schema LIMIT 500",
    )
    .all();
  for (const { type, name, sql } of rows) {
    if (name.startsWith("sqlite_autoindex_") || name === "sqlite_sequence" || /^sqlite_stat\d$/.test(name)) continue;
    if ((type !== "table" && type !== "index") || ours.get(`${type} ${name}`) !== plain(sql ?? ""))
      throw refused(`it holds a ${type} '${name.slice(0, 40)}' that is not tokenix's`);
  }
  for (const wanted of ours.keys())
    if (wanted.startsWith("table ") && !rows.some(({ type, name }) => `${type} ${name}` === wanted))
      throw refused(`it lacks the ${wanted}`);
}

function mustBeSound(database: Database): void {
  const answer = database.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get();
  if (answer?.quick_check !== "ok") throw refused("its pages are damaged");
  const broken = (sql: string): boolean => (database.query<{ n: number }, []>(sql).get()?.n ?? 0) > 0;
  // Ranges and lengths that a reader would trust.
  if (
    broken(
      "SELECT count(*) AS n FROM chunks WHERE typeof(start_byte) != 'integer' OR typeof(end_byte) != 'integer' OR typeof(start_line) != 'integer' OR typeof(end_line) != 'integer' OR start_byte < 0 OR end_byte < start_byte OR start_line < 1 OR end_line < start_line",
    )
  )
    throw refused("a chunk has an impossible range");
  if (
    broken(
      "SELECT count(*) AS n FROM vectors WHERE dim < 1 OR dim > 8192 OR count < 0 OR length(ids) != 4 * count OR length(scales) != 4 * count OR length(data) != dim * count",
    )
  )
    throw refused("a block of vectors has the wrong length");
  if (
    broken(
      "SELECT count(*) AS n FROM segments WHERE chunk_span < 0 OR buckets < 1 OR buckets > 65536 OR first_chunk < 0",
    )
  )
    throw refused("a segment of the word index has impossible bounds");
}

/** SQLite knows a value's length without reading it, so what is told to be huge is refused before it takes memory. */
function mustBeOfReason(database: Database): void {
  const bounds: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    files: { path: MAX_PATH },
    dirs: { path: MAX_PATH },
    left_out: { path: MAX_PATH },
    meta: { value: MAX_NAME },
    symbols: { name: MAX_NAME, signature: MAX_NAME },
    refs: { name: MAX_NAME },
    contents: { text: MAX_TEXT },
  };
  for (const [table, columns] of Object.entries(bounds)) {
    const lengths = Object.keys(columns).map((column) => `max(octet_length(${column})) AS ${column}`);
    const row = database.query<Record<string, number | null>, []>(`SELECT ${lengths.join(", ")} FROM ${table}`).get();
    for (const [column, most] of Object.entries(columns))
      if ((row?.[column] ?? 0) > most) throw refused(`a value of ${table}.${column} is larger than any index holds`);
  }
}

function mustStayInside(database: Database): void {
  for (const sql of ["SELECT path FROM files", "SELECT path FROM dirs", "SELECT path FROM left_out"])
    for (const row of database.query<{ path: unknown }, []>(sql).iterate())
      if (!isInsidePath(row.path)) throw refused("it names a path outside the project");
}

/** Relative, with forward slashes, without a step up: what the walk itself would have written. */
export function isInsidePath(path: unknown): boolean {
  if (typeof path !== "string" || path.length > MAX_PATH) return false;
  if (path === "") return true;
  if (path.startsWith("/") || path.includes("\0") || path.includes("\\") || /^[A-Za-z]:/.test(path)) return false;
  return !path.split("/").some((part) => part === ".." || part === "." || part === "");
}

function factsOf(database: Database): SnapshotFacts {
  const meta = (key: string): string | undefined =>
    database.query<{ value: string }, [string]>("SELECT value FROM meta WHERE key = ?").get(key)?.value;
  const count = (what: string): number =>
    database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${what}`).get()?.n ?? 0;
  // Files that are known and hold no text of the index (binary, too large) are none of it, as in `stats`.
  const stored = STORED_OUTCOMES.map((outcome) => `'${outcome}'`).join(", ");
  const version = Number(meta("snapshot_version"));
  if (!Number.isInteger(version) || version < 1) throw refused("it was not made by 'tokenix export-index'");
  if (version > SNAPSHOT_VERSION)
    throw new UserError(`the snapshot was written by a newer tokenix (snapshot version ${version})`, "update tokenix");
  return {
    createdAt: meta("snapshot_created_at") ?? "",
    indexedAt: meta("indexed_at") ?? "",
    model: meta("model"),
    fingerprint: meta("fingerprint") ?? "",
    identity: meta("snapshot_identity") ?? "",
    hasContent: meta("snapshot_content") !== "0",
    files: count(`files WHERE outcome IN (${stored})`),
    chunks: count("chunks"),
  };
}

export interface Received {
  readonly id: number;
  readonly path: string;
  readonly hash: string;
}

/**
 * Makes an inspected copy an index of this machine: names its root, forgets the stamps of the other machine, and,
 * for a snapshot without content, takes each file's text from disk where it is still the one that was indexed.
 * @returns how many texts could not be taken: their files are read anew by the next run.
 */
export function adopt(
  path: string,
  root: string,
  worktree: string,
  read: (file: Received) => Uint8Array | undefined,
): number {
  const database = new Database(path, { readwrite: true });
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA synchronous = OFF; BEGIN IMMEDIATE;");
    const set = database.query("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)");
    set.run("root", root);
    database
      .query("UPDATE meta SET value = ? || value WHERE key = 'fingerprint' AND substr(value, 1, 1) = char(9)")
      .run(worktree);
    let missing = 0;
    const hasContent =
      database.query<{ value: string }, []>("SELECT value FROM meta WHERE key = 'snapshot_content'").get()?.value !==
      "0";
    if (!hasContent) {
      const insert = database.query("INSERT OR REPLACE INTO contents(file_id, text) VALUES(?, ?)");
      const forget = database.query("UPDATE files SET content_hash = 'gone' WHERE id = ?");
      const rows = database
        .query<{ id: number; path: string; hash: string }, []>(
          "SELECT id, path, content_hash AS hash FROM files WHERE content_hash IS NOT NULL",
        )
        .all();
      for (const row of rows) {
        const text = read({ ...row, hash: row.hash.replace(/^ne:/, "") });
        if (text) insert.run(row.id, text);
        else {
          insert.run(row.id, new Uint8Array());
          forget.run(row.id);
          missing++;
        }
      }
    }
    // Stamps are those of another disk; 0 never equals one of ours, so each file is compared by its hash once.
    database.exec(
      "UPDATE files SET mtime = -1, ctime = -1; UPDATE dirs SET mtime = 0, ctime = 0; COMMIT; PRAGMA journal_mode = WAL;",
    );
    return missing;
  } finally {
    database.close();
  }
}

/** Brings what stands in a database's log into the database itself. A damaged one, or one that is read, stays as it is. */
export function settle(path: string): void {
  try {
    const database = new Database(path, { readwrite: true });
    try {
      database.exec("PRAGMA busy_timeout = 1000; PRAGMA wal_checkpoint(TRUNCATE);");
    } finally {
      database.close();
    }
  } catch {
    // It is about to be replaced.
  }
}

/** White space and `IF NOT EXISTS` aside, the SQL that SQLite keeps of a statement. */
function plain(sql: string): string {
  return sql
    .replace(/\s+/g, " ")
    .replace(/ IF NOT EXISTS/i, "")
    .trim();
}

function refused(why: string): UserError {
  return new UserError(
    `this is no snapshot that can be trusted: ${why}`,
    "nothing was imported; ask its sender to export it again",
  );
}
