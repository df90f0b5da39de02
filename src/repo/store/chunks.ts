/** Chunks and their text. */
import type { Database } from "bun:sqlite";
import type { ChunkRow } from "./records.ts";

const COLUMNS = `k.id, k.file_id AS fileId, f.path, f.language, k.start_line AS startLine, k.end_line AS endLine,
  k.start_byte AS startByte, k.end_byte AS endByte, k.symbol, k.kind, k.token_count AS tokens`;

export class ChunkTable {
  constructor(private readonly database: Database) {}

  count(): number {
    return this.database.query<{ n: number }, []>("SELECT count(*) AS n FROM chunks").get()?.n ?? 0;
  }

  byId(id: number): ChunkRow | undefined {
    return (
      this.database
        .query<ChunkRow, [number]>(`SELECT ${COLUMNS} FROM chunks k JOIN files f ON f.id = k.file_id WHERE k.id = ?`)
        .get(id) ?? undefined
    );
  }

  /** Rows in the order of `ids`; ids that are gone are left out. */
  byIds(ids: readonly number[]): ChunkRow[] {
    return ids.flatMap((id) => this.byId(id) ?? []);
  }

  /**
   * What a search ranks by, for a few hundred chunks in one statement: a look-up each took three times as long.
   * `[id, path, first line, last line, symbol, kind, tokens]`, ascending by id; ids that are gone are left out.
   */
  heads(ids: readonly number[]): [number, string, number, number, string | null, string, number][] {
    return this.database
      .query<Record<string, never>, [string]>(
        `SELECT k.id, f.path, k.start_line, k.end_line, k.symbol, k.kind, k.token_count FROM json_each(?) j
         CROSS JOIN chunks k ON k.id = j.value CROSS JOIN files f ON f.id = k.file_id`,
      )
      .values(JSON.stringify([...ids].sort((a, b) => a - b))) as [
      number,
      string,
      number,
      number,
      string | null,
      string,
      number,
    ][];
  }

  ofFile(fileId: number): ChunkRow[] {
    return this.database
      .query<ChunkRow, [number]>(
        `SELECT ${COLUMNS} FROM chunks k JOIN files f ON f.id = k.file_id WHERE k.file_id = ? ORDER BY k.start_byte`,
      )
      .all(fileId);
  }

  /** `[chunk id, file id]` of every chunk: what filters by path need, and nothing more. */
  owners(): [number, number][] {
    return this.database.query("SELECT id, file_id FROM chunks").values() as [number, number][];
  }

  text(id: number): string | undefined {
    const row = this.database
      .query<{ text: Uint8Array }, [number]>(
        `SELECT substr(c.text, k.start_byte + 1, k.end_byte - k.start_byte) AS text
         FROM chunks k JOIN contents c ON c.file_id = k.file_id WHERE k.id = ?`,
      )
      .get(id);
    return row ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(row.text) : undefined;
  }

  /** Every chunk of the files that wait for embeddings, file by file. */
  *pendingEmbedding(): Generator<ChunkRow> {
    const rows = this.database.query<ChunkRow, []>(
      `SELECT ${COLUMNS} FROM files f JOIN chunks k ON k.file_id = f.id
       WHERE f.content_hash >= 'ne:' AND f.content_hash < 'ne;' ORDER BY k.file_id, k.start_byte`,
    );
    yield* rows.iterate();
  }
}
