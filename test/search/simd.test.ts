import { describe, expect, test } from "bun:test";
import { embedKernel, gatherPlain, scanPlain, searchKernel } from "../../src/repo/search/simd.ts";

const DIM = 48;
/** A row in one step of the wide loop, and in several. */
const DIMS = [DIM, 128, 384];
let state = 7;
const next = (): number => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return state >>> 8;
};
const bytes = (length: number): Int8Array => Int8Array.from({ length }, () => (next() % 255) - 127);

describe("the SIMD loops", () => {
  test.each(DIMS)("scan of %i dimensions gives what the plain loop gives, on extreme values too", (dim) => {
    const rows = bytes(dim * 37);
    rows.fill(-128, 0, dim);
    rows.fill(127, dim, 2 * dim);
    const query = bytes(dim);
    const plain = new Int32Array(37);
    scanPlain(rows, dim, query, plain);
    const kernel = searchKernel(1 << 16);
    if (!kernel) throw new Error("this machine has no WebAssembly SIMD");
    new Int8Array(kernel.memory.buffer, 0, rows.length).set(rows);
    new Int16Array(kernel.memory.buffer, 32_768, dim).set(query);
    kernel.scan(0, 37, dim, 32_768, 49_152);
    expect(new Int32Array(kernel.memory.buffer, 49_152, 37)).toEqual(plain);
  });

  test("place scores each product at its chunk to the last bit, and passes over chunks that are not there", () => {
    const kernel = searchKernel(1 << 16);
    if (!kernel) throw new Error("this machine has no WebAssembly SIMD");
    const { buffer } = kernel.memory;
    const [count, first, span, factor] = [300, 1000, 250, 0.0123456789];
    const products = Int32Array.from({ length: count }, () => (next() % 4_000_000) - 2_000_000);
    const ids = Uint32Array.from({ length: count }, (_, at) => (at % 10 === 0 ? 5 : first + (next() % 280)));
    const scales = Float32Array.from({ length: count }, () => next() / 1e7);
    new Int32Array(buffer, 0, count).set(products);
    new Uint32Array(buffer, 4096, count).set(ids);
    new Float32Array(buffer, 8192, count).set(scales);
    new Uint32Array(buffer, 16_384, 3).set([20_480, first, span]);
    new Float64Array(buffer, 16_400, 1)[0] = factor;
    const plain = new Float32Array(span + 100);
    for (let at = 0; at < count; at++) {
      const slot = (ids[at] as number) - first;
      if (slot >= 0 && slot < span) plain[slot] = (products[at] as number) * (scales[at] as number) * factor;
    }
    kernel.place(0, count, 4096, 8192, 16_384);
    expect(new Float32Array(buffer, 20_480, span + 100)).toEqual(plain);
  });

  test("maxima gives the highest of each sixteen", () => {
    const kernel = searchKernel(1 << 16);
    if (!kernel) throw new Error("this machine has no WebAssembly SIMD");
    const scores = new Float32Array(kernel.memory.buffer, 64, 320);
    for (let at = 0; at < scores.length; at++) scores[at] = (next() % 1000) / 500 - 1;
    kernel.maxima(64, 20, 8192, 0, 0);
    const highest = Array.from({ length: 20 }, (_, at) => Math.max(...scores.subarray(at * 16, at * 16 + 16)));
    expect([...new Float32Array(kernel.memory.buffer, 8192, 20)]).toEqual(highest);
  });

  test("gather gives what the plain loop gives", () => {
    const table = bytes(DIM * 20);
    const offsets = Int32Array.from([0, 5 * DIM, 19 * DIM, 5 * DIM]);
    const weights = Int32Array.from([1, 2047, -300, 16]);
    const plain = new Int32Array(DIM);
    gatherPlain(table, DIM, offsets, weights, 4, plain);
    const kernel = embedKernel(1 << 16);
    if (!kernel) throw new Error("this machine has no WebAssembly SIMD");
    new Int8Array(kernel.memory.buffer, 0, table.length).set(table);
    new Int32Array(kernel.memory.buffer, 8192, 4).set(offsets);
    new Int32Array(kernel.memory.buffer, 9216, 4).set(weights);
    kernel.gather(8192, 4, DIM, 9216, 16_384);
    expect(new Int32Array(kernel.memory.buffer, 16_384, DIM)).toEqual(plain);
  });
});
