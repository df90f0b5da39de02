/** The places nearest in meaning to a question, each with its first lines, within a budget. */
import { search } from "../../repo/search/search.ts";
import { storeSource } from "../../repo/search/store-source.ts";
import { tokenize } from "../../repo/search/tokenize.ts";
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
  const wanted = new Set(tokenize(question));
  const hits = search(storeSource(store), question, { limit: CANDIDATES });
  const parts: string[] = [];
  let characters = 0;
  for (const { head } of hits) {
    if (parts.length === MOST_HITS) break;
    const file = store.files.byPath(head.path);
    if (!file || !isUnchanged(store, file)) continue;
    const part = place(store, head, wanted);
    if (characters + part.length > MOST_CHARACTERS && parts.length > 0) break;
    characters += part.length;
    parts.push(part);
  }
  return parts.length === 0 ? undefined : { text: parts.join("\n"), hits: parts.length };
}

function place(
  store: Store,
  head: { id: number; path: string; startLine: number; endLine: number; symbol?: string | undefined },
  wanted: ReadonlySet<string>,
): string {
  const lines = (store.chunks.text(head.id) ?? "").split("\n");
  const from = bestWindow(lines, wanted);
  const shown = lines
    .slice(from, from + LINES_SHOWN)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  const symbol = head.symbol ? `  ${head.symbol}` : "";
  const before = from > 0 ? `[… from line ${head.startLine + from}]\n` : "";
  const more = lines.length > from + LINES_SHOWN ? `\n[… to line ${head.endLine}]` : "";
  return `${head.path}:${head.startLine}-${head.endLine}${symbol}\n${before}${shown.join("\n").trimEnd()}${more}`;
}

/** Where the lines that speak of the question are: a chunk may hold several small symbols, and the last be the one. */
function bestWindow(lines: readonly string[], wanted: ReadonlySet<string>): number {
  if (lines.length <= LINES_SHOWN) return 0;
  const found = lines.map((line) => new Set(tokenize(line).filter((word) => wanted.has(word))));
  let best = { from: 0, words: 0 };
  for (let from = 0; from + LINES_SHOWN <= lines.length; from++) {
    const words = new Set(found.slice(from, from + LINES_SHOWN).flatMap((one) => [...one])).size;
    if (words > best.words) best = { from, words };
  }
  // What follows the first such line says more than what stands before it.
  const first = found.findIndex((words, line) => line >= best.from && words.size > 0);
  return Math.max(best.from, Math.min(first - 1, lines.length - LINES_SHOWN));
}
