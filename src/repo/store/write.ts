/**
 * Writes batches. One batch is one transaction: a killed run keeps every batch that it finished, and a reader never
 * sees half of one. The caller holds the writer's lock, so ids are counted here and not asked back from SQLite.
 */
import type { Database, Statement } from "bun:sqlite";
import type { Batch, FileContent, FileRecord } from "./records.ts";
import type { Store } from "./store.ts";

interface SegmentIds {
  readonly id: number;
  readonly ids: Uint32Array;
  deleted: Uint8Array | undefined;
  deletedCount: number;
  dirty: boolean;
}

export class BatchWriter {
  private readonly database: Database;
  private nextFile: number;
  private nextChunk: number;
  private nextSymbol: number;
  private segments: SegmentIds[] | undefined;
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
    this.store.transaction(() => {
      const firstChunk = this.nextChunk;
      for (const file of batch.files) this.file(file);
      const count = this.nextChunk - firstChunk;
      if (count > 0) {
        const ids = Uint32Array.from({ length: count }, (_, i) => firstChunk + i);
        this.segment(batch, ids);
        if (batch.vectors && batch.vectors.docs.length > 0)
          this.store.vectors.add(
            batch.vectors.model,
            batch.vectors.dim,
            batch.vectors.docs.map((doc) => firstChunk + doc),
            batch.vectors.scales,
            batch.vectors.data,
          );
      }
      this.flushDeleted();
    });
  }

  /** Removes files and all that was stored of them, in one transaction. */
  remove(paths: Iterable<string>): number {
    return this.store.transaction(() => {
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

  /** Forget what is known of segments: after a merge has replaced some. */
  reset(): void {
    this.segments = undefined;
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
      insert.chunk.run(
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
      insert.symbol.run(
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
      insert.reference.run(
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
      insert.import.run(fileId, seq++, one.module, JSON.stringify(one.names), one.kind, one.line);
    seq = 0;
    for (const one of content.inherits)
      insert.inherit.run(
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

  private segment(batch: Batch, ids: Uint32Array): void {
    const { segment } = batch;
    if (segment.docCount !== ids.length)
      throw new Error(`a batch of ${ids.length} chunks came with the terms of ${segment.docCount}`);
    const { lastInsertRowid } = this.insert.segment.run(
      segment.docCount,
      segment.totalLength,
      segment.buckets.length,
      bytesOf(ids),
      bytesOf(segment.lengths),
    );
    const id = Number(lastInsertRowid);
    for (let bucket = 0; bucket < segment.buckets.length; bucket++) {
      const data = segment.buckets[bucket];
      if (data && data.length > 0) this.insert.bucket.run(id, bucket, data);
    }
    this.segments?.push({ id, ids, deleted: undefined, deletedCount: 0, dirty: false });
  }

  private clear(fileId: number): void {
    const { insert } = this;
    const gone = insert.chunksOf.values(fileId) as [number][];
    for (const [chunk] of gone) this.markDeleted(chunk);
    for (const statement of insert.clear) statement.run(fileId);
  }

  private markDeleted(chunk: number): void {
    this.segments ??= this.store.lexical.segments().map((one) => ({ ...one, dirty: false }));
    // Merged segments may overlap in their ranges of ids, so each whose range fits is asked.
    for (const segment of this.segments) {
      const at = indexOf(segment.ids, chunk);
      if (at < 0) continue;
      segment.deleted ??= new Uint8Array((segment.ids.length + 7) >> 3);
      const bit = 1 << (at & 7);
      const byte = segment.deleted[at >> 3] ?? 0;
      if (byte & bit) return;
      segment.deleted[at >> 3] = byte | bit;
      segment.deletedCount++;
      segment.dirty = true;
      return;
    }
  }

  private flushDeleted(): void {
    if (!this.segments) return;
    for (const segment of this.segments) {
      if (!segment.dirty) continue;
      segment.dirty = false;
      if (segment.deletedCount === segment.ids.length) {
        this.database.query("DELETE FROM postings WHERE segment = ?").run(segment.id);
        this.database.query("DELETE FROM segments WHERE id = ?").run(segment.id);
      } else
        this.database
          .query("UPDATE segments SET deleted = ?, deleted_count = ? WHERE id = ?")
          .run(segment.deleted ?? null, segment.deletedCount, segment.id);
    }
    this.segments = this.segments.filter((segment) => segment.deletedCount < segment.ids.length);
  }

  private fileId(path: string): number | undefined {
    return this.insert.fileId.get(path)?.id;
  }

  private highest(sql: string): number {
    return this.database.query<{ n: number | null }, []>(sql).get()?.n ?? 0;
  }
}

function prepare(database: Database) {
  const values = (n: number) => Array.from({ length: n }, () => "?").join(",");
  return {
    fileId: database.query<{ id: number }, [string]>("SELECT id FROM files WHERE path = ?"),
    chunksOf: database.query("SELECT id FROM chunks WHERE file_id = ?"),
    file: database.query(`INSERT OR REPLACE INTO files VALUES(${values(12)})`),
    content: database.query("INSERT OR REPLACE INTO contents VALUES(?, ?)"),
    chunk: database.query(`INSERT INTO chunks VALUES(${values(9)})`),
    symbol: database.query(`INSERT INTO symbols VALUES(${values(13)})`),
    reference: database.query(`INSERT INTO refs VALUES(${values(8)})`),
    import: database.query(`INSERT INTO imports VALUES(${values(6)})`),
    inherit: database.query(`INSERT INTO inherits VALUES(${values(8)})`),
    segment: database.query(
      "INSERT INTO segments(doc_count, total_length, buckets, ids, lengths) VALUES(?, ?, ?, ?, ?)",
    ),
    bucket: database.query("INSERT INTO postings VALUES(?, ?, ?)"),
    clear: ["contents", "chunks", "symbols", "refs", "imports", "inherits"].map((table) =>
      database.query(`DELETE FROM ${table} WHERE file_id = ?`),
    ) as Statement[],
  };
}

function indexOf(ids: Uint32Array, wanted: number): number {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const id = ids[middle] as number;
    if (id === wanted) return middle;
    if (id < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function bytesOf(array: Uint32Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
