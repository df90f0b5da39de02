/** From a question to the places that context is made of: the one hit list, with each place's reason in a word. */
import { reasonWords } from "../search/reason-words.ts";
import { search } from "../search/search.ts";
import { storeSource } from "../search/store-source.ts";
import type { Store } from "../store/store.ts";
import type { Place } from "./context.ts";

export function gatherPlaces(
  store: Store,
  question: string,
  limit: number,
  options: Omit<Parameters<typeof search>[2] & object, "limit"> = {},
): Place[] {
  return search(storeSource(store), question, { ...options, limit }).map(({ head, score, reasons }) => ({
    chunk: head.id,
    path: head.path,
    startLine: head.startLine,
    endLine: head.endLine,
    symbol: head.symbol,
    score,
    why: reasonWords(reasons) || "words",
  }));
}
