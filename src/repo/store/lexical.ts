/** The lexical index as stored: segments of chunks, and the encoded lists of their terms. */
import type { Database } from "bun:sqlite";
import type { SegmentInfo } from "../search/postings.ts";
import { bucketOf, findInBucket, rebase } from "./postings.ts";
import type { SegmentRecord } from "./records.ts";

export interface StoredSegment extends SegmentInfo {
  readonly id: number;
  readonly buckets: number;
  /** Chunks deleted since it was written. */
  readonly dead: number;
}

const COLUMNS = `id, first_chunk AS firstChunk, chunk_span AS chunkSpan, chunk_count AS chunkCount,
  total_length AS totalLength, dead, buckets, lengths`;

/** A segment of 64 million terms has as many buckets; both numbers go into one that JSON keeps exact. */
const BUCKETS_AT_MOST = 1_048_576;

export class LexicalTable {
  constructor(private readonly database: Database) {}

  /** Ascending by first chunk. */
  segments(): StoredSegment[] {
    return this.database.query<StoredSegment, []>(`SELECT ${COLUMNS} FROM segments ORDER BY first_chunk`).all();
  }

  /** The encoded list of a term in a segment, with chunk ids as they are in `chunks`. */
  list(segment: StoredSegment, term: string): Uint8Array | undefined {
    const row = this.database
      .query<{ data: Uint8Array }, [number, number]>("SELECT data FROM postings WHERE segment = ? AND bucket = ?")
      .get(segment.id, bucketOf(term, segment.buckets));
    const list = row && findInBucket(row.data, term);
    return list ? rebase(list, segment.firstChunk) : undefined;
  }

  /**
   * The encoded lists of several terms in all segments, in one statement: a look-up for each took 15 ms of a cold
   * process for 19 terms in 18 segments.
   */
  lists(segments: readonly StoredSegment[], terms: readonly string[]): Map<string, Uint8Array[]> {
    const bySegment = new Map(segments.map((segment) => [segment.id, segment]));
    const wanted = new Map<number, string[]>();
    for (const segment of segments)
      for (const term of new Set(terms)) {
        const key = segment.id * BUCKETS_AT_MOST + bucketOf(term, segment.buckets);
        const sharing = wanted.get(key);
        if (sharing) sharing.push(term);
        else wanted.set(key, [term]);
      }
    const rows = this.database
      .query<Record<string, never>, [string]>(
        `SELECT p.segment, p.bucket, p.data FROM json_each(?) j
         CROSS JOIN postings p ON p.segment = j.value / ${BUCKETS_AT_MOST} AND p.bucket = j.value % ${BUCKETS_AT_MOST}`,
      )
      .values(JSON.stringify([...wanted.keys()])) as [number, number, Uint8Array][];
    const found = new Map<string, Uint8Array[]>();
    for (const [id, bucket, data] of rows) {
      const firstChunk = bySegment.get(id)?.firstChunk ?? 0;
      for (const term of wanted.get(id * BUCKETS_AT_MOST + bucket) ?? []) {
        const list = findInBucket(data, term);
        if (!list) continue;
        const lists = found.get(term);
        if (lists) lists.push(rebase(list, firstChunk));
        else found.set(term, [rebase(list, firstChunk)]);
      }
    }
    return found;
  }

  /** Every term of a segment, each between line feeds. */
  dictionary(segment: StoredSegment): string {
    return (
      this.database
        .query<{ dictionary: string }, [number]>("SELECT dictionary FROM segments WHERE id = ?")
        .get(segment.id)?.dictionary ?? ""
    );
  }

  /** Writes the segment of chunks whose ids begin at `firstChunk`. */
  add(firstChunk: number, segment: SegmentRecord): number {
    const { lastInsertRowid } = this.database
      .query(
        `INSERT INTO segments(first_chunk, chunk_span, chunk_count, total_length, buckets, lengths, dictionary)
         VALUES(?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        firstChunk,
        segment.chunkSpan,
        segment.chunkCount,
        segment.totalLength,
        segment.buckets.length,
        segment.lengths,
        segment.dictionary,
      );
    const id = Number(lastInsertRowid);
    const insert = this.database.query("INSERT INTO postings(segment, bucket, data) VALUES(?, ?, ?)");
    for (let bucket = 0; bucket < segment.buckets.length; bucket++) {
      const data = segment.buckets[bucket];
      if (data && data.length > 0) insert.run(id, bucket, data);
    }
    return id;
  }

  /** Stores what `markDeleted` has made of a segment; one without living chunks goes. */
  update(segment: StoredSegment): void {
    if (segment.chunkCount === 0) this.remove(segment.id);
    else
      this.database
        .query("UPDATE segments SET chunk_count = ?, total_length = ?, dead = ?, lengths = ? WHERE id = ?")
        .run(segment.chunkCount, segment.totalLength, segment.dead, segment.lengths, segment.id);
  }

  /** For merging, which replaces whole segments. */
  remove(id: number): void {
    this.database.query("DELETE FROM postings WHERE segment = ?").run(id);
    this.database.query("DELETE FROM segments WHERE id = ?").run(id);
  }
}
