/** The places nearest in meaning to a question, each with its first lines, within a budget. */
import { fitBudget } from "../../repo/search/budget.ts";
import { queryVector } from "../../repo/search/query-vector.ts";
import { search } from "../../repo/search/search.ts";
import { storeSource } from "../../repo/search/store-source.ts";
import type { Store } from "../../repo/store/store.ts";
import { isUnchanged } from "./answer-file.ts";
import type { Answered } from "./repo-answers.ts";

const MOST_HITS = 6;
/** Ranked and then held against the files: what has changed since drops out. */
const CANDIDATES = 12;
const BUDGET_TOKENS = 1200;

/** @param under only files of this folder (relative to the root) are looked at; undefined for all. */
export async function meaningFrom(
  store: Store,
  question: string,
  under: string | undefined,
): Promise<Answered | undefined> {
  const { vector } = await queryVector(store, question);
  const keep = under === undefined ? undefined : (path: string) => path === under || path.startsWith(`${under}/`);
  const hits = search(storeSource(store), question, { mode: "hybrid", limit: CANDIDATES, vector, keep })
    .filter(({ head }) => {
      const file = store.files.byPath(head.path);
      return file !== undefined && isUnchanged(store, file);
    })
    .slice(0, MOST_HITS);
  const shown = fitBudget(
    hits.map(({ head }) => store.chunks.text(head.id) ?? ""),
    BUDGET_TOKENS,
  );
  const parts = shown.map(({ text, linesOmitted }, at) => {
    const { path, startLine, endLine, symbol } = hits[at]?.head ?? { path: "", startLine: 0, endLine: 0 };
    const more = linesOmitted > 0 ? `\n[… ${linesOmitted} lines more]` : "";
    return `${path}:${startLine}-${endLine}${symbol ? `  ${symbol}` : ""}${text === "" ? "" : `\n${text}`}${more}`;
  });
  return parts.length === 0 ? undefined : { text: parts.join("\n"), hits: parts.length };
}
