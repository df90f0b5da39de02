/**
 * Cycles: groups of symbols, or of files, that depend on each other all around. Tarjan's algorithm, without recursion;
 * over certain edges only, since a guess by name would make cycles of homonyms.
 */
import type { Graph } from "./graph.ts";
import type { Node } from "./universe.ts";
import { type WholeGraph, wholeGraph } from "./whole.ts";

/** Strongly connected components with more than one member (or a self edge), each sorted, largest first. */
export function components(out: readonly (readonly number[])[]): number[][] {
  const count = out.length;
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const stack: number[] = [];
  const found: number[][] = [];
  let counter = 0;
  for (let root = 0; root < count; root++) {
    if (order[root] !== -1) continue;
    const work: { node: number; next: number }[] = [{ node: root, next: 0 }];
    while (work.length > 0) {
      const frame = work[work.length - 1];
      if (!frame) break;
      const { node } = frame;
      if (frame.next === 0) {
        order[node] = low[node] = counter++;
        stack.push(node);
        onStack[node] = 1;
      }
      const target = out[node]?.[frame.next];
      if (target !== undefined) {
        frame.next++;
        if (order[target] === -1) work.push({ node: target, next: 0 });
        else if (onStack[target]) low[node] = Math.min(low[node] ?? 0, order[target] ?? 0);
        continue;
      }
      // A node without targets must not be taken for one that was never opened.
      if (frame.next === 0) frame.next = 1;
      work.pop();
      const parent = work[work.length - 1]?.node;
      if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0);
      if (low[node] !== order[node]) continue;
      const members: number[] = [];
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        onStack[member] = 0;
        members.push(member);
        if (member === node) break;
      }
      if (members.length > 1 || out[node]?.includes(node)) found.push(members.sort((a, b) => a - b));
    }
  }
  return found.sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
}

export interface CycleStep {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

export interface Cycle {
  readonly size: number;
  /** A shortest way around, each step with the place where it refers to the next. */
  readonly steps: readonly CycleStep[];
}

export function symbolCycles(graph: Graph): Cycle[] {
  const whole = wholeGraph(graph, { certainOnly: true, callsOnly: true });
  return components(whole.out)
    .filter((members) => members.length > 1)
    .map((members) => ({
      size: members.length,
      steps: wayAround(whole.out, members).map((from, i, way) =>
        symbolStep(whole, from, way[(i + 1) % way.length] ?? from),
      ),
    }));
}

function symbolStep(whole: WholeGraph, from: number, to: number): CycleStep {
  const node = whole.nodes[from] as Node;
  return {
    name: node.qualifiedName,
    path: node.path,
    line: whole.lines.get(from * whole.nodes.length + to) ?? node.startLine,
  };
}

/** Files that import each other around; what a package is made of (Go, JVM) is no cycle. */
export function fileCycles(graph: Graph): Cycle[] {
  const files = [...graph.universe.allFiles()].filter((file) => file.family);
  const index = new Map(files.map((file, i) => [file.path, i]));
  const lines = new Map<number, number>();
  const out = files.map((file, from) => {
    const targets = new Set<number>();
    for (const one of graph.universe.importsOf(file.id)) {
      if (one.target.kind !== "files" || one.target.isGuess || one.kind === "submodule") continue;
      for (const path of one.target.paths) {
        const to = index.get(path);
        if (to === undefined || to === from) continue;
        targets.add(to);
        const key = from * files.length + to;
        if (!lines.has(key)) lines.set(key, one.line);
      }
    }
    return [...targets];
  });
  return components(out)
    .filter((members) => members.length > 1)
    .map((members) => ({
      size: members.length,
      steps: wayAround(out, members).map((from, i, way) => {
        const to = way[(i + 1) % way.length] ?? from;
        const path = files[from]?.path ?? "";
        return { name: path, path, line: lines.get(from * files.length + to) ?? 1 };
      }),
    }));
}

/** A shortest cycle through the component's first member. */
function wayAround(out: readonly (readonly number[])[], members: readonly number[]): readonly number[] {
  const inside = new Set(members);
  const start = members[0] ?? 0;
  const before = new Map<number, number>();
  let layer = [start];
  while (layer.length > 0) {
    const next: number[] = [];
    for (const at of layer)
      for (const to of out[at] ?? []) {
        if (to === start) {
          const way = [at];
          for (let step = before.get(at); step !== undefined; step = before.get(step)) way.unshift(step);
          return way;
        }
        if (!inside.has(to) || before.has(to)) continue;
        before.set(to, at);
        next.push(to);
      }
    layer = next;
  }
  return members;
}
