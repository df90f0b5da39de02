/**
 * Reads the unpacked sources and writes `pairs.jsonl`: seeded, de-duplicated, capped a source and a language, without
 * any file that shares its lines with a repository of the evaluation.
 * Usage: bun scripts/train-model/mine.ts SOURCES OUT [--clones DIR] [--forbidden TREES]
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { folderOf } from "./folders.ts";
import { languageOfSource, type Pair, pairsOfFile, pairsOfLog } from "./pairs.ts";
import { isPermissive, readSources } from "./sources.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { clones: { type: "string" }, forbidden: { type: "string" }, "no-git": { type: "boolean", default: false } },
});
const [sources = "sources", out = "pairs.jsonl"] = positionals;

const MAX_FILE = 150_000;
const MAX_SOURCE_PAIRS = 9000;
const MAX_LANGUAGE_PAIRS = 45_000;
const MAX_COMMITS = 2000;

/** mulberry32: the same draw on every machine. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
const draw = random(20_240_607);

function shuffle<T>(items: T[]): T[] {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(draw() * (at + 1));
    [items[at], items[other]] = [items[other] as T, items[at] as T];
  }
  return items;
}

function* walk(folder: string, prefix = ""): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const path = prefix ? `${prefix}/${entry.name}` : entry.name;
    if (entry.isDirectory()) yield* walk(join(folder, entry.name), path);
    else if (entry.isFile()) yield path;
  }
}

const lineKey = (line: string): string | undefined => {
  const trimmed = line.trim();
  return trimmed.length >= 30 ? trimmed : undefined;
};

/** Hashes of every longer line of the evaluation's trees. */
const forbidden = new Set<number>();
if (values.forbidden)
  for (const path of walk(values.forbidden)) {
    if (!languageOfSource(path.replace(/\/(types|gen|generated|deps|vendor|external)\//g, "/"))) continue;
    for (const line of readFileSync(join(values.forbidden, path), "utf8").split("\n")) {
      const key = lineKey(line);
      if (key) forbidden.add(Bun.hash.xxHash32(key));
    }
  }

function isForbidden(text: string): boolean {
  let lines = 0;
  let shared = 0;
  for (const line of text.split("\n")) {
    const key = lineKey(line);
    if (!key) continue;
    lines++;
    if (forbidden.has(Bun.hash.xxHash32(key))) shared++;
  }
  return lines >= 8 && shared > lines * 0.4;
}

const seenQueries = new Set<number>();
const seenCode = new Set<number>();
function isNew(pair: Pair): boolean {
  const query = Bun.hash.xxHash32(pair.query.slice(0, 100).toLowerCase());
  const code =
    Bun.hash.xxHash32(pair.code.slice(0, 300)) ^
    (pair.kind === "commit" ? 0x5bd1e995 : pair.kind === "file" ? 0x1b873593 : 0);
  if (seenQueries.has(query) || seenCode.has(code)) return false;
  seenQueries.add(query);
  seenCode.add(code);
  return true;
}

/** What was kept goes to disk at once, a file a language: slices of sources would keep the sources in memory. */
const raw = `${out}.raw`;
rmSync(raw, { recursive: true, force: true });
mkdirSync(raw, { recursive: true });
const report: string[] = [];
let dropped = 0;

function keep(label: string, files: number, pairs: Pair[]): void {
  const names = pairs.filter((pair) => pair.kind === "name").length;
  const kept = shuffle(pairs.filter((pair) => pair.kind !== "name" || names < 1500 || draw() < 0.5))
    .filter(isNew)
    .slice(0, MAX_SOURCE_PAIRS);
  const lines = new Map<string, string[]>();
  for (const pair of kept) {
    const list = lines.get(pair.language) ?? [];
    list.push(JSON.stringify(pair));
    lines.set(pair.language, list);
  }
  for (const [language, list] of lines) appendFileSync(join(raw, `${language}.jsonl`), `${list.join("\n")}\n`);
  report.push(`${label}: ${files} files, ${kept.length} pairs`);
}

for (const source of readSources()) {
  if (!isPermissive(source.licence)) continue;
  if (source.ecosystem === "git" && values["no-git"]) continue;
  const folder = folderOf(sources, source);
  if (!existsSync(folder)) {
    console.error(`missing: ${source.ecosystem} ${source.name} ${source.version}`);
    continue;
  }
  const pairs: Pair[] = [];
  let files = 0;
  for (const path of shuffle([...walk(folder)])) {
    if (pairs.length > MAX_SOURCE_PAIRS * 1.5) break;
    if (!languageOfSource(path)) continue;
    const bytes = readFileSync(join(folder, path));
    if (bytes.length > MAX_FILE) continue;
    const text = bytes.toString("utf8");
    const longest = text.length / (text.split("\n").length || 1);
    if (longest > 120) continue;
    if (isForbidden(text)) {
      dropped++;
      continue;
    }
    files++;
    // The package's own folder says nothing about its code.
    const inside = path.split("/").slice(1).join("/") || path;
    for (const pair of pairsOfFile(inside, text)) pairs.push(pair);
  }
  if (source.ecosystem === "git" && values.clones) {
    const clone = join(values.clones, source.name.replace("/", "+"), "repo");
    const child = Bun.spawnSync(
      [
        "git",
        "-C",
        clone,
        "log",
        source.version,
        "-p",
        "--no-merges",
        "-U4",
        "--no-color",
        "--no-renames",
        `--max-count=${MAX_COMMITS}`,
        "--format=%x01%s%x02",
      ],
      { stdout: "pipe", stderr: "ignore", maxBuffer: 1 << 27 },
    );
    pairs.push(...shuffle(pairsOfLog(child.stdout.toString())).slice(0, 3000));
  }
  keep(`${source.ecosystem} ${source.name}`, files, pairs);
}

/** Languages one after another, each shuffled and capped; the trainer shuffles all of them. */
const counts: Record<string, Record<string, number>> = {};
let total = 0;
writeFileSync(out, "");
for (const file of readdirSync(raw).sort()) {
  const lines = shuffle(readFileSync(join(raw, file), "utf8").trim().split("\n")).slice(0, MAX_LANGUAGE_PAIRS);
  const row: Record<string, number> = {};
  for (const line of lines) {
    const kind = line.slice(9, line.indexOf('"', 9));
    row[kind] = (row[kind] ?? 0) + 1;
  }
  counts[file.replace(".jsonl", "")] = row;
  appendFileSync(out, `${lines.join("\n")}\n`);
  total += lines.length;
}
writeFileSync(`${out}.report`, report.join("\n"));
console.log(JSON.stringify(counts));
console.log(`${total} pairs, ${dropped} files left out as copies of evaluated text, ${forbidden.size} forbidden lines`);
