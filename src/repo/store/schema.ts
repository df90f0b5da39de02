/**
 * The tables of one project's index, and how a database of another version is met: an older one is read as it is,
 * a newer one is refused by name. No other folder holds SQL for the index.
 *
 * A file's text is stored once, whole, as UTF-8; a chunk is a byte range of it. So nothing is lost, nothing is kept
 * twice, and a scan over all text reads one row a file instead of one a chunk.
 */
import { Database } from "bun:sqlite";
import { UserError } from "../../platform/errors.ts";

/** Raised by one whenever a table or column is added; additions only, so that older readers keep working. */
export const SCHEMA_VERSION = 2;

/** `tnx1`: tells our database from any other SQLite file. */
const APPLICATION_ID = 0x746e7831;

const TABLES = `
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Every file seen has a row and one outcome. content_hash is NULL when its text is not stored; the prefix
-- 'ne:' says that its chunks have no embedding yet. mtime -1: written so close to its reading that only a hash tells.
CREATE TABLE IF NOT EXISTS files(
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  ctime REAL NOT NULL,
  content_hash TEXT,
  outcome TEXT NOT NULL,
  detail TEXT,
  language TEXT,
  encoding TEXT,
  lines INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS dirs(path TEXT PRIMARY KEY, mtime REAL NOT NULL, ctime REAL NOT NULL) WITHOUT ROWID;
-- What the walk left out: ignored files and folders (a folder stands for all in it), links, other checkouts.
CREATE TABLE IF NOT EXISTS left_out(
  path TEXT PRIMARY KEY, dir TEXT NOT NULL, outcome TEXT NOT NULL, detail TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS contents(file_id INTEGER PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS chunks(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file_id INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  symbol TEXT,
  kind TEXT NOT NULL,
  token_count INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS symbols(
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  chunk_id INTEGER NOT NULL,
  parent_id INTEGER,
  name TEXT NOT NULL,
  qualified_name TEXT NOT NULL,
  container TEXT,
  kind TEXT NOT NULL,
  doc_line INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  signature TEXT NOT NULL,
  exported INTEGER
);
-- Targets are names, resolved when a question is asked: an id would dangle as soon as its file is indexed anew.
CREATE TABLE IF NOT EXISTS refs(
  file_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  symbol_id INTEGER,
  name TEXT NOT NULL,
  qualifier TEXT,
  qualifier_type TEXT,
  kind TEXT NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY(file_id, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS imports(
  file_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  module TEXT NOT NULL,
  names TEXT NOT NULL,
  kind TEXT NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY(file_id, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS inherits(
  file_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  symbol_id INTEGER,
  child TEXT NOT NULL,
  parent TEXT NOT NULL,
  qualifier TEXT,
  kind TEXT NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY(file_id, seq)
) WITHOUT ROWID;
-- The lexical index, one segment a written batch. Its chunks have the ids from first_chunk on; a length of 0 is a chunk
-- that is gone. Terms sit in 'buckets' hash buckets, their lists count from first_chunk.
CREATE TABLE IF NOT EXISTS segments(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  first_chunk INTEGER NOT NULL,
  chunk_span INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  total_length INTEGER NOT NULL,
  dead INTEGER NOT NULL DEFAULT 0, -- chunks deleted since it was written: their terms are still in its lists
  buckets INTEGER NOT NULL,
  lengths BLOB NOT NULL,
  dictionary TEXT NOT NULL
);
-- A bucket's terms and their lists: id is segment * 1048576 + bucket.
CREATE TABLE IF NOT EXISTS term_lists(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
-- The same as format 1 had it, still read. Its rows lie in the inner pages as well, so that a look-up met six of them.
CREATE TABLE IF NOT EXISTS postings(
  segment INTEGER NOT NULL, bucket INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(segment, bucket)) WITHOUT ROWID;
-- Embeddings in blocks, so that a scan reads few large rows: row i is chunk ids[i], dim int8 each, value = q * scales[i].
CREATE TABLE IF NOT EXISTS vectors(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  model TEXT NOT NULL,
  dim INTEGER NOT NULL,
  count INTEGER NOT NULL,
  ids BLOB NOT NULL,
  scales BLOB NOT NULL,
  data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS embedding_cache(
  content_hash TEXT PRIMARY KEY, embedding BLOB NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;
`;

const INDEXES = `
CREATE INDEX IF NOT EXISTS chunks_file ON chunks(file_id);
CREATE INDEX IF NOT EXISTS symbols_file ON symbols(file_id);
CREATE INDEX IF NOT EXISTS symbols_name ON symbols(name COLLATE NOCASE);
CREATE INDEX IF NOT EXISTS refs_name ON refs(name);
CREATE INDEX IF NOT EXISTS inherits_parent ON inherits(parent);
CREATE INDEX IF NOT EXISTS left_out_dir ON left_out(dir);
`;

/** Tables and indexes that are missing are made; what is there is not touched. For writers only. */
export function ensureSchema(database: Database): void {
  const version = schemaVersion(database);
  refuseNewer(version, database.filename);
  if (version === SCHEMA_VERSION) return;
  const added = missing(database).flatMap(({ table, columns }) =>
    columns.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column};`),
  );
  database.exec(`BEGIN IMMEDIATE; ${added.join("")} ${TABLES} ${INDEXES}
    PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
}

/**
 * What an older database lacks, as temporary tables (empty) and views (with NULL for a missing column): every query
 * then reads it as it is, and the file stays untouched.
 */
export function standIns(database: Database): string {
  const made = missing(database).map(({ table, columns }) => {
    const nulls = columns.map((column) => `NULL AS ${column}`).join(", ");
    return `CREATE TEMP VIEW ${table} AS SELECT *, ${nulls} FROM main.${table};`;
  });
  const present = new Set(tableNames(database));
  const absent = TABLES.replaceAll("CREATE TABLE IF NOT EXISTS ", "CREATE TEMP TABLE IF NOT EXISTS ")
    .split(/(?=CREATE TEMP TABLE)/)
    .filter((statement) => {
      const table = /EXISTS (\w+)/.exec(statement)?.[1];
      return table !== undefined && !present.has(table);
    });
  return [...absent, ...made].join("\n");
}

/** Columns of today's format that a table of this database does not have. */
function missing(database: Database): { table: string; columns: string[] }[] {
  const model = new Database(":memory:");
  try {
    model.exec(TABLES);
    return tableNames(database).flatMap((table) => {
      const had = new Set(columnNames(database, table));
      const columns = columnNames(model, table).filter((column) => !had.has(column));
      return columns.length > 0 ? [{ table, columns }] : [];
    });
  } finally {
    model.close();
  }
}

function tableNames(database: Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  return database
    .query<{ name: string }, []>(sql)
    .all()
    .map((row) => row.name);
}

function columnNames(database: Database, table: string): string[] {
  return database
    .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map((row) => row.name);
}

/** Every table and index that this program makes, as `type name` to the SQL that SQLite keeps of it. */
export function currentSchema(): ReadonlyMap<string, string> {
  const model = new Database(":memory:");
  try {
    model.exec(TABLES + INDEXES);
    const rows = model
      .query<{ type: string; name: string; sql: string }, []>(
        "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'",
      )
      .all();
    return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, sql.replace(/\s+/g, " ").trim()]));
  } finally {
    model.close();
  }
}

export function schemaVersion(database: Database): number {
  const row = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
  return row?.user_version ?? 0;
}

/** @throws UserError when the database was written by a newer program. */
export function refuseNewer(version: number, path: string): void {
  if (version > SCHEMA_VERSION)
    throw new UserError(
      `the index ${path} was written by a newer tokenix (format ${version}; this one knows ${SCHEMA_VERSION})`,
      "update tokenix, or run 'tokenix forget' and index again with this version",
    );
}

/** The name indexes cost more to keep than to make anew when most rows are written at once. */
export const BULK_INDEXES = {
  drop: "DROP INDEX IF EXISTS refs_name; DROP INDEX IF EXISTS symbols_name; DROP INDEX IF EXISTS inherits_parent;",
  create: INDEXES,
} as const;
