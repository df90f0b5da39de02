/**
 * The parser alone: reads a tree of `writeTree` and parses it, nothing else, on one thread. What indexing can't be
 * faster than. Prints the milliseconds of the first 2 MB of a new process, grammars loaded, and the MB/s of what follows.
 */
import { readFileSync } from "node:fs";
import { loadedGrammar, loadGrammarOf, runtime } from "../../../src/repo/languages/engine/runtime.ts";

const LANGUAGES: Readonly<Record<string, string>> = { ts: "typescript", py: "python", go: "go", c: "c" };
const COLD_BYTES = 2_000_000;

const [root = ".", most = "12000000"] = process.argv.slice(2);
const started = performance.now();
for (const id of Object.values(LANGUAGES)) await loadGrammarOf(id);
const parser = runtime()?.parser;
if (!parser) throw new Error("the parser did not start");
let bytes = 0;
let cold: number | undefined;
for (const name of [...new Bun.Glob("**/*.{ts,py,go,c}").scanSync(root)].sort()) {
  if (bytes > Number(most)) break;
  const text = readFileSync(`${root}/${name}`, "utf8");
  bytes += text.length;
  parser.setLanguage(loadedGrammar(LANGUAGES[name.slice(name.lastIndexOf(".") + 1)] ?? "")?.language ?? null);
  parser.parse(text)?.delete();
  if (cold === undefined && bytes >= COLD_BYTES) cold = performance.now() - started;
}
const rest = performance.now() - started - (cold ?? 0);
console.log(JSON.stringify({ coldMs: cold, mbPerSecond: (bytes - COLD_BYTES) / 1000 / rest }));
