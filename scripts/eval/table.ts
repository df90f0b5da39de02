/**
 * The table of `bun run eval`: NDCG@10 in all, per category and per language, tokens to the first hit, index and query
 * times, and the same for both halves: the constants were chosen on the first, the second was only looked at.
 */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { MODES, type Mode } from "../../src/repo/search/search.ts";
import { clone, cloneOf, indexRepository } from "./corpus.ts";
import { questionsOf, repositories } from "./labels.ts";
import { type Answered, ask, groupMeans, mean, quantile } from "./measure.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    labels: { type: "string", default: join(import.meta.dir, "..", "..", "..", "shared", "eval") },
    scratch: { type: "string", default: join(tmpdir(), "tokenix-eval") },
    mode: { type: "string", default: "hybrid" },
    only: { type: "string" },
    misses: { type: "string" },
    reuse: { type: "boolean", default: false },
    "no-tokens": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const folder = positionals[0];
const mode = MODES.find((one) => one === values.mode) as Mode | undefined;
if (!folder || !mode) {
  console.error(
    `usage: bun run eval FOLDER [--labels DIR] [--mode ${MODES.join("|")}] [--reuse] [--only a,b] [--misses N] [--json]`,
  );
  process.exit(2);
}
if (!existsSync(join(values.labels, "repos.json"))) {
  console.error(
    `no labels in ${values.labels}: they are not part of this repository; name their folder with --labels DIR\n` +
      "  their shape stands in docs/numbers.md; a small set of our own needs nothing: bun scripts/eval/own.ts",
  );
  process.exit(2);
}

const scratch = resolve(values.scratch);
mkdirSync(scratch, { recursive: true });
const wanted = values.only?.split(",");
interface Row {
  readonly name: string;
  readonly language: string;
  readonly half: "A" | "B";
  readonly exact: boolean;
  readonly chunks: number;
  readonly indexMs: number;
  readonly ndcg: number;
  readonly answers: readonly Answered[];
}
const rows: Row[] = [];
const missing: string[] = [];
const all = repositories(values.labels);
for (const [at, repository] of all.entries()) {
  if (wanted && !wanted.includes(repository.name)) continue;
  const questions = questionsOf(values.labels, repository.name);
  if (!cloneOf(resolve(folder), repository)) clone(resolve(folder), repository);
  const indexed = await indexRepository(resolve(folder), scratch, repository, {
    reuse: values.reuse,
    embed: mode !== "lexical",
    targets: questions.flatMap((question) => question.targets.map((target) => target.path)),
  });
  if (!indexed) {
    missing.push(repository.name);
    continue;
  }
  const options = { mode, tokens: !values["no-tokens"] };
  await ask(indexed.store, questions.slice(0, 3), { mode });
  const answers = await ask(indexed.store, questions, options);
  indexed.store.close();
  rows.push({
    name: repository.name,
    language: repository.language,
    half: at % 2 === 0 ? "A" : "B",
    exact: indexed.exactRevision,
    chunks: indexed.chunks,
    indexMs: indexed.indexMs,
    ndcg: mean(answers.map((one) => one.ndcg)),
    answers,
  });
}

const answers = rows.flatMap((row) => row.answers);
const found = answers.filter((one) => Number.isFinite(one.tokensToHit));
const summary = {
  mode,
  repositories: rows.length,
  missing,
  otherRevision: rows.filter((row) => !row.exact).map((row) => row.name),
  questions: answers.length,
  ndcg: mean(rows.map((row) => row.ndcg)),
  exactRevisions: mean(rows.filter((row) => row.exact).map((row) => row.ndcg)),
  halfA: mean(rows.filter((row) => row.half === "A").map((row) => row.ndcg)),
  halfB: mean(rows.filter((row) => row.half === "B").map((row) => row.ndcg)),
  categories: Object.fromEntries(
    groupMeans(
      answers,
      (one) => one.category,
      (one) => one.ndcg,
    ),
  ),
  languages: Object.fromEntries(
    groupMeans(
      rows,
      (row) => row.language,
      (row) => row.ndcg,
    ),
  ),
  expectedTokens: mean(found.map((one) => one.tokensToHit)),
  notFoundIn50: answers.length - found.length,
  recall: Object.fromEntries(
    [500, 1000, 2000].map((budget) => [budget, mean(answers.map((one) => (one.tokensToHit <= budget ? 1 : 0)))]),
  ),
  chunks: rows.reduce((sum, row) => sum + row.chunks, 0),
  indexMs: rows.reduce((sum, row) => sum + row.indexMs, 0),
  queryP50: quantile(
    answers.map((one) => one.elapsedMs),
    0.5,
  ),
  queryP99: quantile(
    answers.map((one) => one.elapsedMs),
    0.99,
  ),
};
const round = (_: string, value: unknown): unknown =>
  typeof value === "number" && !Number.isInteger(value) ? Math.round(value * 1000) / 1000 : value;
if (values.json) console.log(JSON.stringify({ ...summary, rows }, round));
else {
  console.log(JSON.stringify(summary, round, 2).replace(/[{}",]/g, ""));
  for (const row of rows)
    console.log(
      `${row.name.padEnd(22)} ${row.half} ${row.exact ? " " : "~"} ${row.ndcg.toFixed(3)} ${String(row.chunks).padStart(6)} chunks ${row.indexMs.toFixed(0).padStart(6)} ms`,
    );
  const worst = [...answers].filter((one) => one.ndcg < 0.5).slice(0, Number(values.misses ?? 0));
  for (const one of worst) console.log(`${one.ndcg.toFixed(2)} [${one.category}] ${one.query} → ${one.top.join(", ")}`);
}
