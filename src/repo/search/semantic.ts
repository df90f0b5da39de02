/**
 * The vector side of a search: every stored row against the query's vector, in blocks, integers only until the end.
 * Reads ids, scales and int8 rows; never text.
 */
import type { QuantisedVector } from "../embed/static.ts";
import { lengthsOf, type SegmentInfo } from "./postings.ts";
import { type SearchKernel, scanPlain, searchKernel } from "./simd.ts";
import type { VectorBlock } from "./source.ts";
import { SCORES_A_MAXIMUM } from "./topk.ts";

export interface SemanticScores {
  /** Chunk id of `scores[0]`. */
  readonly offset: number;
  readonly scores: Float32Array;
  /** For `topK`, of these scores or of others of the same length. */
  readonly maximaOf: ((scores: Float32Array) => Float32Array) | undefined;
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
  const offset = first.firstChunk;
  const span = last.firstChunk + last.chunkSpan - offset;
  const dim = query.data.length;
  let scorer: Scorer | undefined;
  for (const block of blocks) {
    if (block.dim !== dim || block.ids.length === 0) continue;
    scorer ??=
      (dim % 16 === 0 ? KernelScorer.make(query, offset, span) : undefined) ?? new PlainScorer(query, offset, span);
    for (let from = 0; from < block.ids.length; from += ROWS_AT_ONCE)
      scorer.add(block, from, Math.min(block.ids.length, from + ROWS_AT_ONCE));
  }
  if (!scorer) return undefined;
  const scores = scorer.finish();
  for (const segment of segments) {
    if (segment.chunkCount === segment.chunkSpan) continue;
    const lengths = lengthsOf(segment);
    const base = segment.firstChunk - offset;
    for (let at = 0; at < lengths.length; at++) if (lengths[at] === 0) scores[base + at] = 0;
  }
  return { offset, scores, maximaOf: scorer.maximaOf?.bind(scorer) };
}

interface Scorer {
  /** Takes rows `from` to `to` of a block, at most `ROWS_AT_ONCE`. */
  add(block: VectorBlock, from: number, to: number): void;
  finish(): Float32Array;
  maximaOf?(scores: Float32Array): Float32Array;
}

/**
 * Collects rows in the kernel's memory and scores them there. Blocks are as small as a page of the database, and a loop
 * over all rows in JavaScript would run before it is compiled: a question is asked once a process.
 */
class KernelScorer implements Scorer {
  private readonly bytes: Uint8Array;
  private readonly dim: number;
  /** Addresses in the kernel's memory, in its order; rows begin at 0. */
  private readonly query: number;
  private readonly products: number;
  private readonly ids: number;
  private readonly scales: number;
  private readonly parameters: number;
  private readonly scores: number;
  private readonly maxima: number;
  private readonly groups: number;
  private rows = 0;

  static make(query: QuantisedVector, offset: number, span: number): KernelScorer | undefined {
    const dim = query.data.length;
    const bytes = ROWS_AT_ONCE * (dim + 12) + dim * 2 + 32 + (span + SCORES_A_MAXIMUM) * 5;
    const kernel = searchKernel(bytes);
    return kernel && new KernelScorer(kernel, query, offset, span);
  }

  private constructor(
    private readonly kernel: SearchKernel,
    query: QuantisedVector,
    offset: number,
    private readonly span: number,
  ) {
    const { buffer } = kernel.memory;
    this.bytes = new Uint8Array(buffer);
    this.dim = query.data.length;
    this.groups = Math.ceil(span / SCORES_A_MAXIMUM);
    this.query = ROWS_AT_ONCE * this.dim;
    this.products = this.query + this.dim * 2;
    this.ids = this.products + ROWS_AT_ONCE * 4;
    this.scales = this.ids + ROWS_AT_ONCE * 4;
    this.parameters = this.scales + ROWS_AT_ONCE * 4;
    this.scores = this.parameters + 32;
    this.maxima = this.scores + this.groups * SCORES_A_MAXIMUM * 4;
    new Int16Array(buffer, this.query, this.dim).set(query.data);
    new Uint32Array(buffer, this.parameters, 3).set([this.scores, offset, span]);
    new Float64Array(buffer, this.parameters + 16, 1)[0] = query.scale;
  }

  add(block: VectorBlock, from: number, to: number): void {
    if (this.rows + to - from > ROWS_AT_ONCE) this.flush();
    const { dim, rows } = this;
    this.bytes.set(bytesOf(block.data, from * dim, to * dim), rows * dim);
    this.bytes.set(bytesOf(block.ids, from, to), this.ids + rows * 4);
    this.bytes.set(bytesOf(block.scales, from, to), this.scales + rows * 4);
    this.rows += to - from;
  }

  finish(): Float32Array {
    this.flush();
    return new Float32Array(this.bytes.buffer, this.scores, this.span);
  }

  maximaOf(scores: Float32Array): Float32Array {
    let address = scores.byteOffset;
    if (scores.buffer !== this.bytes.buffer) {
      // Rows are done with: their room holds the others. More scores than room: no maxima, and `topK` goes without.
      if (scores.length > this.span || scores.byteLength + 64 > this.query) return new Float32Array(0);
      address = 0;
      this.bytes.fill(0, scores.byteLength, scores.byteLength + 64);
      this.bytes.set(bytesOf(scores, 0, scores.length), 0);
    }
    const groups = Math.ceil(scores.length / SCORES_A_MAXIMUM);
    this.kernel.maxima(address, groups, this.maxima, 0, 0);
    return new Float32Array(this.bytes.buffer, this.maxima, groups).slice();
  }

  private flush(): void {
    if (this.rows === 0) return;
    this.kernel.scan(0, this.rows, this.dim, this.query, this.products);
    this.kernel.place(this.products, this.rows, this.ids, this.scales, this.parameters);
    this.rows = 0;
  }
}

class PlainScorer implements Scorer {
  private readonly scores: Float32Array;
  private readonly products = new Int32Array(ROWS_AT_ONCE);

  constructor(
    private readonly query: QuantisedVector,
    private readonly offset: number,
    span: number,
  ) {
    this.scores = new Float32Array(span);
  }

  add(block: VectorBlock, from: number, to: number): void {
    scanPlain(block.data.subarray(from * block.dim, to * block.dim), block.dim, this.query.data, this.products);
    for (let row = from; row < to; row++) {
      const slot = (block.ids[row] as number) - this.offset;
      if (slot >= 0 && slot < this.scores.length)
        this.scores[slot] = (this.products[row - from] as number) * (block.scales[row] as number) * this.query.scale;
    }
  }

  finish(): Float32Array {
    return this.scores;
  }
}

function bytesOf(array: Int8Array | Uint32Array | Float32Array, from: number, to: number): Uint8Array {
  const size = array.BYTES_PER_ELEMENT;
  return new Uint8Array(array.buffer, array.byteOffset + from * size, (to - from) * size);
}
