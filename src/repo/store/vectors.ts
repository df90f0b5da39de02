/** Embeddings in blocks of int8 rows. A row whose chunk is gone stays until its block is written anew. */
import type { Database } from "bun:sqlite";
import { giveBack } from "./rows.ts";

export interface VectorRows {
  readonly id: number;
  readonly model: string;
  readonly dim: number;
  readonly count: number;
  /** Chunk id of each row. */
  readonly ids: Uint32Array;
  /** value = q * scale; cancels out of a cosine. */
  readonly scales: Float32Array;
  /** `count` rows of `dim`. */
  readonly data: Int8Array;
}

interface Row {
  readonly id: number;
  readonly dim: number;
  readonly count: number;
  readonly ids: Uint8Array;
  readonly scales: Uint8Array;
  readonly data: Uint8Array;
}

export class VectorTable {
  constructor(private readonly database: Database) {}

  /**
   * Blocks of a model, one at a time: the next one takes the memory of the one before, so nothing of a block may be kept.
   * Memory that is new to the process is what reading costs: 36,000 rows took 8 ms in memory of their own, 3 ms so.
   */
  *blocks(model: string): Generator<VectorRows> {
    const rows = this.database.query<Row, [string]>(
      "SELECT id, dim, count, ids, scales, data FROM vectors WHERE model = ? ORDER BY id",
    );
    for (const { id, dim, count, ids, scales, data } of rows.iterate(model)) {
      yield {
        id,
        model,
        dim,
        count,
        ids: new Uint32Array(aligned(ids), 0, count),
        scales: new Float32Array(aligned(scales), 0, count),
        data: new Int8Array(data.buffer, data.byteOffset, data.byteLength),
      };
      giveBack(data);
    }
  }

  /** Whether there is any of this model: its first block says so, where `models` reads all. */
  has(model: string): boolean {
    return this.database.query("SELECT 1 FROM vectors WHERE model = ? LIMIT 1").get(model) !== null;
  }

  models(): { model: string; count: number }[] {
    return this.database
      .query<{ model: string; count: number }, []>("SELECT model, sum(count) AS count FROM vectors GROUP BY model")
      .all();
  }

  /** As `models`, but without the rows whose chunk is gone: what a question can find. */
  living(chunks: ReadonlySet<number>): { model: string; count: number }[] {
    const found = new Map<string, Set<number>>();
    const rows = this.database.query<{ model: string; count: number; ids: Uint8Array }, []>(
      "SELECT model, count, ids FROM vectors ORDER BY id",
    );
    for (const { model, count, ids } of rows.iterate()) {
      const known = found.get(model) ?? new Set();
      found.set(model, known);
      for (const id of new Uint32Array(aligned(ids), 0, count)) if (chunks.has(id)) known.add(id);
    }
    return [...found].map(([model, ids]) => ({ model, count: ids.size })).filter(({ count }) => count > 0);
  }

  /** Writes vectors of chunks that are already there. */
  add(model: string, dim: number, ids: Uint32Array, scales: Float32Array, data: Int8Array): void {
    const insert = this.database.query(
      "INSERT INTO vectors(model, dim, count, ids, scales, data) VALUES(?, ?, ?, ?, ?, ?)",
    );
    const most = rowsOfBlock(dim);
    for (let from = 0; from < ids.length; from += most) {
      const to = Math.min(ids.length, from + most);
      insert.run(
        model,
        dim,
        to - from,
        bytesOf(ids.subarray(from, to)),
        bytesOf(scales.subarray(from, to)),
        bytesOf(data.subarray(from * dim, to * dim)),
      );
    }
  }

  /** Whether most rows belong to chunks that are gone, or edits have left many small blocks. */
  needsCompaction(livingChunks: number): boolean {
    return !this.isSmall(livingChunks) && this.sizes().some((size) => isLoose(size, livingChunks));
  }

  /** Writes such blocks anew. Runs inside the caller's transaction. Returns how many rows went. */
  compact(living: ReadonlySet<number>): number {
    let removed = 0;
    for (const size of this.sizes()) {
      if (!isLoose(size, living.size)) continue;
      const { model } = size;
      const last = this.database.query<{ id: number }, [string]>("SELECT max(id) AS id FROM vectors WHERE model = ?");
      const until = last.get(model)?.id ?? 0;
      let rows = new RowGatherer(this, model);
      // A later row of the same chunk wins, so blocks are read in their order and ids kept once.
      for (const block of this.blocks(model)) {
        if (block.id > until) break;
        rows = rows.fits(block.dim) ? rows : rows.renewed();
        block.ids.forEach((id, row) => {
          if (living.has(id))
            rows.push(id, block.scales[row] ?? 0, block.data.subarray(row * block.dim, (row + 1) * block.dim));
          else removed++;
        });
      }
      rows.flush();
      this.database.query("DELETE FROM vectors WHERE model = ? AND id <= ?").run(model, until);
    }
    return removed;
  }

  /** By the ends of the table alone: so few blocks of a page are not loose, whatever is in them. */
  private isSmall(livingChunks: number): boolean {
    const ends = this.database
      .query<{ first: number | null; last: number | null; dim: number | null; count: number | null }, []>(
        `SELECT (SELECT min(id) FROM vectors) AS first, (SELECT max(id) FROM vectors) AS last,
         (SELECT dim FROM vectors LIMIT 1) AS dim, (SELECT count FROM vectors LIMIT 1) AS count`,
      )
      .get();
    const { first, last, dim, count } = ends ?? {};
    if (first == null || last == null || dim == null || count == null) return true;
    const rows = rowsOfBlock(dim);
    const blocks = last - first + 1;
    return count <= rows && blocks <= mostBlocks(livingChunks, dim) && blocks * rows <= mostRows(livingChunks);
  }

  private sizes(): Size[] {
    return this.database
      .query<Size, []>(
        "SELECT model, max(dim) AS dim, count(*) AS blocks, sum(count) AS count FROM vectors GROUP BY model",
      )
      .all();
  }

  /** Removes every vector; the next embedding run starts anew. */
  clear(): void {
    this.database.exec("DELETE FROM vectors");
    this.database.exec("UPDATE files SET content_hash = 'ne:' || content_hash WHERE content_hash NOT LIKE 'ne:%'");
  }

  /** Takes the mark off files whose chunks now all have an embedding. */
  markEmbedded(fileIds: Iterable<number>): void {
    const update = this.database.query(
      "UPDATE files SET content_hash = substr(content_hash, 4) WHERE id = ? AND content_hash LIKE 'ne:%'",
    );
    for (const id of fileIds) update.run(id);
  }

  cached(contentHash: string): Float32Array | undefined {
    const row = this.database
      .query<{ embedding: Uint8Array }, [string]>("SELECT embedding FROM embedding_cache WHERE content_hash = ?")
      .get(contentHash);
    return row ? new Float32Array(copy(row.embedding)) : undefined;
  }

  /** float32, so that neither another quantisation nor a switch of models and back costs an embedding. */
  cache(contentHash: string, embedding: Float32Array, now: number): void {
    this.database
      .query("INSERT OR REPLACE INTO embedding_cache(content_hash, embedding, updated_at) VALUES(?, ?, ?)")
      .run(contentHash, bytesOf(embedding), now);
  }
}

interface Size {
  readonly model: string;
  readonly dim: number;
  readonly blocks: number;
  readonly count: number;
}

function isLoose(size: Size, livingChunks: number): boolean {
  return size.count > mostRows(livingChunks) || size.blocks > mostBlocks(livingChunks, size.dim);
}

/** Every question reads all rows, so a third of them may be dead, and a few more of a small index: writing has its price too. */
function mostRows(livingChunks: number): number {
  return livingChunks * 1.5 + 500;
}

function mostBlocks(livingChunks: number, dim: number): number {
  return 64 + (1.3 * livingChunks) / rowsOfBlock(dim);
}

/** Blocks of about 64 kB: smaller ones cost by the row, larger ones by the memory that SQLite puts them together in. */
function rowsOfBlock(dim: number): number {
  return Math.max(1, Math.floor(65_536 / dim));
}

/** Rows that are gathered before they are written. */
const ROWS_A_WRITE = 4096;

/** Collects rows and writes them as blocks. */
class RowGatherer {
  private ids: number[] = [];
  private scales: number[] = [];
  private data: Int8Array | undefined;
  private dim = 0;

  constructor(
    private readonly table: VectorTable,
    private readonly model: string,
  ) {}

  fits(dim: number): boolean {
    return this.dim === 0 || this.dim === dim;
  }

  renewed(): RowGatherer {
    this.flush();
    return new RowGatherer(this.table, this.model);
  }

  push(id: number, scale: number, row: Int8Array): void {
    this.dim = row.length;
    this.data ??= new Int8Array(ROWS_A_WRITE * row.length);
    this.data.set(row, this.ids.length * row.length);
    this.ids.push(id);
    this.scales.push(scale);
    if (this.ids.length === ROWS_A_WRITE) this.flush();
  }

  flush(): void {
    if (this.ids.length === 0 || !this.data) return;
    const data = this.data.slice(0, this.ids.length * this.dim);
    this.table.add(this.model, this.dim, Uint32Array.from(this.ids), Float32Array.from(this.scales), data);
    this.ids = [];
    this.scales = [];
  }
}

/** The bytes as they are where they begin a buffer, a copy elsewhere. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return bytes.byteOffset === 0 ? (bytes.buffer as ArrayBuffer) : copy(bytes);
}

function copy(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

function bytesOf(array: Uint32Array | Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
