/**
 * The vector side of a search: every stored row against the query's vector, in blocks, integers only until the end.
 * Reads ids, scales and int8 rows; never text.
 */
import type { QuantisedVector } from "../embed/static.ts";
import { lengthsOf, type SegmentInfo } from "./postings.ts";
import { type SimdKernel, scanPlain, simdKernel } from "./simd.ts";
import type { VectorBlock } from "./source.ts";

export interface SemanticScores {
  /** Chunk id of `scores[0]`. */
  readonly offset: number;
  readonly scores: Float32Array;
}

/** Rows that are copied into the kernel's memory at a time: small enough for a cache, large enough to amortise a call. */
const ROWS_AT_ONCE = 2048;

/**
 * Cosine of the query with every row, as one score a chunk id. The segments say which chunks still live: rows of
 * others are passed over. Of two rows of a chunk the later one counts.
 */
export function scoreSemantic(
  blocks: Iterable<VectorBlock>,
  query: QuantisedVector,
  segments: readonly SegmentInfo[],
): SemanticScores | undefined {
  const first = segments[0];
  const last = segments.at(-1);
  if (query.scale === 0 || !first || !last) return undefined;
  const firstChunk = first.firstChunk;
  const span = last.firstChunk + last.chunkSpan - firstChunk;
  const scores = new Float32Array(span);
  let scanner: Scanner | undefined;
  let rows = 0;
  for (const block of blocks) {
    if (block.dim !== query.data.length) continue;
    scanner ??= new Scanner(query);
    for (let from = 0; from < block.ids.length; from += ROWS_AT_ONCE) {
      const to = Math.min(block.ids.length, from + ROWS_AT_ONCE);
      const dots = scanner.scan(block.data.subarray(from * block.dim, to * block.dim), to - from);
      for (let row = from; row < to; row++) {
        const slot = (block.ids[row] as number) - firstChunk;
        if (slot >= 0 && slot < span)
          scores[slot] = (dots[row - from] as number) * (block.scales[row] as number) * query.scale;
      }
      rows += to - from;
    }
  }
  if (rows === 0) return undefined;
  for (const segment of segments) {
    if (segment.chunkCount === segment.chunkSpan) continue;
    const lengths = lengthsOf(segment);
    const base = segment.firstChunk - firstChunk;
    for (let at = 0; at < lengths.length; at++) if (lengths[at] === 0) scores[base + at] = 0;
  }
  return { offset: firstChunk, scores };
}

class Scanner {
  private readonly kernel: SimdKernel | undefined;
  private readonly rows: Int8Array;
  private readonly dots: Int32Array;

  constructor(private readonly query: QuantisedVector) {
    const dim = query.data.length;
    const rowBytes = ROWS_AT_ONCE * dim;
    this.kernel = dim % 16 === 0 ? simdKernel(rowBytes + dim * 2 + ROWS_AT_ONCE * 4) : undefined;
    if (this.kernel) {
      const { buffer } = this.kernel.memory;
      this.rows = new Int8Array(buffer, 0, rowBytes);
      new Int16Array(buffer, rowBytes, dim).set(query.data);
      this.dots = new Int32Array(buffer, rowBytes + dim * 2, ROWS_AT_ONCE);
    } else {
      this.rows = new Int8Array();
      this.dots = new Int32Array(ROWS_AT_ONCE);
    }
  }

  scan(rows: Int8Array, count: number): Int32Array {
    const dim = this.query.data.length;
    if (this.kernel) {
      this.rows.set(rows);
      this.kernel.scan(0, count, dim, ROWS_AT_ONCE * dim, ROWS_AT_ONCE * dim + dim * 2);
    } else scanPlain(rows, dim, this.query.data, this.dots);
    return this.dots;
  }
}
