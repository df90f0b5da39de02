/**
 * Tries constants over trees that `bun run eval` has indexed: `bun scripts/eval/tune.ts [--model FILE] [SET...]`,
 * where a SET is `name=value[,name=value]`. Each is printed for half A, on which choices are made, and half B, which
 * is only looked at.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { StaticModel } from "../../src/repo/embed/static.ts";
import { documentTerms, queryTerms } from "../../src/repo/embed/terms.ts";
import { type Mode, type SearchWeights, search, WEIGHTS } from "../../src/repo/search/search.ts";
import type { SearchSource } from "../../src/repo/search/source.ts";
import { storeSource } from "../../src/repo/search/store-source.ts";
import { openStore } from "../../src/repo/store/open.ts";
import { type Labelled, ndcg10, questionsOf, repositories } from "./labels.ts";
import { groupMeans, mean } from "./measure.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    labels: { type: "string", default: join(import.meta.dir, "..", "..", "..", "shared", "eval") },
    scratch: { type: "string", default: "/tmp/tokenix-eval" },
    model: { type: "string" },
    mode: { type: "string", default: "hybrid" },
    skip: { type: "string", default: "" },
    misses: { type: "string" },
    languages: { type: "boolean", default: false },
  },
});

const model = values.model
  ? await StaticModel.load({
      size: Bun.file(values.model).size,
      read: async (from, to) =>
        new Uint8Array(
          await Bun.file(values.model ?? "")
            .slice(from, to)
            .arrayBuffer(),
        ),
    })
  : undefined;

interface Prepared {
  readonly name: string;
  readonly language: string;
  readonly half: "A" | "B";
  readonly source: SearchSource;
  readonly questions: readonly Labelled[];
}

const env = { ...process.env, TOKENIX_HOME: join(values.scratch, "home") };
const skipped = values.skip.split(",");
const prepared: Prepared[] = [];
let embedded = 0;
let embedMs = 0;
for (const [at, repository] of repositories(values.labels).entries()) {
  if (skipped.includes(repository.name)) continue;
  let source: SearchSource;
  try {
    const store = openStore(join(values.scratch, "trees", repository.name), { mode: "read", env });
    source = storeSource(store);
    if (model) {
      const ids = store.chunks.owners().map(([id]) => id);
      const data = new Int8Array(ids.length * model.dim);
      const scales = new Float32Array(ids.length);
      const heads = source.heads(ids);
      heads.forEach((head, row) => {
        const terms = documentTerms(source.text(head.id) ?? "", head.path);
        if (head.symbol) terms.push(...queryTerms(head.symbol));
        const started = performance.now();
        const vector = model.embed(terms);
        embedMs += performance.now() - started;
        embedded++;
        data.set(vector.data, row * model.dim);
        scales[row] = vector.scale;
      });
      const block = { dim: model.dim, ids: Uint32Array.from(heads, (head) => head.id), scales, data };
      source = { ...source, vectors: () => [block] };
    }
  } catch {
    continue;
  }
  prepared.push({
    name: repository.name,
    language: repository.language,
    half: at % 2 === 0 ? "A" : "B",
    source,
    questions: questionsOf(values.labels, repository.name),
  });
}
if (model) console.log(`embedded ${embedded} chunks at ${Math.round(embedded / (embedMs / 1000))} a second`);

for (const set of positionals.length > 0 ? positionals : ["now"]) {
  const weights: Record<string, number> = { ...WEIGHTS };
  let mode = values.mode as Mode;
  for (const pair of set.split(",")) {
    const [key = "", value] = pair.split("=");
    if (key === "mode") mode = value as Mode;
    else if (value !== undefined) weights[key] = Number(value);
  }
  const rows = prepared.map((one) => {
    const answers = one.questions.map((question) => {
      const hits = search(one.source, question.query, {
        mode,
        weights: weights as unknown as SearchWeights,
        vector: model ? { model: "static", query: model.embed(queryTerms(question.query)) } : undefined,
      });
      return {
        question,
        hits,
        ndcg: ndcg10(
          hits.map((hit) => hit.head),
          question.targets,
        ),
      };
    });
    return { ...one, answers, ndcg: mean(answers.map((answer) => answer.ndcg)) };
  });
  const half = (which: string): number => mean(rows.filter((row) => row.half === which).map((row) => row.ndcg));
  const categories = groupMeans(
    rows.flatMap((row) => row.answers),
    (answer) => answer.question.category,
    (answer) => answer.ndcg,
  );
  const shown = [...categories].map(([name, value]) => `${name.slice(0, 4)} ${value.toFixed(3)}`).join(" ");
  console.log(
    `${mean(rows.map((row) => row.ndcg)).toFixed(4)} A ${half("A").toFixed(4)} B ${half("B").toFixed(4)} ${shown}  ${set}`,
  );
  if (values.languages) {
    const byLanguage = groupMeans(
      rows,
      (row) => row.language,
      (row) => row.ndcg,
    );
    console.log([...byLanguage].map(([name, value]) => `${name} ${value.toFixed(3)}`).join("  "));
  }
  if (values.misses)
    for (const row of rows.filter((one) => values.misses === "all" || one.name === values.misses))
      for (const answer of row.answers)
        if (answer.ndcg < 0.7) {
          const top = answer.hits.slice(0, 4).map((hit) => `${hit.head.path}:${hit.head.startLine}`);
          const wanted = answer.question.targets.map((target) => target.path).join(" ");
          console.log(
            `${answer.ndcg.toFixed(2)} ${row.name} [${answer.question.category}] ${answer.question.query}\n      want ${wanted}\n      got  ${top.join("  ")}`,
          );
        }
}
