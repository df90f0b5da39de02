/**
 * One question to one index: score by words and by meaning, mix, rank by the rules, and give the best chunks without
 * their text. Reads text for nothing but winners, sorts only the pool.
 */

import type { QuantisedVector } from "../embed/static.ts";
import { type LexicalScores, scoreLexical } from "./bm25.ts";
import { definitionsFor } from "./definitions.ts";
import { mix, type Side } from "./fuse.ts";
import { readQuestion } from "./question.ts";
import { applyRules, type Ranked, type Reason, RULES, type RuleWeights } from "./rules.ts";
import { type SemanticScores, scoreSemantic } from "./semantic.ts";
import { warmSearchKernel } from "./simd.ts";
import type { ChunkHead, Definition, SearchSource } from "./source.ts";
import { topK } from "./topk.ts";

export type Mode = "hybrid" | "semantic" | "lexical" | "symbol";
export const MODES: readonly Mode[] = ["hybrid", "semantic", "lexical", "symbol"];

export interface SearchOptions {
  readonly mode?: Mode;
  readonly limit?: number;
  /** Accepts a file before anything is ranked. */
  readonly keep?: ((path: string, language: string) => boolean) | undefined;
  /** The question's vector, of the model that the index was built with; absent means words alone. */
  readonly vector?: { readonly model: string; readonly query: QuantisedVector } | undefined;
  readonly weights?: SearchWeights;
}

export interface SearchWeights extends RuleWeights {
  /** Candidates of each side that enter the pool. */
  readonly pool: number;
  /** Share of the vectors in the mix, for prose and for a name. */
  readonly proseShare: number;
  readonly symbolShare: number;
}

export const WEIGHTS: SearchWeights = { ...RULES, pool: 100, proseShare: 0.5, symbolShare: 0.3 };

export interface Hit {
  readonly head: ChunkHead;
  /** The definition that made this chunk a hit, when one did: it may begin anywhere in the chunk. */
  readonly definition?: Definition | undefined;
  readonly score: number;
  readonly reasons: readonly Reason[];
}

const DEFAULT_LIMIT = 10;

export function search(source: SearchSource, query: string, options: SearchOptions = {}): readonly Hit[] {
  const weights = options.weights ?? WEIGHTS;
  const mode = options.mode ?? "hybrid";
  const limit = options.limit ?? DEFAULT_LIMIT;
  const question = readQuestion(query);
  if (question.terms.length === 0) return [];
  const allowed = options.keep ? source.chunksOfFiles(options.keep) : undefined;
  const isAllowed = allowed ? (id: number) => allowed.has(id) : undefined;
  const definitions = definitionsFor(source, question, mode === "symbol").filter((hit) => isAllowed?.(hit.id) ?? true);

  if (options.vector && mode === "hybrid") warmSearchKernel();
  const lexical = mode === "semantic" || mode === "symbol" ? undefined : scoreLexical(source, question.terms);
  const semantic = mode === "lexical" || mode === "symbol" ? undefined : semanticOf(source, options.vector);
  const ids = new Map<number, Set<Reason>>();
  const note = (id: number, reason: Reason): void => {
    const reasons = ids.get(id);
    if (reasons) reasons.add(reason);
    else ids.set(id, new Set([reason]));
  };
  const best = (scored: LexicalScores, reason: Reason): Side => {
    const maxima = semantic?.maximaOf?.(scored.scores);
    const top = topK(scored.scores, weights.pool, scored.offset, isAllowed, maxima);
    for (const one of top) note(one.id, reason);
    return { best: top[0]?.score ?? 0, scoreOf: (id) => scored.scores[id - scored.offset] ?? 0 };
  };
  const words = lexical && best(lexical, "lexical");
  const meaning = semantic && best(semantic, "semantic");
  for (const hit of definitions) note(hit.id, "definition");

  const share = question.symbol === undefined ? weights.proseShare : weights.symbolShare;
  const pool = source.heads([...ids.keys()]).map(
    (head): Ranked => ({
      head,
      score: mode === "symbol" ? 1 : mix(head.id, words, meaning, share),
      reasons: ids.get(head.id) ?? new Set(),
    }),
  );
  return applyRules(pool, question, definitions, weights)
    .slice(0, limit)
    .map(({ head, score, reasons }) => ({
      head,
      score,
      reasons: [...reasons],
      definition: definitions.find((hit) => hit.id === head.id)?.definition,
    }));
}

function semanticOf(source: SearchSource, vector: SearchOptions["vector"]): SemanticScores | undefined {
  return vector && scoreSemantic(source.vectors(vector.model), vector.query, source.segments());
}
