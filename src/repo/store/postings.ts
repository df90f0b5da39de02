/**
 * The layout of one segment's terms: a row holds a hash bucket of about 16 terms, each
 * `[length of term][term, UTF-8][length of list][list]` with LEB128 lengths. A row a term would cost eight times the
 * writes. What a list says is `search/postings.ts`'s business, here it is bytes.
 */

const TERMS_PER_BUCKET = 16;
const encoder = new TextEncoder();
/** Where a bucket is laid out; grows to the largest one. */
let scratch = new Uint8Array(64 * 1024);

/** A power of two, so that a bucket of a merged segment draws on known buckets of its parts. */
export function bucketCount(terms: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(terms / TERMS_PER_BUCKET)));
}

/** FNV-1a over UTF-16 units: stable across builds and machines, since it is stored. */
export function bucketOf(term: string, buckets: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return (hash >>> 0) % buckets;
}

/**
 * Lays out terms and their lists in `buckets` buckets; a term with an empty list is left out. `listOf(i)` may hand out
 * the same buffer again and again: it is copied at once.
 */
export function layOutBuckets(
  terms: readonly string[],
  listOf: (index: number) => Uint8Array,
  buckets = bucketCount(terms.length),
  placeOf: (term: string) => number = (term) => bucketOf(term, buckets),
): Uint8Array[] {
  const members: number[][] = Array.from({ length: buckets }, () => []);
  for (let i = 0; i < terms.length; i++) members[placeOf(terms[i] as string)]?.push(i);
  return members.map((list) => {
    let at = 0;
    for (const index of list) {
      const term = terms[index] as string;
      const data = listOf(index);
      if (data.length === 0) continue;
      const needed = at + term.length * 3 + data.length + 10;
      if (needed > scratch.length) {
        const wider = new Uint8Array(Math.max(needed, scratch.length * 2));
        wider.set(scratch.subarray(0, at));
        scratch = wider;
      }
      at = writeTerm(scratch, at, term);
      at = writeVarint(scratch, at, data.length);
      scratch.set(data, at);
      at += data.length;
    }
    return scratch.slice(0, at);
  });
}

/** The list of `term` in a bucket's row, or undefined. */
export function findInBucket(bucket: Uint8Array, term: string): Uint8Array | undefined {
  const wanted = encoder.encode(term);
  let at = 0;
  while (at < bucket.length) {
    let length = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = bucket[at++] as number;
      length |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    let same = length === wanted.length;
    for (let i = 0; same && i < length; i++) same = bucket[at + i] === wanted[i];
    at += length;
    let size = 0;
    shift = 0;
    do {
      byte = bucket[at++] as number;
      size |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    if (same) return bucket.subarray(at, at + size);
    at += size;
  }
  return undefined;
}

/** Calls `visit` for every term of a bucket's row with the place of its list in the row; for merging. */
export function eachEntry(row: Uint8Array, visit: (term: string, from: number, to: number) => void): void {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  let at = 0;
  const varint = (): number => {
    let value = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = bytes[at++] as number;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    return value;
  };
  while (at < bytes.length) {
    const length = varint();
    const term = bytes.toString("utf8", at, at + length);
    at += length;
    const size = varint();
    visit(term, at, at + size);
    at += size;
  }
}

/**
 * A list with its first chunk moved by `by`. Lists are stored counted from their segment's first chunk, so that a
 * worker can build a segment before its ids are known; only the first number of a list says where it begins.
 */
export function rebase(list: Uint8Array, by: number): Uint8Array {
  if (by === 0 || list.length === 0) return list;
  let at = 0;
  let value = 0;
  let scale = 1;
  let byte: number;
  do {
    byte = list[at++] as number;
    value += (byte & 0x7f) * scale;
    scale *= 128;
  } while (byte & 0x80 && at < list.length);
  // The low bit is a flag of the format, the chunk is above it.
  const moved = value + by * 2;
  const out = new Uint8Array(list.length - at + 6);
  let end = 0;
  let rest = moved;
  while (rest >= 0x80) {
    out[end++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  out[end++] = rest;
  out.set(list.subarray(at), end);
  return out.subarray(0, end + list.length - at);
}

function writeTerm(target: Uint8Array, at: number, term: string): number {
  let ascii = term.length < 0x80;
  for (let i = 0; ascii && i < term.length; i++) {
    const code = term.charCodeAt(i);
    if (code >= 0x80) ascii = false;
    else target[at + 1 + i] = code;
  }
  if (ascii) {
    target[at] = term.length;
    return at + 1 + term.length;
  }
  const bytes = encoder.encode(term);
  const start = writeVarint(target, at, bytes.length);
  target.set(bytes, start);
  return start + bytes.length;
}

function writeVarint(target: Uint8Array, at: number, value: number): number {
  let rest = value;
  while (rest >= 0x80) {
    target[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[at++] = rest;
  return at;
}
