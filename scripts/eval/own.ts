/**
 * `bun scripts/eval/own.ts`: NDCG@10 over the small corpus of our own and its 40 labelled questions, both in
 * `test/search/fixtures`. Needs no clone, no label and no network. It is small and easy, so it shows that a change broke
 * something, not how good the search is.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");
const fixtures = join(root, "test", "search", "fixtures");
const made = Bun.spawnSync([process.execPath, join(root, "scripts", "generate.ts")], { stdout: "ignore" });
if (made.exitCode !== 0) process.exit(made.exitCode);
// Only now: they read what was generated.
const { runIndex } = await import("../../src/repo/index/run.ts");
const { withWriter } = await import("../../src/repo/index/writer.ts");
const { openStore } = await import("../../src/repo/store/open.ts");
const { ask, groupMeans, mean } = await import("./measure.ts");

interface Question {
  readonly query: string;
  readonly relevant: readonly string[];
  readonly category: string;
}
const questions = (JSON.parse(readFileSync(join(fixtures, "questions.json"), "utf8")) as Question[]).map((one) => ({
  query: one.query,
  category: one.category,
  targets: one.relevant.map((path) => ({ path })),
}));

const scratch = mkdtempSync(join(tmpdir(), "tokenix-own-"));
try {
  const project = join(scratch, "project");
  cpSync(join(fixtures, "corpus"), project, { recursive: true });
  const env = { ...process.env, TOKENIX_HOME: join(scratch, "home") };
  await withWriter(project, { purpose: "eval", env }, (store) => runIndex(store, { env, jobs: 1, embedding: { env } }));
  const store = openStore(project, { mode: "read", env });
  console.log(`NDCG@10 over ${questions.length} questions and ${[...store.files.stored()].length} files`);
  for (const mode of ["lexical", "hybrid"] as const) {
    const answers = await ask(store, questions, { mode });
    const ndcg = mean(answers.map((one) => one.ndcg)).toFixed(3);
    const groups = groupMeans(
      answers,
      (one) => one.category,
      (one) => one.ndcg,
    );
    const parts = Array.from(groups, ([name, score]) => `${name} ${score.toFixed(3)}`);
    console.log(`${mode.padEnd(8)} ${ndcg}   ${parts.join(", ")}`);
  }
  store.close();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
