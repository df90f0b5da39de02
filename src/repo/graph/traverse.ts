/** Bounded walks over the graph: impact (who depends, and who depends on them), flow (what is called), a path between two. */

import type { Callee, Dependent, EdgeKind, Graph } from "./graph.ts";
import type { Certainty } from "./resolve.ts";
import type { Node } from "./universe.ts";

export interface WalkOptions {
  readonly depth: number;
  /** Nodes at most; what was left is told by `truncated`. */
  readonly limit: number;
  /** Only certain edges. */
  readonly strict?: boolean;
}

export interface Step {
  readonly node: Node | undefined;
  /** For the top of a file, which is no symbol. */
  readonly path: string;
  readonly line: number;
  readonly depth: number;
  readonly kind: EdgeKind;
  readonly certainty: Certainty;
  readonly isPossible: boolean;
  /** Index in `steps` of what it was reached from; -1 for the start. */
  readonly from: number;
  readonly name: string;
}

export interface Walk {
  readonly steps: readonly Step[];
  /** True when depth or limit ended the walk before the graph did. */
  readonly truncated: boolean;
}

/** Reverse dependencies, breadth first. */
export function impact(graph: Graph, start: readonly Node[], options: WalkOptions): Walk {
  return walk(start, options, (nodes) =>
    graph.dependents(nodes).map((one: Dependent) => ({ ...one, name: one.node?.qualifiedName ?? "(top of file)" })),
  );
}

/** Calls, breadth first. External ends are kept as leaves. */
export function flow(graph: Graph, start: readonly Node[], options: WalkOptions): Walk {
  return walk(start, options, (nodes) =>
    nodes.flatMap((node) => graph.callees(node).map((one: Callee) => ({ ...one, path: one.node?.path ?? node.path }))),
  );
}

type Edge = Omit<Step, "depth" | "from">;

function walk(start: readonly Node[], options: WalkOptions, next: (nodes: readonly Node[]) => readonly Edge[]): Walk {
  const seen = new Set<string>(start.map((node) => `#${node.id}`));
  const steps: Step[] = [];
  let layer: { nodes: readonly Node[]; from: number }[] = [{ nodes: start, from: -1 }];
  let truncated = false;
  for (let depth = 1; layer.length > 0; depth++) {
    if (depth > options.depth) {
      truncated = layer.some(({ nodes }) => nodes.length > 0 && next(nodes).some((edge) => isNew(edge, seen, options)));
      break;
    }
    const following: { nodes: readonly Node[]; from: number }[] = [];
    for (const { nodes, from } of layer)
      for (const edge of next(nodes)) {
        if (!isNew(edge, seen, options)) continue;
        if (steps.length >= options.limit) return { steps, truncated: true };
        seen.add(keyOf(edge));
        steps.push({ ...edge, depth, from });
        if (edge.node) following.push({ nodes: [edge.node], from: steps.length - 1 });
      }
    layer = following;
  }
  return { steps, truncated };
}

function keyOf({ node, path, name }: Edge): string {
  return node ? `#${node.id}` : `${path}\0${name}`;
}

function isNew(edge: Edge, seen: ReadonlySet<string>, { strict }: WalkOptions): boolean {
  if (strict && (edge.certainty !== "resolved" || edge.isPossible)) return false;
  return !seen.has(keyOf(edge));
}

export interface Hop {
  readonly node: Node;
  readonly certainty: Certainty;
  readonly isPossible: boolean;
  readonly line: number;
}

/** The shortest chain of calls from one symbol to another; undefined when there is none within the bounds. */
export function pathBetween(
  graph: Graph,
  from: readonly Node[],
  to: readonly Node[],
  options: WalkOptions,
): { hops: readonly Hop[] | undefined; truncated: boolean } {
  const wanted = new Set(to.map((node) => node.id));
  const before = new Map<number, { id: number; hop: Hop } | undefined>(from.map((node) => [node.id, undefined]));
  const byId = new Map(from.map((node) => [node.id, node]));
  let layer = [...from];
  let visited = 0;
  for (let depth = 0; depth <= options.depth && layer.length > 0; depth++) {
    const following: Node[] = [];
    for (const node of layer) {
      if (++visited > options.limit) return { hops: undefined, truncated: true };
      for (const edge of graph.callees(node, { callsOnly: false })) {
        if (!edge.node || before.has(edge.node.id)) continue;
        if (options.strict && (edge.certainty !== "resolved" || edge.isPossible)) continue;
        const { certainty, isPossible, line } = edge;
        before.set(edge.node.id, { id: node.id, hop: { node: edge.node, certainty, isPossible, line } });
        byId.set(edge.node.id, edge.node);
        if (wanted.has(edge.node.id)) return { hops: unroll(edge.node.id, before, byId), truncated: false };
        following.push(edge.node);
      }
    }
    layer = following;
  }
  return { hops: undefined, truncated: layer.length > 0 };
}

function unroll(
  end: number,
  before: ReadonlyMap<number, { id: number; hop: Hop } | undefined>,
  byId: ReadonlyMap<number, Node>,
): Hop[] {
  const hops: Hop[] = [];
  for (let id = end; ; ) {
    const link = before.get(id);
    if (!link) {
      const node = byId.get(id);
      if (node) hops.unshift({ node, certainty: "resolved", isPossible: false, line: node.startLine });
      return hops;
    }
    hops.unshift(link.hop);
    id = link.id;
  }
}
