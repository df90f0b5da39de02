/**
 * A second set that costs no labels: `bun scripts/eval/history.ts FOLDER [--scratch DIR] [--only a,b] [--questions N]`.
 * For each clone in FOLDER the tree before its last N fitting commits is indexed; a question is a commit's subject and
 * the start of its body, an answer each source file that it changed (one to three, tests aside) and that was there before.
 * No constant of the ranking was chosen here.
 */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { languageOf } from "../../src/repo/languages/registry.ts";
import { isTestPath } from "../../src/repo/search/rules.ts";
import { MODES, type Mode } from "../../src/repo/search/search.ts";
import { cloneOf, git, indexRepository } from "./corpus.ts";
import type { Labelled } from "./labels.ts";
import { ask, mean } from "./measure.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scratch: { type: "string", default: "/tmp/tokenix-history" },
    only: { type: "string" },
    questions: { type: "string", default: "40" },
    mode: { type: "string", default: "hybrid" },
    reuse: { type: "boolean", default: false },
  },
});
const folder = resolve(positionals[0] ?? ".");
const mode = MODES.find((one) => one === values.mode) as Mode;
const most = Number(values.questions);

/** Commits about nothing that a search could find. */
const CHORE =
  /^(?:merge|revert|bump|release|prepare|version|typo|fix typo|format|lint|update (?:dependenc|changelog|readme)|upgrade|chore|docs?|ci|build|style|test)/i;
/** Kinds of file that are code in some language, and say nothing of where a change belongs. */
const NOT_SOURCE = new Set(["lockfile", "markdown", "json", "yaml", "toml", "html", "css", "scss", "xml", "text"]);
const MAX_BODY = 200;
/** Headings, tables, lists, quotes, code, links and trailers of a message. */
const NOT_PROSE = /^(?:[#|<>*`[\]~-]|\s{2}|[\w-]+-by:|fix(?:es|ed)?\b|close[sd]?\b|co-authored).*$/gim;

interface Picked {
  readonly parent: string;
  readonly questions: readonly Labelled[];
}

/** The youngest fitting commits; the tree before the oldest of them is what is asked. */
function pick(dir: string): Picked | undefined {
  const log = git(dir, [
    "log",
    "--first-parent",
    "--diff-merges=first-parent",
    "--no-renames",
    "-n",
    "1500",
    "--format=%x01%H%x02%P%x02%s%x02%b%x02",
    "--name-only",
    "HEAD",
  ]).out;
  const found: { parent: string; query: string; files: string[] }[] = [];
  for (const record of log.split("\x01").slice(1)) {
    const [, parents = "", subject = "", body = "", names = ""] = record.split("\x02");
    const parent = parents.split(" ")[0];
    // A pull request's number, a scope, a sign-off: not what a person would ask.
    const query = subject.replace(/\s*\(?#\d+\)?/g, "").replace(/^\w+(?:\([^)]*\))?!?:\s*/, "");
    if (!parent || CHORE.test(subject) || CHORE.test(query) || query.split(/\s+/).length < 4) continue;
    const files = names
      .split("\n")
      .filter((path) => path !== "" && !isTestPath(path) && !NOT_SOURCE.has(languageOf(path) ?? "text"));
    if (files.length === 0 || files.length > 3) continue;
    const prose = body.replace(NOT_PROSE, "").replace(/\s+/g, " ");
    found.push({ parent, query: `${query} ${prose.slice(0, MAX_BODY)}`.trim(), files });
    if (found.length === most) break;
  }
  const parent = found.at(-1)?.parent;
  if (parent === undefined) return undefined;
  const there = new Set(git(dir, ["ls-tree", "-r", "--name-only", parent]).out.split("\n"));
  const questions = found
    .filter(({ files }) => files.every((path) => there.has(path)))
    .map(({ query, files }): Labelled => ({ query, category: "commit", targets: files.map((path) => ({ path })) }));
  return { parent, questions };
}

const wanted = values.only?.split(",");
const rows: { name: string; ndcg: number }[] = [];
for (const entry of readdirSync(folder).sort()) {
  const name = entry.replace(/^.+(?:\+|__)/, "").replace(/\.git$/, "");
  if (wanted && !wanted.includes(name)) continue;
  const repository = { name, language: "", url: `x://x/${entry.replace(/\+|__/, "/")}`, revision: "HEAD" };
  const dir = cloneOf(folder, repository);
  const picked = dir === undefined ? undefined : pick(dir);
  if (!picked || picked.questions.length < 10) continue;
  const indexed = await indexRepository(
    folder,
    resolve(values.scratch),
    { ...repository, revision: picked.parent },
    { reuse: values.reuse, embed: mode !== "lexical", targets: [] },
  );
  if (!indexed) continue;
  const answers = await ask(indexed.store, picked.questions, { mode });
  indexed.store.close();
  const ndcg = mean(answers.map((one) => one.ndcg));
  rows.push({ name, ndcg });
  console.log(
    `${name.padEnd(24)} ${ndcg.toFixed(3)} ${String(answers.length).padStart(3)} commits ${String(indexed.chunks).padStart(6)} chunks`,
  );
}
console.log(`${"all".padEnd(24)} ${mean(rows.map((row) => row.ndcg)).toFixed(3)} over ${rows.length} repositories`);
