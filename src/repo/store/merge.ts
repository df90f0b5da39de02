/**
 * Makes one lexical segment of several neighbours, without what was deleted. A question looks each of its terms up in
 * every segment, and each small edit adds one, so their number is kept down; a merge goes bucket by bucket and holds
 * only a sliver of the terms in memory, whatever the size of the tree.
 */
import { collectGarbage } from "../../platform/memory.ts";
import { lengthsOf, PostingList, writePosting } from "../search/postings.ts";
import { ByteWriter } from "../search/varint.ts";
import type { StoredSegment } from "./lexical.ts";
import { bucketOf, eachEntry, layOutBuckets } from "./postings.ts";
import { giveBack } from "./rows.ts";
import type { Store } from "./store.ts";

/**
 * A look-up costs 4 µs in a warm process and four times that in a new one, where most questions are asked: 19 terms in
 * 18 segments took 10 ms of processor time, in 8 segments 5 ms.
 */
const MAX_SEGMENTS = 10;
const WINDOW = 8;
/** The last merges of a large tree are a third of the index each. */
const SLICES_BETWEEN_LOOKS = 128;

/** Merges until there are few segments and none is mostly dead; one transaction a merge. Returns how many it made. */
export function mergeSegments(store: Store): number {
  let merges = 0;
  for (;;) {
    const window = cheapest(store.lexical.segments());
    if (window.length === 0) return merges;
    store.transaction(() => mergeInto(store, window));
    merges++;
    collectGarbage();
  }
}

/** Neighbours that are worth merging: the eight that cost least, or one that is more dead than alive. */
function cheapest(segments: readonly StoredSegment[]): readonly StoredSegment[] {
  if (segments.length <= MAX_SEGMENTS) return segments.filter((one) => one.dead > one.chunkCount).slice(0, 1);
  let best = 0;
  let bestChunks = Number.POSITIVE_INFINITY;
  for (let at = 0; at + WINDOW <= segments.length; at++) {
    let chunks = 0;
    for (let i = at; i < at + WINDOW; i++) chunks += segments[i]?.chunkCount ?? 0;
    // Later windows win a tie: what an edit has just written is the least likely to stay.
    if (chunks <= bestChunks) {
      best = at;
      bestChunks = chunks;
    }
  }
  return segments.slice(best, best + WINDOW);
}

function mergeInto(store: Store, parts: readonly StoredSegment[]): void {
  const { database, lexical } = store;
  const first = parts[0];
  const last = parts[parts.length - 1];
  if (!first || !last) return;
  const firstChunk = first.firstChunk;
  const lengths = new Uint16Array(last.firstChunk + last.chunkSpan - firstChunk);
  for (const part of parts) lengths.set(lengthsOf(part), part.firstChunk - firstChunk);
  const sum = (of: (part: StoredSegment) => number) => parts.reduce((total, part) => total + of(part), 0);
  const slices = Math.min(...parts.map((part) => part.buckets));
  // Every part's terms counted twice at most: a bucket more or less changes nothing but a scan's length.
  const buckets = Math.max(...parts.map((part) => part.buckets)) * (parts.length > 1 ? 2 : 1);
  const id = lexical.add(firstChunk, {
    chunkSpan: lengths.length,
    chunkCount: sum((part) => part.chunkCount),
    totalLength: sum((part) => part.totalLength),
    lengths: new Uint8Array(lengths.buffer),
    dictionary: "",
    buckets: Array.from({ length: buckets }, () => new Uint8Array()),
  });
  const dictionary: string[] = [];
  const merger = new ListMerger(firstChunk, lengths);
  for (let slice = 0; slice < slices; slice++) {
    const gathered = gather(store, parts, slice, slices);
    const terms = [...gathered.places.keys()];
    const listOf = (at: number): Uint8Array => {
      const term = terms[at] as string;
      const list = merger.merge(gathered, term);
      if (list.length > 0) dictionary.push(term);
      return list;
    };
    // What falls into this slice of the parts falls into these buckets of the whole: slice, slice + slices, …
    const laidOut = layOutBuckets(terms, listOf, buckets / slices, (term) =>
      Math.floor(bucketOf(term, buckets) / slices),
    );
    for (const [at, data] of laidOut.entries()) lexical.addBucket(id, slice + at * slices, data);
    for (const bytes of [...gathered.rows, ...laidOut]) giveBack(bytes);
    if (slice % SLICES_BETWEEN_LOOKS === 0) collectGarbage();
  }
  database.query("UPDATE segments SET dictionary = ? WHERE id = ?").run(`\n${dictionary.join("\n")}\n`, id);
  for (const part of parts) lexical.remove(part.id);
}

/** Rows of buckets, and where in them the lists of each term stand: a view of its own for each list is a megabyte's garbage. */
interface Gathered {
  readonly rows: readonly Uint8Array[];
  /** What the chunks of a row are counted from. */
  readonly firstChunks: readonly number[];
  /** In order of chunks: row, from, to; and again. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** The terms whose hash falls into `slice` of `slices`. */
function gather(store: Store, parts: readonly StoredSegment[], slice: number, slices: number): Gathered {
  const rows: Uint8Array[] = [];
  const firstChunks: number[] = [];
  const places = new Map<string, number[]>();
  for (const part of parts)
    for (let bucket = slice; bucket < part.buckets; bucket += slices) {
      const row = store.lexical.bucket(part.id, bucket);
      if (!row) continue;
      const index = rows.push(row) - 1;
      firstChunks.push(part.firstChunk);
      eachEntry(row, (term, from, to) => {
        const known = places.get(term);
        if (known) known.push(index, from, to);
        else places.set(term, [index, from, to]);
      });
    }
  return { rows, firstChunks, places };
}

/** Lists of one term put end to end, without chunks that are gone, counted from the merged segment's first chunk. */
class ListMerger {
  private readonly list = new PostingList();
  private readonly writer = new ByteWriter(1 << 12);

  constructor(
    private readonly firstChunk: number,
    private readonly lengths: Uint16Array,
  ) {}

  /** Good until the next call. */
  merge({ rows, firstChunks, places }: Gathered, term: string): Uint8Array {
    const { list, writer } = this;
    list.clear();
    writer.reset();
    const lists = places.get(term) ?? [];
    for (let at = 0; at < lists.length; at += 3) {
      const row = lists[at] as number;
      list.append(rows[row] as Uint8Array, lists[at + 1], lists[at + 2], firstChunks[row]);
    }
    let previous = 0;
    for (let at = 0; at < list.size; at++) {
      const chunk = (list.chunks[at] ?? 0) - this.firstChunk;
      if (!this.lengths[chunk]) continue;
      writePosting(writer, chunk - previous, list.counts[at] ?? 1);
      previous = chunk;
    }
    return writer.view();
  }
}
