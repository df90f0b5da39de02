/**
 * Two inner loops as a small WebAssembly module with SIMD, assembled here byte by byte so that its source is what is
 * read: `scan` gives the int32 dot product of a query with each int8 row, `gather` sums weighted rows. Integers
 * throughout, so the plain JavaScript loops beside them give the same results, and every machine the same vectors.
 * Rows have a multiple of 16 dimensions.
 */

const I32 = 0x7f;
const V128 = 0x7b;

const leb = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  do {
    const byte = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest ? byte | 0x80 : byte);
  } while (rest);
  return bytes;
};
/** Signed LEB128, for constants. */
const sleb = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const byte = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && !(byte & 0x40)) || (rest === -1 && byte & 0x40)) {
      bytes.push(byte);
      return bytes;
    }
    bytes.push(byte | 0x80);
  }
};
const section = (id: number, body: readonly number[]): number[] => [id, ...leb(body.length), ...body];
const vector = (items: readonly (readonly number[])[]): number[] => [...leb(items.length), ...items.flat()];
const name = (text: string): number[] => [...leb(text.length), ...new TextEncoder().encode(text)];

const get = (local: number): number[] => [0x20, ...leb(local)];
const set = (local: number): number[] => [0x21, ...leb(local)];
const constant = (value: number): number[] => [0x41, ...sleb(value)];
const ADD = 0x6a;
const simd = (op: number): number[] => [0xfd, ...leb(op)];
/** Loads and stores: alignment hint 0, no offset. */
const load128 = [...simd(0x00), 0, 0];
const store128 = [...simd(0x0b), 0, 0];
const load32 = [0x28, 2, 0];
const store32 = [0x36, 2, 0];
const i16x8ExtendLow = simd(0x87);
const i16x8ExtendHigh = simd(0x88);
const i32x4Dot = simd(0xba);
const i32x4Add = simd(0xae);
const i16x8Splat = simd(0x10);
const i32x4ExtmulLow = simd(0xbc);
const i32x4ExtmulHigh = simd(0xbd);
const i32x4Lane = (lane: number): number[] => [...simd(0x1b), lane];
const zero128 = [...simd(0x0c), ...new Array<number>(16).fill(0)];
const advance = (local: number, by: readonly number[]): number[] => [...get(local), ...by, ADD, ...set(local)];
/** `do { body } while (local < limit)`, unsigned. */
const loopWhileBelow = (local: number, limit: number, body: readonly number[]): number[] => [
  ...[0x03, 0x40],
  ...body,
  ...[...get(local), ...get(limit), 0x49, 0x0d, 0],
  0x0b,
];
const code = (locals: readonly (readonly [count: number, type: number])[], body: readonly number[]): number[] => {
  const bytes = [...vector(locals.map(([count, type]) => [...leb(count), type])), ...body, 0x0b];
  return [...leb(bytes.length), ...bytes];
};

/** scan(rows, count > 0, dim, query as int16, out): out[i] = rows[i] · query */
function scanCode(): number[] {
  const [rows, count, dim, query, out, end, rowEnd, q] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const [sumA, sumB, bytes] = [8, 9, 10] as const;
  const inner = [
    ...get(rows),
    ...load128,
    ...set(bytes),
    ...[...get(sumA), ...get(bytes), ...i16x8ExtendLow, ...get(q), ...load128, ...i32x4Dot, ...i32x4Add, ...set(sumA)],
    ...[...get(sumB), ...get(bytes), ...i16x8ExtendHigh, ...get(q), ...constant(16), ADD, ...load128],
    ...[...i32x4Dot, ...i32x4Add, ...set(sumB)],
    ...advance(rows, constant(16)),
    ...advance(q, constant(32)),
  ];
  const lanes = [0, 1, 2, 3].flatMap((lane) => [...get(sumA), ...i32x4Lane(lane), ...(lane > 0 ? [ADD] : [])]);
  return code(
    [
      [3, I32],
      [3, V128],
    ],
    [
      // end = out + count * 4
      ...[...get(out), ...get(count), ...constant(2), 0x74, ADD, ...set(end)],
      ...loopWhileBelow(out, end, [
        ...[...get(rows), ...get(dim), ADD, ...set(rowEnd)],
        ...[...get(query), ...set(q), ...zero128, ...set(sumA), ...zero128, ...set(sumB)],
        ...loopWhileBelow(rows, rowEnd, inner),
        ...[...get(sumA), ...get(sumB), ...i32x4Add, ...set(sumA)],
        ...[...get(out), ...lanes, ...store32],
        ...advance(out, constant(4)),
      ]),
    ],
  );
}

/** gather(offsets of rows, count > 0, dim, weights, out): out = Σ weights[i] · row at offsets[i], as int32 */
function gatherCode(): number[] {
  const [offsets, count, dim, weights, out, column, at, atEnd, weightAt] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const [a, b, c, d, bytes, low, high, weight] = [9, 10, 11, 12, 13, 14, 15, 16] as const;
  const accumulate = (sum: number, half: number, multiply: readonly number[]): number[] => [
    ...[...get(sum), ...get(half), ...get(weight), ...multiply, ...i32x4Add, ...set(sum)],
  ];
  return code(
    [
      [4, I32],
      [8, V128],
    ],
    [
      ...[...constant(0), ...set(column)],
      ...loopWhileBelow(column, dim, [
        ...[a, b, c, d].flatMap((sum) => [...zero128, ...set(sum)]),
        ...[...get(offsets), ...set(at), ...get(weights), ...set(weightAt)],
        ...[...get(offsets), ...get(count), ...constant(2), 0x74, ADD, ...set(atEnd)],
        ...loopWhileBelow(at, atEnd, [
          ...[...get(at), ...load32, ...get(column), ADD, ...load128, ...set(bytes)],
          ...[...get(bytes), ...i16x8ExtendLow, ...set(low), ...get(bytes), ...i16x8ExtendHigh, ...set(high)],
          ...[...get(weightAt), ...load32, ...i16x8Splat, ...set(weight)],
          ...accumulate(a, low, i32x4ExtmulLow),
          ...accumulate(b, low, i32x4ExtmulHigh),
          ...accumulate(c, high, i32x4ExtmulLow),
          ...accumulate(d, high, i32x4ExtmulHigh),
          ...advance(at, constant(4)),
          ...advance(weightAt, constant(4)),
        ]),
        ...[a, b, c, d].flatMap((sum, index) => [
          ...[...get(out), ...constant(index * 16), ADD, ...get(sum), ...store128],
        ]),
        ...advance(out, constant(64)),
        ...advance(column, constant(16)),
      ]),
    ],
  );
}

export function simdModuleBytes(): Uint8Array<ArrayBuffer> {
  const signature = [0x60, ...vector(new Array(5).fill([I32])), 0];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([signature])),
    // The memory comes from outside, so that its size is the caller's.
    ...section(2, vector([[...name("m"), ...name("m"), 0x02, 0x00, 1]])),
    ...section(3, vector([[0], [0]])),
    ...section(
      7,
      vector([
        [...name("scan"), 0x00, 0],
        [...name("gather"), 0x00, 1],
      ]),
    ),
    ...section(10, vector([scanCode(), gatherCode()])),
  ]);
}

type Five = (a: number, b: number, c: number, d: number, e: number) => void;
export interface SimdKernel {
  readonly memory: WebAssembly.Memory;
  readonly scan: Five;
  readonly gather: Five;
}

let compiled: WebAssembly.Module | undefined;

/** An instance over a memory of its own, or undefined where SIMD is missing: the JavaScript loops then serve. */
export function simdKernel(bytes: number): SimdKernel | undefined {
  try {
    compiled ??= new WebAssembly.Module(simdModuleBytes());
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) + 1 });
    const { scan, gather } = new WebAssembly.Instance(compiled, { m: { m: memory } }).exports as unknown as SimdKernel;
    return { memory, scan, gather };
  } catch {
    return undefined;
  }
}

/** `scan` in JavaScript. */
export function scanPlain(rows: Int8Array, dim: number, query: Int8Array, out: Int32Array): void {
  const count = Math.floor(rows.length / dim);
  for (let row = 0, at = 0; row < count; row++) {
    let sum = 0;
    for (let column = 0; column < dim; column++) sum += (rows[at++] as number) * (query[column] as number);
    out[row] = sum;
  }
}

/** `gather` in JavaScript. */
export function gatherPlain(
  table: Int8Array,
  dim: number,
  offsets: Int32Array,
  weights: Int32Array,
  count: number,
  out: Int32Array,
): void {
  out.fill(0, 0, dim);
  for (let at = 0; at < count; at++) {
    const from = offsets[at] as number;
    const weight = weights[at] as number;
    for (let column = 0; column < dim; column++)
      out[column] = (out[column] as number) + weight * (table[from + column] as number);
  }
}
