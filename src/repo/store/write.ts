/**
 * Writes batches. One batch is one transaction: a killed run keeps every batch that it finished, and a reader never
 * sees half of one. The caller holds the writer's lock, so ids are counted here and not asked back from SQLite.
 */
import type { Database, Statement } from "bun:sqlite";
import { markDeleted } from "../search/postings.ts";
import type { Batch, FileContent, FileRecord } from "./records.ts";
import { RowBuffer } from "./rows.ts";
import type { Store } from "./store.ts";

export class BatchWriter {
  private readonly database: Database;
  private nextFile: number;
  private nextChunk: number;
  private nextSymbol: number;
  private readonly gone: number[] = [];
  private readonly insert: ReturnType<typeof prepare>;

  constructor(private readonly store: Store) {
    this.database = store.database;
    this.nextFile = this.highest("SELECT max(id) AS n FROM files") + 1;
    // The sequence, not the maximum: the id of a deleted chunk is never given again, as a vector may still carry it.
    this.nextChunk =
      Math.max(
        this.highest("SELECT seq AS n FROM sqlite_sequence WHERE name = 'chunks'"),
        this.highest("SELECT max(id) AS n FROM chunks"),
      ) + 1;
    this.nextSymbol = this.highest("SELECT max(id) AS n FROM symbols") + 1;
    this.insert = prepare(this.database);
  }

  /** Writes files with their chunks, symbols and terms, in place of what was stored of them. */
  commit(batch: Batch): void {
    this.begin(() => {
      const firstChunk = this.nextChunk;
      for (const file of batch.files) this.file(file);
      for (const rows of this.buffers()) rows.flush();
      const { segment, vectors } = batch;
      const count = this.nextChunk - firstChunk;
      if (segment.chunkSpan !== count)
        throw new Error(`a batch of ${count} chunks came with the terms of ${segment.chunkSpan}`);
      if (count > 0) this.store.lexical.add(firstChunk, segment);
      if (vectors && vectors.chunks.length > 0) {
        const ids = vectors.chunks.map((chunk) => firstChunk + chunk);
        this.store.vectors.add(vectors.model, vectors.dim, ids, vectors.scales, vectors.data);
      }
      this.flushDeleted();
    });
  }

  /** Removes files and all that was stored of them, in one transaction. */
  remove(paths: Iterable<string>): number {
    return this.begin(() => {
      let removed = 0;
      for (const path of paths) {
        const id = this.fileId(path);
        if (id === undefined) continue;
        this.clear(id);
        this.database.query("DELETE FROM files WHERE id = ?").run(id);
        removed++;
      }
      this.flushDeleted();
      return removed;
    });
  }

  private begin<T>(body: () => T): T {
    this.gone.length = 0;
    for (const rows of this.buffers()) rows.clear();
    return this.store.transaction(body);
  }

  private buffers(): RowBuffer[] {
    const { chunk, symbol, reference, import: imports, inherit } = this.insert;
    return [chunk, symbol, reference, imports, inherit];
  }

  private file(record: FileRecord): void {
    const known = this.fileId(record.path);
    if (known !== undefined) this.clear(known);
    const id = known ?? this.nextFile++;
    const { stamp, content } = record;
    this.insert.file.run(
      id,
      record.path,
      stamp.size,
      stamp.mtime,
      stamp.ctime,
      content?.hash ?? null,
      record.outcome,
      record.detail ?? null,
      content?.language ?? null,
      content?.encoding ?? null,
      content?.lines ?? 0,
      content?.tokens ?? 0,
    );
    if (content) this.content(id, content);
  }

  private content(fileId: number, content: FileContent): void {
    const { insert } = this;
    insert.content.run(fileId, content.text);
    const firstChunk = this.nextChunk;
    for (const chunk of content.chunks)
      insert.chunk.add(
        this.nextChunk++,
        fileId,
        chunk.startLine,
        chunk.endLine,
        chunk.startByte,
        chunk.endByte,
        chunk.symbol ?? null,
        chunk.kind,
        chunk.tokens,
      );
    const firstSymbol = this.nextSymbol;
    for (let i = 0; i < content.symbols.length; i++) {
      const symbol = content.symbols[i];
      if (!symbol) continue;
      insert.symbol.add(
        this.nextSymbol++,
        fileId,
        firstChunk + (content.symbolChunks[i] ?? 0),
        symbol.parent === undefined ? null : firstSymbol + symbol.parent,
        symbol.name,
        symbol.qualifiedName,
        symbol.container ?? null,
        symbol.kind,
        symbol.docStartLine,
        symbol.startLine,
        symbol.endLine,
        symbol.signature,
        symbol.exported === undefined ? null : Number(symbol.exported),
      );
    }
    const idOf = (index: number | undefined) => (index === undefined ? null : firstSymbol + index);
    let seq = 0;
    for (const one of content.references)
      insert.reference.add(
        fileId,
        seq++,
        idOf(one.inSymbol),
        one.name,
        one.qualifier ?? null,
        one.qualifierType ?? null,
        one.kind,
        one.line,
      );
    seq = 0;
    for (const one of content.imports)
      insert.import.add(fileId, seq++, one.module, JSON.stringify(one.names), one.kind, one.line);
    seq = 0;
    for (const one of content.inherits)
      insert.inherit.add(
        fileId,
        seq++,
        idOf(one.inSymbol),
        one.child,
        one.parent,
        one.qualifier ?? null,
        one.kind,
        one.line,
      );
  }

  private clear(fileId: number): void {
    for (const [chunk] of this.insert.chunksOf.values(fileId) as [number][]) this.gone.push(chunk);
    for (const statement of this.insert.clear) statement.run(fileId);
  }

  /** Tells the segments which of their chunks are gone: once a transaction, not once a file. */
  private flushDeleted(): void {
    if (this.gone.length === 0) return;
    const gone = this.gone.splice(0).sort((a, b) => a - b);
    const { lexical } = this.store;
    let from = 0;
    for (const segment of lexical.segments()) {
      const end = segment.firstChunk + segment.chunkSpan;
      while (from < gone.length && (gone[from] as number) < segment.firstChunk) from++;
      const start = from;
      while (from < gone.length && (gone[from] as number) < end) from++;
      if (from === start) continue;
      const left = markDeleted(segment, gone.slice(start, from));
      const dead = segment.dead + segment.chunkCount - left.chunkCount;
      lexical.update({ ...segment, ...left, dead });
    }
  }

  private fileId(path: string): number | undefined {
    return this.insert.fileId.get(path)?.id;
  }

  private highest(sql: string): number {
    return this.database.query<{ n: number | null }, []>(sql).get()?.n ?? 0;
  }
}

function prepare(database: Database) {
  const rows = (table: string, columns: string) => new RowBuffer(database, table, columns.split(" "));
  return {
    fileId: database.query<{ id: number }, [string]>("SELECT id FROM files WHERE path = ?"),
    chunksOf: database.query("SELECT id FROM chunks WHERE file_id = ?"),
    file: database.query(
      `INSERT OR REPLACE INTO files(id, path, size, mtime, ctime, content_hash, outcome, detail, language, encoding,
       lines, tokens) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    content: database.query("INSERT OR REPLACE INTO contents(file_id, text) VALUES(?, ?)"),
    chunk: rows("chunks", "id file_id start_line end_line start_byte end_byte symbol kind token_count"),
    symbol: rows(
      "symbols",
      "id file_id chunk_id parent_id name qualified_name container kind doc_line start_line end_line signature exported",
    ),
    reference: rows("refs", "file_id seq symbol_id name qualifier qualifier_type kind line"),
    import: rows("imports", "file_id seq module names kind line"),
    inherit: rows("inherits", "file_id seq symbol_id child parent qualifier kind line"),
    clear: ["contents", "chunks", "symbols", "refs", "imports", "inherits"].map((table) =>
      database.query(`DELETE FROM ${table} WHERE file_id = ?`),
    ) as Statement[],
  };
}
