/** Float vectors to int8 rows with one scale each: value = q × scale. The scale cancels out of a cosine's order. */

export interface QuantisedRow {
  readonly data: Int8Array;
  readonly scale: number;
}

/** Zero stays zero, with scale 0: such a row fits nothing. */
export function quantiseVector(vector: Float32Array): QuantisedRow {
  const data = new Int8Array(vector.length);
  return { data, scale: quantiseInto(vector, data, 0) };
}

/** Writes the row at `offset` and gives its scale. */
export function quantiseInto(vector: Float32Array, data: Int8Array, offset: number): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return 0;
  for (let at = 0; at < vector.length; at++) data[offset + at] = Math.round(((vector[at] ?? 0) * 127) / largest);
  return largest / 127;
}
