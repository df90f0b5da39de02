/** How fast a question is answered over 30,000 chunks, what embedding costs, and what a search holds in memory. */
import { join } from "node:path";
import { loadEmbeddedModel } from "../../src/repo/embed/model-file.ts";
import { documentTerms } from "../../src/repo/embed/terms.ts";
import { searchKernel } from "../../src/repo/search/simd.ts";
import { type BenchContext, median, type Row } from "../bench.ts";
import { writeTree } from "./indexing.ts";

const PROSE = "how does the cache handle a token that expires while a request is in the queue and the worker stops";

export async function bench(context: BenchContext): Promise<Row[]> {
  const { binary, scratch } = context;
  const env = { TOKENIX_HOME: join(scratch, "search-home") };
  const cwd = writeTree(join(scratch, "search"), 4500, 22_500_000);
  const once = { env, runs: 1 };
  const anew = (flag: string): readonly string[] => [binary, "index", cwd, "--force", ...(flag ? [flag] : [])];
  await context.measure(anew("--no-embed"), once);
  const bare = (await context.measure(anew("--no-embed"), { env, runs: 3 })).ms;
  const embedded = (await context.measure(anew(""), { env, runs: 3 })).ms;
  const rows: Row[] = [
    { name: "index: with embeddings against without", value: embedded / bare, unit: "x", atMost: 1.3 },
  ];
  // Stamps as fresh as the tree would be looked at again by the first question.
  await context.measure([binary, "index", cwd], once);
  const ask = async (name: string, atMost: number, ...args: string[]): Promise<void> => {
    rows.push({ name, value: await context.ratio([binary, ...args], { env, cwd, codes: [0, 1] }), unit: "E", atMost });
  };
  await ask("query: 30,000 chunks, words", 12, "query", "--mode", "lexical", PROSE);
  await ask("query: 30,000 chunks, words and meaning", 16, "query", PROSE);
  await ask("query: 30,000 chunks, a name", 16, "query", "loadTokenCache");
  await ask("grep: 30,000 chunks, a word", 12, "grep", "expired");
  await ask("grep: 30,000 chunks, an expression", 12, "grep", "get_\\w+\\(");
  const all = await context.ratio([binary, "grep", "get\\w+\\(index"], { env, cwd, codes: [0, 1] });
  rows.push({ name: "grep: an expression that every file may hold", value: all, unit: "E", note: "reads 22 MB" });
  await ask("symbols: 30,000 chunks", 12, "symbols", "loadTokenCache");
  const { peakMb } = await context.measure([binary, "query", PROSE], { env, cwd });
  rows.push({ name: "query: 30,000 chunks, peak memory", value: peakMb, unit: "MB", atMost: 250 });
  if (process.argv.includes("huge")) {
    const wide = writeTree(join(scratch, "search-huge"), 12_000, 75_000_000);
    await context.measure([binary, "index", wide], once);
    const peak = (await context.measure([binary, "query", PROSE], { env, cwd: wide })).peakMb;
    rows.push({ name: "query: 100,000 chunks, peak memory", value: peak, unit: "MB", atMost: 250 });
  }
  rows.push(scan(), await embedding());
  return rows;
}

function scan(): Row {
  const [rows, dim] = [30_000, 768] as const;
  const kernel = searchKernel(rows * dim + dim * 2 + rows * 4);
  if (!kernel) return { name: "scan: 30,000 × 768 int8", value: Number.NaN, unit: "ms", note: "no SIMD here" };
  const data = new Int8Array(kernel.memory.buffer, 0, rows * dim);
  for (let at = 0; at < data.length; at++) data[at] = (at * 31) % 255;
  const times: number[] = [];
  for (let run = 0; run < 15; run++) {
    const started = Bun.nanoseconds();
    kernel.scan(0, rows, dim, rows * dim, rows * dim + dim * 2);
    times.push((Bun.nanoseconds() - started) / 1e6);
  }
  return { name: "scan: 30,000 × 768 int8", value: median(times), unit: "ms", atMost: 5 };
}

async function embedding(): Promise<Row> {
  const model = await loadEmbeddedModel();
  const text =
    "export function readToken(cache: TokenCache, key: string): Token | undefined {\n  return cache.get(key);\n}\n";
  const terms = documentTerms(text.repeat(8), "src/token/cache.ts");
  const times: number[] = [];
  for (let run = 0; run < 9; run++) {
    const started = Bun.nanoseconds();
    for (let chunk = 0; chunk < 2000; chunk++) model.embed(terms);
    times.push((Bun.nanoseconds() - started) / 1e9);
  }
  return { name: "embedding: chunks a second on one core", value: 2000 / median(times), unit: "/s", atLeast: 20_000 };
}
