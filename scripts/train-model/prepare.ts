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
import { forEachWord, pathWords, termsOfWord } from "../../src/repo/search/tokenize.ts";
import type { Pair } from "./pairs.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    vocabulary: { type: "string", default: "60000" },
    minimum: { type: "string", default: "4" },
    "per-language": { type: "string", default: "1000000" },
  },
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

/** Raw word to term numbers: words repeat, so each is expanded once. */
const ofWord = new Map<string, Int32Array>();
let counts = new Int32Array(1 << 20);
function count(text: string, touched: number[]): void {
  forEachWord(text, (word) => {
    let list = ofWord.get(word);
    if (list === undefined) {
      // A copy: a slice of the line would keep the whole line in memory.
      const own = Buffer.from(word).toString();
      list = Int32Array.from(
        termsOfWord(own).filter((term) => term.length > 1),
        idOf,
      );
      ofWord.set(own, list);
      if (terms.length >= counts.length - 256) {
        const wider = new Int32Array(counts.length * 2);
        wider.set(counts);
        counts = wider;
      }
    }
    for (const id of list) {
      const seen = counts[id] ?? 0;
      if (seen === 0) touched.push(id);
      counts[id] = seen + 1;
    }
  });
}

const file = openSync(`${out}.raw.bin`, "w");
let total = 0;
const buffer = new Int32Array(1 << 20);
let used = 0;
const flush = (): void => {
  writeSync(file, new Uint8Array(buffer.buffer, 0, used * 4));
  used = 0;
};
const emit = (touched: readonly number[]): void => {
  for (const id of touched) {
    buffer[used++] = id;
    buffer[used++] = counts[id] ?? 0;
    counts[id] = 0;
    df[id] = (df[id] ?? 0) + 1;
  }
};
const perLanguage = Number(values["per-language"]);
const taken = new Map<string, number>();
for await (const line of createInterface({ input: createReadStream(input) })) {
  if (!line) continue;
  // The lines of a language are shuffled already, so the first ones are a fair sample.
  const start = line.indexOf('"language":"') + 12;
  const name = line.slice(start, line.indexOf('"', start));
  const seen = taken.get(name) ?? 0;
  if (seen >= perLanguage) continue;
  taken.set(name, seen + 1);
  let pair: Pair;
  try {
    pair = JSON.parse(line) as Pair;
  } catch {
    // The line reader also cuts at U+2028, which JSON leaves as it is.
    continue;
  }
  let language = languages.indexOf(pair.language);
  if (language < 0) language = languages.push(pair.language) - 1;
  const query: number[] = [];
  count(pair.query, query);
  if (used + 8000 > buffer.length) flush();
  const head = used;
  used += 4;
  emit(query);
  const code: number[] = [];
  count(pair.code, code);
  if (pair.kind !== "file") count(pathWords(pair.path), code);
  emit(code);
  buffer.set([language, KINDS.indexOf(pair.kind), query.length, code.length], head);
  total++;
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
