/** Files with their stamps and outcomes, folders, what was left out, and the stored text. */
import type { Database } from "bun:sqlite";
import type { FileRow, LeftOut, Outcome, Stamp } from "./records.ts";

const COLUMNS =
  "id, path, size, mtime, ctime, content_hash AS contentHash, outcome, detail, language, encoding, lines, tokens";

/** Stamps of many files, without a string for each. */
export interface KnownStamps {
  /** Paths, each ended by a NUL, as UTF-8. */
  readonly paths: Uint8Array;
  /** `[size, mtime, ctime]`, in the order of the paths. */
  readonly stamps: readonly (readonly [number, number, number])[];
}

export class FileTable {
  constructor(private readonly database: Database) {}

  all(): FileRow[] {
    return this.database.query<FileRow, []>(`SELECT ${COLUMNS} FROM files ORDER BY path`).all();
  }

  /** Just what a freshness check compares, as arrays: `[path, size, mtime, ctime, content hash]`. */
  stamps(): [string, number, number, number, string | null][] {
    return this.database.query("SELECT path, size, mtime, ctime, content_hash FROM files").values() as [
      string,
      number,
      number,
      number,
      string | null,
    ][];
  }

  /** The same as two columns, of one moment: what a question needs, as it finds nearly all files unchanged. */
  knownStamps(): KnownStamps {
    return this.database.transaction((): KnownStamps => {
      const joined = this.database
        .query("SELECT CAST(group_concat(path, char(0)) || char(0) AS BLOB) FROM (SELECT path FROM files ORDER BY id)")
        .values() as [Uint8Array | null][];
      const stamps = this.database.query("SELECT size, mtime, ctime FROM files ORDER BY id").values();
      return { paths: joined[0]?.[0] ?? new Uint8Array(), stamps: stamps as [number, number, number][] };
    })();
  }

  /** The files that were written last, and those whose stamps could not be trusted: what is edited is edited again. */
  latest(limit: number): [string, number, number, number][] {
    return this.database
      .query("SELECT path, size, mtime, ctime FROM files ORDER BY mtime < 0 DESC, mtime DESC LIMIT ?")
      .values(limit) as [string, number, number, number][];
  }

  byPath(path: string): FileRow | undefined {
    return this.database.query<FileRow, [string]>(`SELECT ${COLUMNS} FROM files WHERE path = ?`).get(path) ?? undefined;
  }

  byId(id: number): FileRow | undefined {
    return this.database.query<FileRow, [number]>(`SELECT ${COLUMNS} FROM files WHERE id = ?`).get(id) ?? undefined;
  }

  /** Rows of the files whose text is stored. */
  stored(): FileRow[] {
    return this.database
      .query<FileRow, []>(`SELECT ${COLUMNS} FROM files WHERE content_hash IS NOT NULL ORDER BY path`)
      .all();
  }

  /** Files by outcome. */
  counts(): Map<Outcome, number> {
    const rows = this.database
      .query<{ outcome: Outcome; n: number }, []>("SELECT outcome, count(*) AS n FROM files GROUP BY outcome")
      .all();
    return new Map(rows.map((row) => [row.outcome, row.n]));
  }

  languages(): { language: string; files: number; lines: number; tokens: number }[] {
    return this.database
      .query<{ language: string; files: number; lines: number; tokens: number }, []>(
        `SELECT language, count(*) AS files, sum(lines) AS lines, sum(tokens) AS tokens FROM files
         WHERE content_hash IS NOT NULL GROUP BY language ORDER BY sum(tokens) DESC, language`,
      )
      .all();
  }

  /** The stored text of a file as UTF-8 bytes. */
  textBytes(id: number): Uint8Array | undefined {
    return (
      this.database.query<{ text: Uint8Array }, [number]>("SELECT text FROM contents WHERE file_id = ?").get(id)
        ?.text ?? undefined
    );
  }

  text(id: number): string | undefined {
    const bytes = this.textBytes(id);
    return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  /** All stored texts, one row at a time: `[file id, UTF-8 bytes]`. */
  *texts(): Generator<[number, Uint8Array]> {
    const rows = this.database.query<{ file_id: number; text: Uint8Array }, []>("SELECT file_id, text FROM contents");
    for (const row of rows.iterate()) yield [row.file_id, row.text];
  }

  /** How many files wait for their embeddings. */
  pendingEmbeddings(): number {
    return (
      this.database
        .query<{ n: number }, []>(
          "SELECT count(*) AS n FROM files WHERE content_hash >= 'ne:' AND content_hash < 'ne;'",
        )
        .get()?.n ?? 0
    );
  }

  setStamp(path: string, stamp: Stamp): void {
    this.database
      .query("UPDATE files SET size = ?, mtime = ?, ctime = ? WHERE path = ?")
      .run(stamp.size, stamp.mtime, stamp.ctime, path);
  }

  dirs(): [string, number, number][] {
    return this.database.query("SELECT path, mtime, ctime FROM dirs").values() as [string, number, number][];
  }

  setDir(path: string, mtime: number, ctime: number): void {
    this.database.query("INSERT OR REPLACE INTO dirs(path, mtime, ctime) VALUES(?, ?, ?)").run(path, mtime, ctime);
  }

  removeDir(path: string): void {
    this.database.query("DELETE FROM dirs WHERE path = ?").run(path);
    this.database.query("DELETE FROM left_out WHERE dir = ?").run(path);
  }

  /** Replaces what a listing of `dir` left out. */
  setLeftOut(dir: string, entries: readonly LeftOut[]): void {
    this.database.query("DELETE FROM left_out WHERE dir = ?").run(dir);
    const insert = this.database.query(
      "INSERT OR REPLACE INTO left_out(path, dir, outcome, detail) VALUES(?, ?, ?, ?)",
    );
    for (const entry of entries) insert.run(entry.path, dir, entry.outcome, entry.detail);
  }

  leftOut(): LeftOut[] {
    return this.database.query<LeftOut, []>("SELECT path, outcome, detail FROM left_out ORDER BY path").all();
  }

  leftOutCounts(): Map<Outcome, number> {
    const rows = this.database
      .query<{ outcome: Outcome; n: number }, []>("SELECT outcome, count(*) AS n FROM left_out GROUP BY outcome")
      .all();
    return new Map(rows.map((row) => [row.outcome, row.n]));
  }
}
