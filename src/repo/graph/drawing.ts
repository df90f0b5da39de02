/** One picture of nodes and edges, and the forms it can be given: Mermaid, Graphviz, one self-contained HTML page. */

import type { Walk } from "./traverse.ts";
import type { Node } from "./universe.ts";
import type { Overview } from "./whole.ts";

export interface DrawnNode {
  readonly label: string;
  readonly kind: string;
  readonly path: string;
  readonly line: number;
  /** What was asked for. */
  readonly root: boolean;
  /** Reached only by guesses. */
  readonly guess: boolean;
}

export interface DrawnEdge {
  readonly from: number;
  readonly to: number;
  readonly guess: boolean;
}

export interface Drawing {
  readonly title: string;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  readonly truncated: boolean;
}

/** Mermaid's own default bound; above it the browser refuses to draw. */
const MERMAID_EDGES = 480;

/** A walk as a drawing. `reverse`: its steps are dependents, so edges point towards the start. */
export function drawWalk(title: string, start: readonly Node[], walk: Walk, reverse: boolean): Drawing {
  const nodes: DrawnNode[] = [];
  const first = start[0];
  if (first)
    nodes.push({
      label: first.qualifiedName,
      kind: first.kind,
      path: first.path,
      line: first.startLine,
      root: true,
      guess: false,
    });
  const edges: DrawnEdge[] = [];
  walk.steps.forEach((step, i) => {
    const guess = step.certainty !== "resolved" || step.isPossible;
    nodes.push({
      label: step.node?.qualifiedName ?? (reverse ? step.path : step.name),
      kind: step.node?.kind ?? (reverse ? "file" : "external"),
      path: step.node?.path ?? step.path,
      line: step.node?.startLine ?? step.line,
      root: false,
      guess,
    });
    const [here, there] = [i + 1, step.from + 1];
    edges.push(reverse ? { from: here, to: there, guess } : { from: there, to: here, guess });
  });
  return { title, nodes, edges, truncated: walk.truncated };
}

/** The most connected symbols and what lies between them. */
export function drawOverview(title: string, overview: Overview, between: (from: Node, to: Node) => boolean): Drawing {
  const all = [...overview.hotspots, ...overview.bottlenecks, ...overview.leaders].map(({ node }) => node);
  const unique = [...new Map(all.map((node) => [node.id, node])).values()];
  const nodes = unique.map((node) => ({
    label: node.qualifiedName,
    kind: node.kind,
    path: node.path,
    line: node.startLine,
    root: false,
    guess: false,
  }));
  const edges: DrawnEdge[] = [];
  unique.forEach((from, i) => {
    unique.forEach((to, j) => {
      if (i !== j && between(from, to)) edges.push({ from: i, to: j, guess: false });
    });
  });
  return { title, nodes, edges, truncated: false };
}

export function toMermaid({ nodes, edges, truncated }: Drawing): string {
  const lines = ["flowchart LR"];
  const shown = edges.slice(0, MERMAID_EDGES);
  const used = new Set(shown.flatMap(({ from, to }) => [from, to]));
  nodes.forEach((node, i) => {
    if (!used.has(i) && !node.root) return;
    const text = `${node.label}<br/>${node.path}:${node.line}`.replace(/["#;\\]/g, (c) => `#${c.charCodeAt(0)};`);
    lines.push(`  n${i}${node.root ? `(["${text}"])` : `["${text}"]`}`);
  });
  for (const { from, to, guess } of shown) lines.push(`  n${from} ${guess ? "-.->" : "-->"} n${to}`);
  if (truncated || shown.length < edges.length)
    lines.push(
      `  %% cut: ${edges.length - shown.length} edges left out here${truncated ? ", and the walk ended at its limits" : ""}`,
    );
  return `${lines.join("\n")}\n`;
}

export function toDot({ title, nodes, edges, truncated }: Drawing): string {
  const quoted = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  const lines = [`digraph ${quoted(title)} {`, "  rankdir=LR; node [shape=box, fontname=sans];"];
  nodes.forEach((node, i) => {
    lines.push(
      `  n${i} [label=${quoted(`${node.label}\n${node.path}:${node.line}`)}${node.root ? ", style=bold" : ""}];`,
    );
  });
  for (const { from, to, guess } of edges) lines.push(`  n${from} -> n${to}${guess ? " [style=dashed]" : ""};`);
  if (truncated) lines.push("  // the walk ended at its limits");
  return `${[...lines, "}"].join("\n")}\n`;
}

/** One page with everything in it: opens without a network, runs no code but its own, escapes what it shows. */
export async function toHtml(drawing: Drawing): Promise<string> {
  const { graphPage } = await import("../../generated/graph-page.ts");
  // `<` inside the data would let a name close the script element.
  const json = JSON.stringify(drawing).replaceAll("<", "\\u003c");
  return graphPage.replace("/*DATA*/", () => json);
}
