/** The whole graph in memory, for questions about all of it: hotspots, cycles, communities, ranks. Symbols are counted from 0. */

import { CALL_KINDS, type Graph } from "./graph.ts";
import type { Certainty } from "./resolve.ts";
import { isType, type Node } from "./universe.ts";

export interface WholeGraph {
  readonly nodes: readonly Node[];
  /** Distinct targets of each node's references. */
  readonly out: readonly (readonly number[])[];
  readonly in: readonly (readonly number[])[];
  /** Line of the first reference of each edge, by `from * count + to`. */
  readonly lines: ReadonlyMap<number, number>;
  readonly edges: number;
  readonly byCertainty: Readonly<Record<Certainty, number>>;
}

export interface WholeOptions {
  /** Only certain edges: what a cycle is claimed from. */
  readonly certainOnly?: boolean;
  readonly callsOnly?: boolean;
}

/** A reference counts for the function or type around it; those at the top of a file have no node and are left out. */
export function wholeGraph(graph: Graph, options: WholeOptions = {}): WholeGraph {
  const nodes: Node[] = [];
  const index = new Map<number, number>();
  for (const file of graph.universe.allFiles()) {
    if (!file.family) continue;
    for (const node of graph.universe.symbolsOf(file.id)) {
      index.set(node.id, nodes.length);
      nodes.push(node);
    }
  }
  const out = nodes.map(() => new Set<number>());
  const lines = new Map<number, number>();
  const byCertainty: Record<Certainty, number> = { resolved: 0, inferred: 0, ambiguous: 0, external: 0 };
  let edges = 0;
  for (const file of graph.universe.allFiles()) {
    if (!file.family) continue;
    for (const reference of graph.store.graph.referencesOfFile(file.id)) {
      if (reference.symbolId === null || (options.callsOnly && !CALL_KINDS.has(reference.kind))) continue;
      const from = index.get(reference.symbolId);
      if (from === undefined) continue;
      const { certainty, targets } = graph.resolver.resolve(reference);
      byCertainty[certainty]++;
      if (certainty === "external" || (options.certainOnly && certainty !== "resolved") || certainty === "ambiguous")
        continue;
      for (const target of targets) {
        const to = index.get(target.id);
        if (to === undefined || to === from || out[from]?.has(to)) continue;
        out[from]?.add(to);
        edges++;
        const key = from * nodes.length + to;
        if (!lines.has(key)) lines.set(key, reference.line);
      }
    }
  }
  const into = nodes.map(() => [] as number[]);
  out.forEach((targets, from) => {
    for (const to of targets) into[to]?.push(from);
  });
  return { nodes, out: out.map((targets) => [...targets]), in: into, lines, edges, byCertainty };
}

/** Standard PageRank with damping 0.85; the ranks sum to 1. */
export function pageRank({ out }: { readonly out: readonly (readonly number[])[] }, rounds = 40): Float64Array {
  const count = out.length;
  let rank = new Float64Array(count).fill(count === 0 ? 0 : 1 / count);
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(count);
    let loose = 0;
    for (let from = 0; from < count; from++) {
      const targets = out[from] ?? [];
      const share = rank[from] ?? 0;
      if (targets.length === 0) loose += share;
      else for (const to of targets) next[to] = (next[to] ?? 0) + share / targets.length;
    }
    const base = (0.15 + 0.85 * loose) / Math.max(1, count);
    for (let i = 0; i < count; i++) next[i] = base + 0.85 * (next[i] ?? 0);
    rank = next;
  }
  return rank;
}

/** How many nodes reach each of `starts`, counted up to `most`. */
export function reach(graph: WholeGraph, start: number, most: number): number {
  const seen = new Set<number>([start]);
  const queue = [start];
  for (let at = queue.pop(); at !== undefined; at = queue.pop())
    for (const from of graph.in[at] ?? []) {
      if (seen.has(from)) continue;
      seen.add(from);
      if (seen.size > most) return most;
      queue.push(from);
    }
  return seen.size - 1;
}

export interface Hotspot {
  readonly node: Node;
  readonly callers: number;
  readonly callees: number;
  readonly reach: number;
  readonly rank: number;
}

export interface Overview {
  readonly symbols: number;
  readonly edges: number;
  readonly byCertainty: Readonly<Record<Certainty, number>>;
  /** Most used and using. */
  readonly hotspots: readonly Hotspot[];
  /** Many go in and many come out: what a change passes through. */
  readonly bottlenecks: readonly Hotspot[];
  /** Most depends on them, however far. */
  readonly leaders: readonly Hotspot[];
}

const REACH_CANDIDATES = 60;
const MOST_REACH = 100_000;

export function overview(whole: WholeGraph, count: number): Overview {
  const rank = pageRank(whole);
  const degree = (i: number): number => (whole.in[i]?.length ?? 0) + (whole.out[i]?.length ?? 0);
  const through = (i: number): number => (whole.in[i]?.length ?? 0) * (whole.out[i]?.length ?? 0);
  const candidates = whole.nodes.map((_, i) => i).filter((i) => isWorthTelling(whole.nodes[i]));
  const hotspot = (i: number): Hotspot => ({
    node: whole.nodes[i] as Node,
    callers: whole.in[i]?.length ?? 0,
    callees: whole.out[i]?.length ?? 0,
    reach: reach(whole, i, MOST_REACH),
    rank: rank[i] ?? 0,
  });
  const top = (score: (i: number) => number): Hotspot[] =>
    candidates
      .filter((i) => score(i) > 0)
      .sort((a, b) => score(b) - score(a) || compare(whole.nodes[a], whole.nodes[b]))
      .slice(0, count)
      .map(hotspot);
  const ranked = [...candidates].sort((a, b) => (rank[b] ?? 0) - (rank[a] ?? 0)).slice(0, REACH_CANDIDATES);
  const leaders = ranked
    .map(hotspot)
    .filter((one) => one.reach > 0)
    .sort((a, b) => b.reach - a.reach || compare(a.node, b.node))
    .slice(0, count);
  return {
    symbols: whole.nodes.length,
    edges: whole.edges,
    byCertainty: whole.byCertainty,
    hotspots: top(degree),
    bottlenecks: top(through),
    leaders,
  };
}

/** Fields, keys and one-letter names head every list and tell nothing. */
function isWorthTelling(node: Node | undefined): boolean {
  return (
    node !== undefined &&
    node.name.length > 1 &&
    (isType(node) || ["function", "method", "constructor", "macro", "constant"].includes(node.kind))
  );
}

function compare(a: Node | undefined, b: Node | undefined): number {
  const [left, right] = [`${a?.path}:${a?.startLine}`, `${b?.path}:${b?.startLine}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
