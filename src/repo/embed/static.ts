/**
 * The embedded model: a row of int8 for each word it knows. A text's vector is the sum of its words' rows, each with
 * the weight that training gave it times 1 + log of how often it occurs, brought to unit length and stored as int8.
 * All sums are whole numbers, so a vector is the same on every machine. It never allocates a map of its vocabulary:
 * words are found through a hash table that lies in the file, and a query reads only the rows of its own words.
 *
 * File, little-endian: 64 bytes of header (magic, version, dimensions, rows, slots, hash), then `slots` uint32
 * (row + 1, 0 is free), `rows` uint32 fingerprints, `rows` int16 weights, and `rows × dimensions` int8.
 */
import { type EmbedKernel, embedKernel, gatherPlain } from "../search/simd.ts";
import { queryTerms } from "./terms.ts";

export const STATIC_MAGIC = 0x4d584e54; // "TNXM"
export const STATIC_VERSION = 1;
export const HEADER_BYTES = 64;
/** A text may have more distinct words than this; the rest would not move its vector. */
const MAX_WORDS = 512;

export interface StaticHeader {
  readonly dim: number;
  readonly rows: number;
  readonly slots: number;
}

/** A vector as it is stored: value = data[i] * scale, of unit length. */
export interface QuantisedVector {
  readonly data: Int8Array;
  readonly scale: number;
}

/** Two independent 32-bit hashes over UTF-16 units: one finds the slot, the other tells the word from its neighbours. */
export function hashTerm(term: string): { slot: number; fingerprint: number } {
  let slot = 0x811c9dc5;
  let fingerprint = 0x9e3779b9;
  for (let at = 0; at < term.length; at++) {
    const unit = term.charCodeAt(at);
    slot = Math.imul(slot ^ unit, 0x01000193);
    fingerprint = Math.imul(fingerprint ^ unit, 0x85ebca6b);
    fingerprint ^= fingerprint >>> 13;
  }
  slot ^= slot >>> 16;
  return { slot: slot >>> 0, fingerprint: fingerprint >>> 0 };
}

/**
 * 16 × (1 + ln count), rounded: a table instead of a logarithm, whose last bit differs between systems.
 * Counts beyond the end weigh like the last.
 */
const COUNT_WEIGHT = Int32Array.from(
  "16 27 34 38 42 45 47 49 51 53 54 56 57 58 59 60 61 62 63 64 65 65 66 67 68 68 69 69 70 70 71 71 72 72 73 73 74 74 75 75 75 76 76 77 77 77 78 78 78 79 79 79 80 80 80 80 81 81 81 82 82 82 82 83".split(
    " ",
  ),
  Number,
);

export function countWeight(count: number): number {
  return COUNT_WEIGHT[Math.min(count, COUNT_WEIGHT.length) - 1] ?? 0;
}

/** Unit length, then int8 with one scale. Zero stays zero. */
export function quantise(sums: Int32Array, dim: number): QuantisedVector {
  const data = new Int8Array(dim);
  return { data, scale: quantiseInto(sums, dim, data) };
}

function quantiseInto(sums: Int32Array, dim: number, data: Int8Array): number {
  let squares = 0;
  let largest = 0;
  for (let at = 0; at < dim; at++) {
    const value = sums[at] as number;
    squares += value * value;
    largest = Math.max(largest, Math.abs(value));
  }
  if (largest === 0) return 0;
  for (let at = 0; at < dim; at++) data[at] = Math.round(((sums[at] as number) * 127) / largest);
  return largest / 127 / Math.sqrt(squares);
}

/** What is read of the model's file; small parts for a question, the whole for an index. */
export interface ModelBytes {
  readonly size: number;
  read(from: number, to: number): Promise<Uint8Array>;
}

export class StaticModel {
  private readonly kernel: EmbedKernel | undefined;
  private readonly tableBytes: number;
  private readonly offsets: Int32Array;
  private readonly weights: Int32Array;
  private readonly sums: Int32Array;
  private words = 0;

  private constructor(
    readonly header: StaticHeader,
    private readonly slots: Uint32Array,
    private readonly fingerprints: Uint32Array,
    private readonly rowWeights: Int16Array,
    private table: Int8Array,
    /** Not for a few chunks: the kernel takes longer to compile than the plain loop to run. */
    withKernel = true,
  ) {
    this.tableBytes = table.length;
    const room = table.length + MAX_WORDS * 8 + header.dim * 4;
    this.kernel = withKernel ? embedKernel(room) : undefined;
    if (this.kernel) {
      const { buffer } = this.kernel.memory;
      new Int8Array(buffer, 0, table.length).set(table);
      this.offsets = new Int32Array(buffer, table.length, MAX_WORDS);
      this.weights = new Int32Array(buffer, table.length + MAX_WORDS * 4, MAX_WORDS);
      this.sums = new Int32Array(buffer, table.length + MAX_WORDS * 8, header.dim);
      // The kernel's copy is the one in use: keeping both would cost the model's size a second time.
      this.table = new Int8Array();
    } else {
      this.offsets = new Int32Array(MAX_WORDS);
      this.weights = new Int32Array(MAX_WORDS);
      this.sums = new Int32Array(header.dim);
    }
  }

  /** The whole table, for embedding many documents. */
  static async load(bytes: ModelBytes): Promise<StaticModel> {
    const layout = layoutOf(readHeader(await bytes.read(0, HEADER_BYTES)), bytes.size);
    const whole = await bytes.read(HEADER_BYTES, layout.end);
    const part = (from: number, to: number): ArrayBuffer =>
      whole.buffer.slice(whole.byteOffset + from - HEADER_BYTES, whole.byteOffset + to - HEADER_BYTES) as ArrayBuffer;
    return new StaticModel(
      layout.header,
      new Uint32Array(part(HEADER_BYTES, layout.fingerprints)),
      new Uint32Array(part(layout.fingerprints, layout.weights)),
      new Int16Array(part(layout.weights, layout.table)),
      new Int8Array(whole.buffer, whole.byteOffset + layout.table - HEADER_BYTES, layout.end - layout.table),
    );
  }

  /** A model of these words alone, with the row of each in it, -1 for those that nobody knows. */
  static async ofWords(bytes: ModelBytes, words: readonly string[]): Promise<{ model: StaticModel; rows: Int32Array }> {
    const layout = layoutOf(readHeader(await bytes.read(0, HEADER_BYTES)), bytes.size);
    const { dim } = layout.header;
    const rows = new Int32Array(words.length).fill(-1);
    const weights: number[] = [];
    const values: Uint8Array[] = [];
    for (const [at, word] of words.entries()) {
      const row = await readRowOf(bytes, layout, word);
      if (row < 0) continue;
      rows[at] = weights.length;
      weights.push(await readNumber(bytes, layout.weights + row * 2, 2));
      values.push(await bytes.read(layout.table + row * dim, layout.table + (row + 1) * dim));
    }
    const table = new Int8Array(weights.length * dim);
    for (const [row, value] of values.entries())
      table.set(new Int8Array(value.buffer, value.byteOffset, dim), row * dim);
    const none = new Uint32Array(1);
    return { model: new StaticModel(layout.header, none, none, Int16Array.from(weights), table, false), rows };
  }

  get dim(): number {
    return this.header.dim;
  }

  /** The row of a word, or -1. */
  rowOf(term: string): number {
    return findRow(term, this.slots, this.fingerprints);
  }

  /** Starts a vector. */
  begin(): void {
    this.words = 0;
  }

  /** Adds a word that occurs `count` times. */
  add(row: number, count: number): void {
    if (row < 0 || this.words >= MAX_WORDS) return;
    this.offsets[this.words] = row * this.header.dim;
    this.weights[this.words] = weightOf(this.rowWeights[row] as number, count);
    this.words++;
  }

  /** Ends the vector that `begin` started: int8 into `data`, the scale returned; 0 when no word was known. */
  end(data: Int8Array): number {
    const { dim } = this.header;
    if (this.words === 0) {
      data.fill(0);
      return 0;
    }
    if (this.kernel) {
      const base = this.tableBytes;
      this.kernel.gather(base, this.words, dim, base + MAX_WORDS * 4, base + MAX_WORDS * 8);
    } else gatherPlain(this.table, dim, this.offsets, this.weights, this.words, this.sums);
    return quantiseInto(this.sums, dim, data);
  }

  embed(terms: readonly string[]): QuantisedVector {
    this.begin();
    for (const [term, count] of countTerms(terms)) this.add(this.rowOf(term), count);
    const data = new Int8Array(this.header.dim);
    return { data, scale: this.end(data) };
  }
}

/** A question's vector, from a few bytes for each of its words: the tables of all words take 4 ms to read. */
export async function embedQuery(bytes: ModelBytes, text: string): Promise<QuantisedVector> {
  const layout = layoutOf(readHeader(await bytes.read(0, HEADER_BYTES)), bytes.size);
  const { dim } = layout.header;
  const sums = new Int32Array(dim);
  let known = 0;
  for (const [term, count] of countTerms(queryTerms(text))) {
    const row = known < MAX_WORDS ? await readRowOf(bytes, layout, term) : -1;
    if (row < 0) continue;
    known++;
    const weight = weightOf(await readNumber(bytes, layout.weights + row * 2, 2), count);
    const at = layout.table + row * dim;
    const values = await bytes.read(at, at + dim);
    for (let column = 0; column < dim; column++)
      sums[column] = (sums[column] as number) + weight * (((values[column] as number) << 24) >> 24);
  }
  return quantise(sums, dim);
}

/** `findRow`, reading only the slots that it meets. */
async function readRowOf(bytes: ModelBytes, layout: Layout, term: string): Promise<number> {
  const { slot, fingerprint } = hashTerm(term);
  const mask = layout.header.slots - 1;
  for (let at = slot & mask; ; at = (at + 1) & mask) {
    const entry = await readNumber(bytes, HEADER_BYTES + at * 4, 4);
    if (entry === 0) return -1;
    if ((await readNumber(bytes, layout.fingerprints + (entry - 1) * 4, 4)) === fingerprint) return entry - 1;
  }
}

/** 4 bytes without a sign, 2 with one. */
async function readNumber(bytes: ModelBytes, at: number, size: 2 | 4): Promise<number> {
  const read = await bytes.read(at, at + size);
  const view = new DataView(read.buffer, read.byteOffset, size);
  return size === 4 ? view.getUint32(0, true) : view.getInt16(0, true);
}

/** Row weights are at most 4095, so a weight stays below 2^15 and a sum of 512 words inside 32 bits. */
function weightOf(rowWeight: number, count: number): number {
  return (rowWeight * countWeight(count)) >> 4;
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function findRow(term: string, slots: Uint32Array, fingerprints: Uint32Array): number {
  const { slot, fingerprint } = hashTerm(term);
  const mask = slots.length - 1;
  for (let at = slot & mask; ; at = (at + 1) & mask) {
    const entry = slots[at] as number;
    if (entry === 0) return -1;
    if (fingerprints[entry - 1] === fingerprint) return entry - 1;
  }
}

interface Layout {
  readonly header: StaticHeader;
  readonly fingerprints: number;
  readonly weights: number;
  readonly table: number;
  readonly end: number;
}

function layoutOf(header: StaticHeader, size: number): Layout {
  const fingerprints = HEADER_BYTES + header.slots * 4;
  const weights = fingerprints + header.rows * 4;
  const table = Math.ceil((weights + header.rows * 2) / 16) * 16;
  const end = table + header.rows * header.dim;
  if (end !== size) throw new Error(`the embedded model has ${size} bytes, its header says ${end}`);
  return { header, fingerprints, weights, table, end };
}

function readHeader(bytes: Uint8Array): StaticHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== STATIC_MAGIC) throw new Error("no embedded model");
  if (view.getUint32(4, true) !== STATIC_VERSION) throw new Error("an embedded model of another format");
  return { dim: view.getUint32(8, true), rows: view.getUint32(12, true), slots: view.getUint32(16, true) };
}
