/**
 * Score fusion: each side divided by its own maximum, then mixed. Reciprocal ranks threw away how much better the
 * first is than the second: .828–.834 against .843–.846 with the same model and rules.
 */

/** One side's scores by chunk id. */
export interface Side {
  readonly best: number;
  scoreOf(id: number): number;
}

/** The mixed score of a chunk, 0 to 1. `share` is the weight of `semantic`; a missing side leaves the other whole. */
export function mix(id: number, lexical: Side | undefined, semantic: Side | undefined, share: number): number {
  const words = lexical && lexical.best > 0 ? Math.max(0, lexical.scoreOf(id)) / lexical.best : undefined;
  const meaning = semantic && semantic.best > 0 ? Math.max(0, semantic.scoreOf(id)) / semantic.best : undefined;
  if (words === undefined) return meaning ?? 0;
  if (meaning === undefined) return words;
  return (1 - share) * words + share * meaning;
}
