/** An opened index: its families of queries, behind one handle. Readers see the last committed batch. */
import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { ChunkTable } from "./chunks.ts";
import { FileTable } from "./files.ts";
import { GraphTable } from "./graph.ts";
import { LexicalTable } from "./lexical.ts";
import { BULK_INDEXES } from "./schema.ts";
import { VectorTable } from "./vectors.ts";

/** Keys of the meta table. */
export type MetaKey =
  | "root"
  | "indexed_at" // ISO 8601, written when a run has finished
  | "fingerprint" // worktree, branch and commit at that time
  | "building" // "1" while a first or forced run is under way, or was ended before its end
  | "config_hash" // ignore rules and settings that decide what is walked
  | "ignore_files" // JSON: the ignore files that were read, with their stamps
  | "model" // the embedding model of the vectors
  | "extractor" // version of the chunker and the language definitions
  | "snapshot_version"
  | "snapshot_created_at";

export class Store {
  readonly files: FileTable;
  readonly chunks: ChunkTable;
  readonly graph: GraphTable;
  readonly lexical: LexicalTable;
  readonly vectors: VectorTable;
  private readonly identity: string;

  constructor(
    /** The project's root folder. */
    readonly root: string,
    readonly path: string,
    /** For this folder's own files only. */
    readonly database: Database,
  ) {
    this.files = new FileTable(database);
    this.chunks = new ChunkTable(database);
    this.graph = new GraphTable(database);
    this.lexical = new LexicalTable(database);
    this.vectors = new VectorTable(database);
    this.identity = identityOf(path);
  }

  meta(key: MetaKey): string | undefined {
    return this.database.query<{ value: string }, [string]>("SELECT value FROM meta WHERE key = ?").get(key)?.value;
  }

  setMeta(key: MetaKey, value: string | undefined): void {
    if (value === undefined) this.database.query("DELETE FROM meta WHERE key = ?").run(key);
    else this.database.query("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)").run(key, value);
  }

  /** Changes with every commit of anybody: what a long-lived reader compares before it trusts what it has in memory. */
  dataVersion(): number {
    return this.database.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0;
  }

  /** False when the file at our path is another one now (set aside, forgotten, imported): open anew. */
  isCurrent(): boolean {
    return identityOf(this.path) === this.identity;
  }

  /** Runs `body` in one transaction: all of it is written, or nothing. */
  transaction<T>(body: () => T): T {
    return this.database.transaction(body).immediate();
  }

  /**
   * Prepares for an index that is made from nothing: writes do not wait for the disk (after a loss of power it may be
   * damaged, is then set aside and made anew, and nothing was lost that had been there before), and name indexes are
   * left to the end, as they cost more to keep than to make.
   */
  beginBulk(): void {
    this.database.exec(`PRAGMA synchronous = OFF; ${BULK_INDEXES.drop}`);
  }

  endBulk(): void {
    this.database.exec(`${BULK_INDEXES.create} PRAGMA synchronous = NORMAL;`);
  }

  /** The first fault that SQLite finds in the whole file; undefined when there is none. Reads everything. */
  integrity(): string | undefined {
    const row = this.database.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get();
    return row?.integrity_check === "ok" ? undefined : (row?.integrity_check ?? "no answer");
  }

  /** Bytes of the database file. */
  size(): number {
    try {
      return statSync(this.path).size;
    } catch {
      return 0;
    }
  }

  close(): void {
    this.database.close();
  }
}

function identityOf(path: string): string {
  try {
    const stat = statSync(path, { bigint: true });
    return `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
  } catch {
    return "";
  }
}
