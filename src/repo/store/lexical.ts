/** The lexical index as stored: segments of chunks, and the encoded lists of their terms. */
import type { Database } from "bun:sqlite";
import type { SegmentInfo } from "../search/postings.ts";
import { bucketOf, findInBucket, rebase } from "./postings.ts";
import type { SegmentRecord } from "./records.ts";
import { giveBack } from "./rows.ts";

export interface StoredSegment extends SegmentInfo {
  readonly id: number;
  readonly buckets: number;
  /** Chunks deleted since it was written. */
  readonly dead: number;
}

const COLUMNS = `id, first_chunk AS firstChunk, chunk_span AS chunkSpan, chunk_count AS chunkCount,
  total_length AS totalLength, dead, buckets, lengths`;

/** A segment of 16 million terms has as many buckets; both numbers go into one that JSON keeps exact. */
const BUCKETS_AT_MOST = 1_048_576;

export class LexicalTable {
  constructor(private readonly database: Database) {}

  /** Ascending by first chunk. */
  segments(): StoredSegment[] {
    return this.database.query<StoredSegment, []>(`SELECT ${COLUMNS} FROM segments ORDER BY first_chunk`).all();
  }

  /** The encoded list of a term in a segment, with chunk ids as they are in `chunks`. */
  list(segment: StoredSegment, term: string): Uint8Array | undefined {
    const data = this.bucket(segment.id, bucketOf(term, segment.buckets));
    const list = data && findInBucket(data, term);
    return list ? rebase(list, segment.firstChunk) : undefined;
  }

  /** The terms and lists of a bucket, undefined when it has none. */
  bucket(segment: number, bucket: number): Uint8Array | undefined {
    return this.database
      .query<{ data: Uint8Array }, [number, number, number]>(
        `SELECT data FROM term_lists WHERE id = ?1
         UNION ALL SELECT data FROM postings WHERE segment = ?2 AND bucket = ?3 LIMIT 1`,
      )
      .get(segment * BUCKETS_AT_MOST + bucket, segment, bucket)?.data;
  }

  /** Stores one; the segment is there already. */
  addBucket(segment: number, bucket: number, data: Uint8Array): void {
    if (data.length === 0) return;
    this.database.query("INSERT INTO term_lists(id, data) VALUES(?, ?)").run(segment * BUCKETS_AT_MOST + bucket, data);
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
      .query<{ key: number; data: Uint8Array }, [string]>(
        `SELECT j.value AS key, p.data FROM json_each(?1) j CROSS JOIN term_lists p ON p.id = j.value
         UNION ALL SELECT j.value, p.data FROM json_each(?1) j CROSS JOIN postings p
         ON p.segment = j.value / ${BUCKETS_AT_MOST} AND p.bucket = j.value % ${BUCKETS_AT_MOST}`,
      )
      .iterate(JSON.stringify([...wanted.keys()]));
    const found = new Map<string, { firstChunk: number; list: Uint8Array }[]>();
    for (const { key, data } of rows) {
      const firstChunk = bySegment.get(Math.floor(key / BUCKETS_AT_MOST))?.firstChunk ?? 0;
      for (const term of wanted.get(key) ?? []) {
        const list = findInBucket(data, term);
        if (!list) continue;
        // A copy in any case: the row's memory is given back.
        const own = { firstChunk, list: firstChunk === 0 ? list.slice() : rebase(list, firstChunk) };
        const lists = found.get(term);
        if (lists) lists.push(own);
        else found.set(term, [own]);
      }
      giveBack(data);
    }
    // Segments of both formats may come in any order.
    const inOrder = (lists: { firstChunk: number; list: Uint8Array }[]): Uint8Array[] =>
      lists.sort((one, other) => one.firstChunk - other.firstChunk).map((one) => one.list);
    return new Map([...found].map(([term, lists]) => [term, inOrder(lists)]));
  }

  /** The terms of each of these segments, every one between line feeds, as UTF-8. The next takes the memory of the last. */
  *dictionaries<Segment extends { readonly id: number }>(segments: readonly Segment[]): Generator<[Segment, Buffer]> {
    const read = this.database.query<{ bytes: Uint8Array }, [number]>(
      "SELECT CAST(dictionary AS BLOB) AS bytes FROM segments WHERE id = ?",
    );
    for (const segment of segments) {
      const bytes = read.get(segment.id)?.bytes;
      if (!bytes) continue;
      yield [segment, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)];
      giveBack(bytes);
    }
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
    for (const [bucket, data] of segment.buckets.entries()) this.addBucket(id, bucket, data);
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
    const first = id * BUCKETS_AT_MOST;
    this.database.query("DELETE FROM term_lists WHERE id BETWEEN ? AND ?").run(first, first + BUCKETS_AT_MOST - 1);
    this.database.query("DELETE FROM postings WHERE segment = ?").run(id);
    this.database.query("DELETE FROM segments WHERE id = ?").run(id);
  }
}
