import { describe, expect, test } from "bun:test";
import { gatherPlain, scanPlain, simdKernel } from "../../src/repo/search/simd.ts";

const DIM = 48;
let state = 7;
const next = (): number => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return state >>> 8;
};
const bytes = (length: number): Int8Array => Int8Array.from({ length }, () => (next() % 255) - 127);

describe("the SIMD loops", () => {
  test("scan gives what the plain loop gives, on extreme values too", () => {
    const rows = bytes(DIM * 37);
    rows.fill(-128, 0, DIM);
    rows.fill(127, DIM, 2 * DIM);
    const query = bytes(DIM);
    const plain = new Int32Array(37);
    scanPlain(rows, DIM, query, plain);
    const kernel = simdKernel(1 << 16);
    if (!kernel) throw new Error("this machine has no WebAssembly SIMD");
    new Int8Array(kernel.memory.buffer, 0, rows.length).set(rows);
    new Int16Array(kernel.memory.buffer, 8192, DIM).set(query);
    kernel.scan(0, 37, DIM, 8192, 16_384);
    expect(new Int32Array(kernel.memory.buffer, 16_384, 37)).toEqual(plain);
  });

  test("gather gives what the plain loop gives", () => {
    const table = bytes(DIM * 20);
    const offsets = Int32Array.from([0, 5 * DIM, 19 * DIM, 5 * DIM]);
    const weights = Int32Array.from([1, 2047, -300, 16]);
    const plain = new Int32Array(DIM);
    gatherPlain(table, DIM, offsets, weights, 4, plain);
    const kernel = simdKernel(1 << 16);
    if (!kernel) throw new Error("this machine has no WebAssembly SIMD");
    new Int8Array(kernel.memory.buffer, 0, table.length).set(table);
    new Int32Array(kernel.memory.buffer, 8192, 4).set(offsets);
    new Int32Array(kernel.memory.buffer, 9216, 4).set(weights);
    kernel.gather(8192, 4, DIM, 9216, 16_384);
    expect(new Int32Array(kernel.memory.buffer, 16_384, DIM)).toEqual(plain);
  });
});
