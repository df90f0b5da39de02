/**
 * Writes the trained rows as the file that the product reads (`src/repo/embed/static.ts` describes it).
 * Usage: bun scripts/train-model/pack.ts TRAINED OUT.bin   (TRAINED.f32, TRAINED.vocab as train.py leaves them)
 */
import { readFileSync, writeFileSync } from "node:fs";
import { HEADER_BYTES, hashTerm, STATIC_MAGIC, STATIC_VERSION } from "../../src/repo/embed/static.ts";

const MAX_ROW_WEIGHT = 4095;
const [trained = "model", out = "static.bin"] = process.argv.slice(2);
const vocabulary = readFileSync(`${trained}.vocab`, "utf8").split("\n");
const raw = readFileSync(`${trained}.f32`);
const values = new Float32Array(raw.buffer, raw.byteOffset, raw.length / 4);
const dim = values.length / vocabulary.length;
if (!Number.isInteger(dim) || dim % 16 !== 0) throw new Error(`${dim} dimensions`);

const rows = vocabulary.length;
const scales = new Float64Array(rows);
let largest = 0;
for (let row = 0; row < rows; row++) {
  let peak = 0;
  for (let column = 0; column < dim; column++) peak = Math.max(peak, Math.abs(values[row * dim + column] ?? 0));
  scales[row] = peak;
  largest = Math.max(largest, peak);
}
// A few outliers must not cost all others their resolution: the 99.9th percentile sets the scale.
const sorted = Float64Array.from(scales).sort();
const top = sorted[Math.floor(rows * 0.999)] || largest;

let slotCount = 1;
while (slotCount < rows * 2) slotCount *= 2;
const slots = new Uint32Array(slotCount);
const fingerprints = new Uint32Array(rows);
const weights = new Int16Array(rows);
const table = new Int8Array(rows * dim);
for (let row = 0; row < rows; row++) {
  const { slot, fingerprint } = hashTerm(vocabulary[row] ?? "");
  fingerprints[row] = fingerprint;
  let at = slot & (slotCount - 1);
  while (slots[at] !== 0) {
    if (fingerprints[(slots[at] ?? 1) - 1] === fingerprint) throw new Error(`two words hash alike: ${vocabulary[row]}`);
    at = (at + 1) & (slotCount - 1);
  }
  slots[at] = row + 1;
  const scale = scales[row] ?? 0;
  const weight = Math.max(1, Math.min(MAX_ROW_WEIGHT, Math.round((scale / top) * MAX_ROW_WEIGHT)));
  weights[row] = weight;
  const unit = (weight / MAX_ROW_WEIGHT) * top;
  for (let column = 0; column < dim; column++) {
    const value = Math.round(((values[row * dim + column] ?? 0) / unit) * 127);
    table[row * dim + column] = Math.max(-127, Math.min(127, value));
  }
}

const fingerprintsAt = HEADER_BYTES + slotCount * 4;
const weightsAt = fingerprintsAt + rows * 4;
const tableAt = Math.ceil((weightsAt + rows * 2) / 16) * 16;
const file = new Uint8Array(tableAt + table.length);
const view = new DataView(file.buffer);
for (const [at, value] of [STATIC_MAGIC, STATIC_VERSION, dim, rows, slotCount].entries())
  view.setUint32(at * 4, value, true);
file.set(new Uint8Array(slots.buffer), HEADER_BYTES);
file.set(new Uint8Array(fingerprints.buffer), fingerprintsAt);
file.set(new Uint8Array(weights.buffer), weightsAt);
file.set(new Uint8Array(table.buffer), tableAt);
// The hash of all that follows the header tells one model from another: vectors of two do not compare.
const hash = new Bun.CryptoHasher("sha256").update(file.subarray(HEADER_BYTES)).digest();
file.set(hash.subarray(0, 32), 32);
writeFileSync(out, file);
console.log(
  `${out}: ${rows} × ${dim}, ${(file.length / 1e6).toFixed(1)} MB, ${Buffer.from(hash).toString("hex").slice(0, 16)}`,
);
