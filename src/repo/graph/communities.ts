/**
 * Communities of symbols by Louvain's method: each node moves to the neighbouring community that gains the most
 * modularity, then communities become nodes, until nothing moves. The order of visits is shuffled by a fixed seed, so the
 * same graph always gives the same answer.
 */
import type { Node } from "./universe.ts";
import type { WholeGraph } from "./whole.ts";

export interface Community {
  /** The folder or file most of it lies in. */
  readonly name: string;
  readonly members: readonly Node[];
  /** Edges inside, and to other communities. */
  readonly inside: number;
  readonly outside: number;
}

type Weights = ReadonlyMap<number, number>;

export function communities(whole: WholeGraph, seed = 1): { communities: Community[]; modularity: number } {
  const count = whole.nodes.length;
  const neighbours: Map<number, number>[] = Array.from({ length: count }, () => new Map());
  for (let from = 0; from < count; from++)
    for (const to of whole.out[from] ?? []) {
      add(neighbours[from], to, 1);
      add(neighbours[to], from, 1);
    }
  const final = louvain(neighbours, seed);
  const groups = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    if ((neighbours[i]?.size ?? 0) === 0) continue;
    const key = final[i] ?? i;
    const list = groups.get(key);
    if (list) list.push(i);
    else groups.set(key, [i]);
  }
  const told = [...groups.values()]
    .filter((members) => members.length > 1)
    .map((members) => tell(whole, members, final))
    .sort((a, b) => b.members.length - a.members.length || (a.name < b.name ? -1 : 1));
  return { communities: told, modularity: modularityOf(neighbours, final) };
}

function tell(whole: WholeGraph, members: readonly number[], final: readonly number[]): Community {
  let inside = 0;
  let outside = 0;
  for (const from of members)
    for (const to of whole.out[from] ?? []) {
      if (final[to] === final[from]) inside++;
      else outside++;
    }
  const nodes = members.map((i) => whole.nodes[i] as Node);
  return { name: commonPlace(nodes), members: nodes, inside, outside };
}

/** The deepest folder or file that holds at least half of the members. */
function commonPlace(nodes: readonly Node[]): string {
  const counts = new Map<string, number>();
  for (const { path } of nodes)
    for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) add(counts, at, 1);
  const half = nodes.length / 2;
  const places = [...counts]
    .filter(([, n]) => n >= half)
    .sort((a, b) => b[0].split("/").length - a[0].split("/").length || b[1] - a[1]);
  return places[0]?.[0] ?? ".";
}

/** @returns the community of each node. */
export function louvain(neighbours: readonly Weights[], seed: number): readonly number[] {
  let graph: readonly Weights[] = neighbours;
  let membership = neighbours.map((_, i) => i);
  for (let level = 0; level < 20; level++) {
    const moved = moveAll(graph, seed + level);
    const ids = new Map<number, number>();
    for (const community of moved) if (!ids.has(community)) ids.set(community, ids.size);
    if (ids.size === graph.length) return membership;
    membership = membership.map((node) => ids.get(moved[node] ?? 0) ?? 0);
    const next: Map<number, number>[] = Array.from({ length: ids.size }, () => new Map());
    graph.forEach((edges, from) => {
      const source = ids.get(moved[from] ?? 0) ?? 0;
      for (const [to, weight] of edges) add(next[source], ids.get(moved[to] ?? 0) ?? 0, weight);
    });
    graph = next;
  }
  return membership;
}

function moveAll(graph: readonly Weights[], seed: number): number[] {
  const degree = graph.map((edges) => sum(edges.values()));
  const total = sum(degree) || 1;
  const community = graph.map((_, i) => i);
  const weight = [...degree];
  const order = shuffled(graph.length, seed);
  for (let round = 0; round < 50; round++) {
    let moves = 0;
    for (const node of order) {
      const own = community[node] ?? node;
      const towards = new Map<number, number>();
      for (const [to, edge] of graph[node] ?? []) if (to !== node) add(towards, community[to] ?? to, edge);
      weight[own] = (weight[own] ?? 0) - (degree[node] ?? 0);
      let best = own;
      let gain = (towards.get(own) ?? 0) - ((weight[own] ?? 0) * (degree[node] ?? 0)) / total;
      for (const [candidate, edge] of towards) {
        const value = edge - ((weight[candidate] ?? 0) * (degree[node] ?? 0)) / total;
        if (value > gain + 1e-9 || (Math.abs(value - gain) <= 1e-9 && candidate < best)) {
          gain = value;
          best = candidate;
        }
      }
      weight[best] = (weight[best] ?? 0) + (degree[node] ?? 0);
      if (best !== own) {
        community[node] = best;
        moves++;
      }
    }
    if (moves === 0) break;
  }
  return community;
}

function modularityOf(graph: readonly Weights[], community: readonly number[]): number {
  const total = sum(graph.map((edges) => sum(edges.values())));
  if (total === 0) return 0;
  const inside = new Map<number, number>();
  const degrees = new Map<number, number>();
  graph.forEach((edges, from) => {
    const own = community[from] ?? from;
    for (const [to, weight] of edges) {
      if (community[to] === own) add(inside, own, weight);
      add(degrees, own, weight);
    }
  });
  let value = 0;
  for (const [own, degree] of degrees) value += (inside.get(own) ?? 0) / total - (degree / total) ** 2;
  return value;
}

function shuffled(count: number, seed: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  let state = (seed * 2654435761) >>> 0 || 1;
  for (let i = count - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}

function add<K>(map: Map<K, number> | undefined, key: K, value: number): void {
  map?.set(key, (map.get(key) ?? 0) + value);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
