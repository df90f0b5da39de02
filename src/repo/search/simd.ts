/**
 * Inner loops as small WebAssembly modules with SIMD, assembled here byte by byte so that their source is what is read.
 * For searching: `scan` gives the int32 dot product of a query with each int8 row, `place` makes scores of the products
 * and puts each at its chunk, `maxima` says where high scores are. For embedding: `gather` sums weighted rows. Sums are
 * integers and products are made in the order of the plain JavaScript loops beside them, so results are the same to the
 * bit on every machine. Rows have a multiple of 16 dimensions.
 */

const I32 = 0x7f;
const V128 = 0x7b;
const F64 = 0x7c;

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
const tee = (local: number): number[] => [0x22, ...leb(local)];
const constant = (value: number): number[] => [0x41, ...sleb(value)];
const ADD = 0x6a;
const simd = (op: number): number[] => [0xfd, ...leb(op)];
/** Loads and stores: alignment hint 0, no offset. */
const load128 = [...simd(0x00), 0, 0];
const load128At = (offset: number): number[] => [...simd(0x00), 0, ...leb(offset)];
const store128 = [...simd(0x0b), 0, 0];
const load32 = [0x28, 2, 0];
const store32 = [0x36, 2, 0];
const loadF32 = [0x2a, 2, 0];
const storeF32 = [0x38, 2, 0];
const loadF64 = [0x2b, 3, 0];
const SUBTRACT = 0x6b;
const SHIFT_LEFT = 0x74;
const IS_BELOW = 0x49;
const f64Product = 0xa2;
const f64OfI32 = 0xb7;
const f64OfF32 = 0xbb;
const f32OfF64 = 0xb6;
const f32Max = 0x97;
const f32x4Max = simd(0xe9);
const f32x4Lane = (lane: number): number[] => [...simd(0x1f), lane];
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

/**
 * scan(rows, count > 0, dim, query as int16, out): out[i] = rows[i] · query. `stride` dimensions are done in a step, of
 * which `dim` is a multiple. With 128 a row of the embedded model is one step: until the engine has compiled the loop
 * it interprets it, and half as many instructions are half the time (36,000 rows: 9 ms against 5 in a new process).
 */
function scanCode(stride: number): number[] {
  const [rows, count, dim, query, out, end, rowEnd, q] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const [sum, bytes] = [8, 9] as const;
  const sixteen = (at: number): number[] => [
    ...[...get(rows), ...load128At(at), ...tee(bytes), ...i16x8ExtendLow, ...get(q), ...load128At(at * 2), ...i32x4Dot],
    ...[...get(bytes), ...i16x8ExtendHigh, ...get(q), ...load128At(at * 2 + 16), ...i32x4Dot, ...i32x4Add],
  ];
  const parts = Array.from({ length: stride / 16 }, (_, part) => [...sixteen(part * 16), ...i32x4Add]);
  const inner = [
    ...[...get(sum), ...parts.flat(), ...set(sum)],
    ...advance(rows, constant(stride)),
    ...advance(q, constant(stride * 2)),
  ];
  const lanes = [0, 1, 2, 3].flatMap((lane) => [...get(sum), ...i32x4Lane(lane), ...(lane > 0 ? [ADD] : [])]);
  return code(
    [
      [3, I32],
      [2, V128],
    ],
    [
      // end = out + count * 4
      ...[...get(out), ...get(count), ...constant(2), 0x74, ADD, ...set(end)],
      ...loopWhileBelow(out, end, [
        ...[...get(rows), ...get(dim), ADD, ...set(rowEnd)],
        ...[...get(query), ...set(q), ...zero128, ...set(sum)],
        ...loopWhileBelow(rows, rowEnd, inner),
        ...[...get(out), ...lanes, ...store32],
        ...advance(out, constant(4)),
      ]),
    ],
  );
}

/**
 * place(products, count > 0, ids, scales, parameters): scores[id - first] = product × scale × the query's scale, where
 * the parameters are the address of the scores, the first id, how many ids there are (others are passed over), 4 bytes
 * of nothing, and the query's scale as float64.
 */
function placeCode(): number[] {
  const [products, count, ids, scales, parameters, end, slot, scores, first, span, factor] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ] as const;
  const parameter = (offset: number): number[] => [...get(parameters), ...constant(offset), ADD, ...load32];
  return code(
    [
      [5, I32],
      [1, F64],
    ],
    [
      ...[...parameter(0), ...set(scores), ...parameter(4), ...set(first), ...parameter(8), ...set(span)],
      ...[...get(parameters), ...constant(16), ADD, ...loadF64, ...set(factor)],
      ...[...get(products), ...get(count), ...constant(2), SHIFT_LEFT, ADD, ...set(end)],
      ...loopWhileBelow(products, end, [
        ...[...get(ids), ...load32, ...get(first), SUBTRACT, ...set(slot)],
        ...[...get(slot), ...get(span), IS_BELOW, 0x04, 0x40],
        ...[...get(scores), ...get(slot), ...constant(2), SHIFT_LEFT, ADD],
        ...[...get(products), ...load32, f64OfI32, ...get(scales), ...loadF32, f64OfF32, f64Product],
        ...[...get(factor), f64Product, f32OfF64, ...storeF32],
        0x0b,
        ...[products, ids, scales].flatMap((local) => advance(local, constant(4))),
      ]),
    ],
  );
}

/** maxima(scores, count > 0, out): out[i] = the highest of the 16 float32 from scores[16 i] on */
function maximaCode(): number[] {
  const [scores, count, out, end, highest] = [0, 1, 2, 5, 6] as const;
  const quarter = (index: number): number[] => [...get(scores), ...constant(index * 16), ADD, ...load128];
  const lanes = [0, 1, 2, 3].flatMap((lane) => [...get(highest), ...f32x4Lane(lane), ...(lane > 0 ? [f32Max] : [])]);
  return code(
    [
      [1, I32],
      [1, V128],
    ],
    [
      ...[...get(out), ...get(count), ...constant(2), SHIFT_LEFT, ADD, ...set(end)],
      ...loopWhileBelow(out, end, [
        ...[...quarter(0), ...quarter(1), ...f32x4Max, ...quarter(2), ...quarter(3), ...f32x4Max, ...f32x4Max],
        ...set(highest),
        ...[...get(out), ...lanes, ...storeF32],
        ...advance(scores, constant(64)),
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

/** Functions of five integers each; searching and embedding have a module of their own, as compiling is what costs. */
function moduleOf(functions: Readonly<Record<string, readonly number[]>>): Uint8Array<ArrayBuffer> {
  const names = Object.keys(functions);
  const signature = [0x60, ...vector(new Array(5).fill([I32])), 0];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([signature])),
    // The memory comes from outside, so that its size is the caller's.
    ...section(2, vector([[...name("m"), ...name("m"), 0x02, 0x00, 1]])),
    ...section(3, vector(names.map(() => [0]))),
    ...section(7, vector(names.map((one, index) => [...name(one), 0x00, index]))),
    ...section(10, vector(Object.values(functions))),
  ]);
}

type Five = (a: number, b: number, c: number, d: number, e: number) => void;
export interface SearchKernel {
  readonly memory: WebAssembly.Memory;
  readonly scan: Five;
  readonly place: Five;
  readonly maxima: Five;
}
interface SearchExports extends Omit<SearchKernel, "scan"> {
  readonly scan16: Five;
  readonly scan128: Five;
}
export interface EmbedKernel {
  readonly memory: WebAssembly.Memory;
  readonly gather: Five;
}

let searching: WebAssembly.Module | undefined;
let embedding: WebAssembly.Module | undefined;

/** An instance over a memory of its own, or undefined where SIMD is missing: the JavaScript loops then serve. */
export function searchKernel(bytes: number): SearchKernel | undefined {
  try {
    searching ??= new WebAssembly.Module(
      moduleOf({ scan16: scanCode(16), scan128: scanCode(128), place: placeCode(), maxima: maximaCode() }),
    );
    const { memory, scan16, scan128, place, maxima } = instance<SearchExports>(searching, bytes);
    const scan: Five = (rows, count, dim, query, out) =>
      (dim % 128 === 0 ? scan128 : scan16)(rows, count, dim, query, out);
    return { memory, scan, place, maxima };
  } catch {
    return undefined;
  }
}

const WARMING_ROWS = 1024;

/**
 * Runs the wide loop over nothing, so that the engine compiles it on another thread while this one scores words: a
 * question is over before the engine would have done so by itself (36,000 rows: 3 ms).
 */
export function warmSearchKernel(): void {
  const rows = WARMING_ROWS * 128;
  searchKernel(rows + 256 + WARMING_ROWS * 4)?.scan(0, WARMING_ROWS, 128, rows, rows + 256);
}

/** An instance of `gather`, likewise. */
export function embedKernel(bytes: number): EmbedKernel | undefined {
  try {
    embedding ??= new WebAssembly.Module(moduleOf({ gather: gatherCode() }));
    return instance<EmbedKernel>(embedding, bytes);
  } catch {
    return undefined;
  }
}

function instance<Kernel>(module: WebAssembly.Module, bytes: number): Kernel {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) + 1 });
  return { memory, ...new WebAssembly.Instance(module, { m: { m: memory } }).exports } as Kernel;
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
