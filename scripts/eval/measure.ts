/** Asks every labelled question of one index and sums up what came back. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { queryVector } from "../../src/repo/search/query-vector.ts";
import { type SearchOptions, search } from "../../src/repo/search/search.ts";
import { storeSource } from "../../src/repo/search/store-source.ts";
import type { Store } from "../../src/repo/store/store.ts";
import { covers, type Labelled, ndcg10 } from "./labels.ts";

export interface Answered {
  readonly query: string;
  readonly category: string;
  readonly ndcg: number;
  readonly elapsedMs: number;
  /** Tokens read, in rank order, until a target is covered; Infinity when none of the first 50 covers one. */
  readonly tokensToHit: number;
  readonly top: readonly string[];
}

export interface MeasureOptions extends SearchOptions {
  /** Counting tokens is slow: only for the final table. */
  readonly tokens?: boolean;
}

const DEPTH = 50;

export async function ask(store: Store, questions: readonly Labelled[], options: MeasureOptions): Promise<Answered[]> {
  const source = storeSource(store);
  const answers: Answered[] = [];
  for (const question of questions) {
    const started = performance.now();
    const { vector } = options.mode === "lexical" ? { vector: undefined } : await queryVector(store, question.query);
    const hits = search(source, question.query, { ...options, vector, limit: options.tokens ? DEPTH : 10 });
    const elapsedMs = performance.now() - started;
    const located = hits.map((hit) => hit.head);
    let read = 0;
    let tokensToHit = Number.POSITIVE_INFINITY;
    if (options.tokens)
      for (const head of located) {
        read += countTokens(source.text(head.id) ?? "");
        if (question.targets.some((target) => covers(head, target))) {
          tokensToHit = read;
          break;
        }
      }
    answers.push({
      query: question.query,
      category: question.category,
      ndcg: ndcg10(located, question.targets),
      elapsedMs,
      tokensToHit,
      top: located.slice(0, 3).map((head) => `${head.path}:${head.startLine}`),
    });
  }
  return answers;
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function groupMeans<T>(
  items: readonly T[],
  key: (item: T) => string,
  value: (item: T) => number,
): Map<string, number> {
  const groups = new Map<string, number[]>();
  for (const item of items) {
    const list = groups.get(key(item));
    if (list) list.push(value(item));
    else groups.set(key(item), [value(item)]);
  }
  return new Map([...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, values]) => [name, mean(values)]));
}
