/**
 * Tokenises pairs with the product's own tokenizer into one binary file for the trainer.
 * Usage: bun scripts/train-model/prepare.ts PAIRS OUT [--vocabulary N]
 * Layout of OUT.bin, little-endian int32: pairs, then for each pair: language, kind, source hash, number of query
 * terms, number of code terms, then (term, count) each. OUT.vocab: one term a line, most frequent first;
 * OUT.df: its document frequency beside it.
 */
import { closeSync, createReadStream, openSync, writeFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { documentTerms, queryTerms } from "../../src/repo/embed/terms.ts";
import type { Pair } from "./pairs.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { vocabulary: { type: "string", default: "60000" }, minimum: { type: "string", default: "4" } },
});
const [input = "pairs.jsonl", out = "train"] = positionals;

const KINDS = ["comment", "name", "file", "commit"];
const languages: string[] = [];
const ids = new Map<string, number>();
const terms: string[] = [];
const df: number[] = [];
const idOf = (term: string): number => {
  let id = ids.get(term);
  if (id === undefined) {
    id = terms.length;
    ids.set(term, id);
    terms.push(term);
    df.push(0);
  }
  return id;
};

function counted(list: readonly string[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of list) {
    const id = idOf(term);
    const seen = counts.get(id) ?? 0;
    if (seen === 0) df[id] = (df[id] ?? 0) + 1;
    counts.set(id, seen + 1);
  }
  return counts;
}

const file = openSync(`${out}.raw.bin`, "w");
let total = 0;
let buffer: number[] = [];
const flush = (): void => {
  writeSync(file, new Uint8Array(Int32Array.from(buffer).buffer));
  buffer = [];
};
for await (const line of createInterface({ input: createReadStream(input) })) {
  if (!line) continue;
  const pair = JSON.parse(line) as Pair;
  let language = languages.indexOf(pair.language);
  if (language < 0) language = languages.push(pair.language) - 1;
  const query = counted(queryTerms(pair.query));
  const code = counted(documentTerms(pair.code, pair.kind === "file" ? "" : pair.path));
  if (query.size === 0 || code.size < 3) continue;
  buffer.push(language, KINDS.indexOf(pair.kind), query.size, code.size);
  for (const [term, count] of query) buffer.push(term, count);
  for (const [term, count] of code) buffer.push(term, count);
  total++;
  if (buffer.length > 1_000_000) flush();
}
flush();
closeSync(file);

const minimum = Number(values.minimum);
const order = terms
  .map((_, id) => id)
  .filter((id) => (df[id] ?? 0) >= minimum)
  .sort((a, b) => (df[b] ?? 0) - (df[a] ?? 0) || ((terms[a] ?? "") < (terms[b] ?? "") ? -1 : 1))
  .slice(0, Number(values.vocabulary));
const rank = new Int32Array(terms.length).fill(-1);
order.forEach((id, at) => {
  rank[id] = at;
});
writeFileSync(`${out}.rank`, new Uint8Array(rank.buffer));
writeFileSync(`${out}.vocab`, order.map((id) => terms[id]).join("\n"));
writeFileSync(`${out}.df`, new Uint8Array(Int32Array.from(order, (id) => df[id] ?? 0).buffer));
writeFileSync(
  `${out}.json`,
  JSON.stringify({ pairs: total, terms: terms.length, vocabulary: order.length, languages, kinds: KINDS }),
);
console.log(`${total} pairs, ${terms.length} terms, ${order.length} in the vocabulary`);
