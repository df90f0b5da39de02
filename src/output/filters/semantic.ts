/**
 * `semantic_filter`: the lines nearest in meaning to a query stay. Which model measures nearness is not this room's
 * business: whoever starts a run hands in a loader. Without one the stage is skipped, and every line stays.
 */
import type { LineTest } from "./compile.ts";
import type { SemanticRule } from "./schema.ts";
import { omittedLines } from "./stages.ts";

/** One score a line, higher is nearer. */
export type LineRanker = (query: string, lines: readonly string[]) => readonly number[];

/** Gives the ranker of a model, or undefined when that model is not on this machine. Never downloads. */
export type RankerLoader = (model: string) => Promise<LineRanker | undefined>;

/** Past this ranking costs more time than the rest of the run. */
const MOST_LINES = 20_000;

export function keepNearest(
  lines: readonly string[],
  rule: SemanticRule,
  rank: LineRanker,
  survives: LineTest,
): { lines: string[]; dropped: number } {
  if (lines.length <= rule.top_k || lines.length > MOST_LINES) return { lines: [...lines], dropped: 0 };
  const scores = rank(rule.query, lines);
  const order = lines.map((_, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const chosen = new Set(order.slice(0, rule.top_k));
  const out: string[] = [];
  let gap = 0;
  let dropped = 0;
  const closeGap = () => {
    if (gap > 0) out.push(omittedLines(gap));
    gap = 0;
  };
  lines.forEach((line, at) => {
    if (chosen.has(at) || survives(line)) {
      closeGap();
      out.push(line);
    } else {
      gap++;
      dropped++;
    }
  });
  closeGap();
  return { lines: out, dropped };
}
