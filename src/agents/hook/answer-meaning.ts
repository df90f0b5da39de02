/** The places nearest in meaning to a question, each with its first lines, within a budget. */
import { search } from "../../repo/search/search.ts";
import { storeSource } from "../../repo/search/store-source.ts";
import type { Store } from "../../repo/store/store.ts";
import { isUnchanged } from "./answer-file.ts";
import type { Answered } from "./repo-answers.ts";

const MOST_HITS = 6;
/** Ranked and then held against the files: what has changed since drops out. */
const CANDIDATES = 12;
const LINES_SHOWN = 12;
const MOST_CHARACTERS = 5000;
const LONGEST_LINE = 200;

export function meaningFrom(store: Store, question: string): Answered | undefined {
  const hits = search(storeSource(store), question, { limit: CANDIDATES });
  const parts: string[] = [];
  let characters = 0;
  for (const { head } of hits) {
    if (parts.length === MOST_HITS) break;
    const file = store.files.byPath(head.path);
    if (!file || !isUnchanged(store, file)) continue;
    const part = place(store, head);
    if (characters + part.length > MOST_CHARACTERS && parts.length > 0) break;
    characters += part.length;
    parts.push(part);
  }
  return parts.length === 0 ? undefined : { text: parts.join("\n"), hits: parts.length };
}

function place(
  store: Store,
  head: { id: number; path: string; startLine: number; endLine: number; symbol?: string | undefined },
): string {
  const lines = (store.chunks.text(head.id) ?? "").split("\n");
  const shown = lines
    .slice(0, LINES_SHOWN)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  const symbol = head.symbol ? `  ${head.symbol}` : "";
  const more = lines.length > LINES_SHOWN ? `\n[… to line ${head.endLine}]` : "";
  return `${head.path}:${head.startLine}-${head.endLine}${symbol}\n${shown.join("\n").trimEnd()}${more}`;
}
