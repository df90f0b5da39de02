/** The label set: repositories, questions and targets, and when a result counts for a target. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Repository {
  readonly name: string;
  readonly language: string;
  readonly url: string;
  readonly revision: string;
  readonly benchmark_root?: string | null;
}

export interface Target {
  readonly path: string;
  readonly start_line?: number;
  readonly end_line?: number;
}

export interface Labelled {
  readonly query: string;
  readonly category: string;
  readonly targets: readonly Target[];
}

export function repositories(labels: string): Repository[] {
  return JSON.parse(readFileSync(join(labels, "repos.json"), "utf8")) as Repository[];
}

export function questionsOf(labels: string, name: string): Labelled[] {
  const file = join(labels, "annotations", `${name}.json`);
  if (!existsSync(file)) return [];
  const raw = JSON.parse(readFileSync(file, "utf8")) as {
    query: string;
    category: string;
    relevant: (string | Target)[];
    secondary?: (string | Target)[];
  }[];
  return raw.map((entry) => ({
    query: entry.query,
    category: entry.category,
    targets: [...entry.relevant, ...(entry.secondary ?? [])].map((one) =>
      typeof one === "string" ? { path: one } : one,
    ),
  }));
}

export interface Located {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

export function covers(found: Located, target: Target): boolean {
  const a = found.path;
  const b = target.path;
  if (a !== b && !a.endsWith(`/${b}`) && !b.endsWith(`/${a}`)) return false;
  if (target.start_line === undefined || target.end_line === undefined) return true;
  return found.endLine >= target.start_line && found.startLine <= target.end_line;
}

/** Gain 1 at the rank of the first matching result of each target, over the ideal of min(10, targets). */
export function ndcg10(found: readonly Located[], targets: readonly Target[]): number {
  const top = found.slice(0, 10);
  const gains = new Array<number>(10).fill(0);
  for (const target of targets) {
    const rank = top.findIndex((one) => covers(one, target));
    if (rank >= 0) gains[rank] = 1;
  }
  const dcg = gains.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(10, targets.length); rank++) ideal += 1 / Math.log2(rank + 2);
  return ideal === 0 ? 0 : dcg / ideal;
}
