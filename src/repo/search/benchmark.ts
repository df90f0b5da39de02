/**
 * Measures this program's answers against plain reading, on one project: the same questions, the same counting, misses
 * included. Plain reading is what an agent without an index does: look for the question's words in every file, open
 * the files with most of them, whole, one after another, until the right one was read.
 */
import { readFileSync } from "node:fs";
import { EXIT, UserError } from "../../platform/errors.ts";
import { countTokens } from "../../platform/tokens.ts";
import type { Store } from "../store/store.ts";
import { fitBudget } from "./budget.ts";
import { queryVector } from "./query-vector.ts";
import { readQuestion } from "./question.ts";
import { isTestPath } from "./rules.ts";
import { search } from "./search.ts";
import { storeSource } from "./store-source.ts";
import { splitIdentifier } from "./tokenize.ts";

export interface BenchmarkCase {
  readonly query: string;
  /** Paths that answer it; a folder or the end of a path counts as well. */
  readonly expect: readonly string[];
}

export interface CaseResult extends BenchmarkCase {
  /** Rank of the first right file among the answer's places, 0 when none is right. */
  readonly rank: number;
  /** Tokens of the answer within the budget. */
  readonly answerTokens: number;
  /** Tokens read until the right file was open; the whole of what matched when it never was. */
  readonly plainTokens: number;
  readonly plainFound: boolean;
}

export interface BenchmarkReport {
  readonly cases: readonly CaseResult[];
  readonly hitAt1: number;
  readonly hitAt3: number;
  readonly answerTokens: number;
  readonly plainTokens: number;
  readonly plainFound: number;
  /** Share of the tokens of plain reading that the answers saved; negative when they cost more. */
  readonly saved: number;
}

export async function benchmark(
  store: Store,
  cases: readonly BenchmarkCase[],
  budgetTokens: number,
): Promise<BenchmarkReport> {
  const source = storeSource(store);
  const files = store.files.stored().map((file) => {
    const text = store.files.text(file.id) ?? "";
    return { path: file.path, lower: text.toLowerCase(), tokens: countTokens(text) };
  });
  const results: CaseResult[] = [];
  for (const one of cases) {
    const { vector } = await queryVector(store, one.query);
    const hits = search(source, one.query, { vector });
    const shown = fitBudget(
      hits.map((hit) => source.text(hit.head.id) ?? ""),
      budgetTokens,
    );
    const paths = hits.slice(0, shown.length).map((hit) => hit.head.path);
    const answerTokens = shown.reduce(
      (sum, part, at) => sum + countTokens(`${paths[at]}:00000-00000\n${part.text}\n`),
      0,
    );
    const rank = [...new Set(paths)].findIndex((path) => isRight(path, one.expect)) + 1;
    results.push({ ...one, rank, answerTokens, ...readPlainly(files, one) });
  }
  const mean = (value: (result: CaseResult) => number): number =>
    results.reduce((sum, result) => sum + value(result), 0) / Math.max(1, results.length);
  const answerTokens = mean((result) => result.answerTokens);
  const plainTokens = mean((result) => result.plainTokens);
  return {
    cases: results,
    hitAt1: mean((result) => (result.rank === 1 ? 1 : 0)),
    hitAt3: mean((result) => (result.rank >= 1 && result.rank <= 3 ? 1 : 0)),
    answerTokens,
    plainTokens,
    plainFound: mean((result) => (result.plainFound ? 1 : 0)),
    saved: plainTokens === 0 ? 0 : 1 - answerTokens / plainTokens,
  };
}

function isRight(path: string, expected: readonly string[]): boolean {
  return expected.some(
    (one) => path === one || path.endsWith(`/${one}`) || path.startsWith(`${one.replace(/\/$/, "")}/`),
  );
}

/** No more files than this are opened by hand, whoever reads. */
const PLAIN_FILES = 10;

function readPlainly(
  files: readonly { readonly path: string; readonly lower: string; readonly tokens: number }[],
  one: BenchmarkCase,
): { plainTokens: number; plainFound: boolean } {
  const words = readQuestion(one.query).keywords;
  const ranked = files
    .map((file) => ({ file, matched: words.filter((word) => file.lower.includes(word)).length }))
    .filter((entry) => entry.matched > 0)
    .sort((a, b) => b.matched - a.matched || a.file.tokens - b.file.tokens)
    .slice(0, PLAIN_FILES);
  let plainTokens = 0;
  for (const { file } of ranked) {
    plainTokens += file.tokens;
    if (isRight(file.path, one.expect)) return { plainTokens, plainFound: true };
  }
  return { plainTokens, plainFound: false };
}

/** Questions made of the project's own long names: their words ask, the file that defines them answers. */
export function casesOfProject(store: Store, most = 30): BenchmarkCase[] {
  const byName = new Map<string, { paths: Set<string>; words: string[] }>();
  for (const symbol of store.graph.allSymbols()) {
    if (isTestPath(symbol.path) || !/function|method|class|struct|interface|trait/.test(symbol.kind)) continue;
    const words = splitIdentifier(symbol.name);
    if (words.length < 3) continue;
    const known = byName.get(symbol.name);
    if (known) known.paths.add(symbol.path);
    else byName.set(symbol.name, { paths: new Set([symbol.path]), words });
  }
  const unique = [...byName].filter(([, { paths }]) => paths.size === 1).sort(([a], [b]) => (a < b ? -1 : 1));
  const step = Math.max(1, Math.floor(unique.length / most));
  return unique
    .filter((_, at) => at % step === 0)
    .slice(0, most)
    .map(([, { paths, words }]) => ({ query: words.join(" "), expect: [...paths] }));
}

/** `[{"query": "...", "expect": "path" | ["path"]}]`. */
export function readCases(path: string): BenchmarkCase[] {
  const wrong = (what: string): UserError =>
    new UserError(`${path}: ${what}`, 'write [{"query": "...", "expect": ["src/file.ts"]}, ...]', EXIT.usage);
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw wrong((error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : "this is no JSON");
  }
  if (!Array.isArray(parsed) || parsed.length === 0) throw wrong("this is no list of cases");
  return parsed.map((entry: unknown, at) => {
    const { query, expect } = (entry ?? {}) as { query?: unknown; expect?: unknown };
    const expected = typeof expect === "string" ? [expect] : expect;
    if (typeof query !== "string" || !Array.isArray(expected) || !expected.every((one) => typeof one === "string"))
      throw wrong(`case ${at + 1} needs a "query" and an "expect"`);
    return { query, expect: expected as string[] };
  });
}
