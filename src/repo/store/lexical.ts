/** The lexical index as stored: segments of documents, and the encoded lists of their terms. */
import type { Database } from "bun:sqlite";
import { bucketOf, entriesOf, findInBucket } from "./postings.ts";

export interface Segment {
  readonly id: number;
  readonly docCount: number;
  /** Sum of all lengths, deleted documents included. */
  readonly totalLength: number;
  readonly deletedCount: number;
  readonly buckets: number;
  /** Chunk id of each document, ascending. */
  readonly ids: Uint32Array;
  /** Terms of each document, at most 65,535. */
  readonly lengths: Uint16Array;
  /** One bit a document (`deleted[i >> 3] & (1 << (i & 7))`); undefined when none is deleted. */
  readonly deleted: Uint8Array | undefined;
}

interface SegmentRow {
  readonly id: number;
  readonly doc_count: number;
  readonly total_length: number;
  readonly deleted_count: number;
  readonly buckets: number;
  readonly ids: Uint8Array;
  readonly lengths: Uint8Array;
  readonly deleted: Uint8Array | null;
}

export class LexicalTable {
  constructor(private readonly database: Database) {}

  segments(): Segment[] {
    const rows = this.database.query<SegmentRow, []>("SELECT * FROM segments ORDER BY id").all();
    return rows.map((row) => ({
      id: row.id,
      docCount: row.doc_count,
      totalLength: row.total_length,
      deletedCount: row.deleted_count,
      buckets: row.buckets,
      ids: new Uint32Array(aligned(row.ids)),
      lengths: new Uint16Array(aligned(row.lengths)),
      deleted: row.deleted ?? undefined,
    }));
  }

  /** The encoded list of a term in a segment: what `search/postings.ts` decodes. Documents are counted within the segment. */
  list(segment: Segment, term: string): Uint8Array | undefined {
    const row = this.database
      .query<{ data: Uint8Array }, [number, number]>("SELECT data FROM postings WHERE segment = ? AND bucket = ?")
      .get(segment.id, bucketOf(term, segment.buckets));
    return row ? findInBucket(row.data, term) : undefined;
  }

  /** All terms of a segment with their lists, in no order of meaning. */
  *terms(segment: number): Generator<{ term: string; list: Uint8Array }> {
    const rows = this.database.query<{ data: Uint8Array }, [number]>("SELECT data FROM postings WHERE segment = ?");
    for (const row of rows.iterate(segment)) yield* entriesOf(row.data);
  }
}

/** A copy that starts at an address fit for typed arrays; SQLite's blobs may not. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
