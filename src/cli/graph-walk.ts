/** A walk over the graph in each form that `impact` and `flow` can give. */
import { type Drawing, toDot, toHtml, toMermaid } from "../repo/graph/drawing.ts";
import type { Walk } from "../repo/graph/traverse.ts";
import type { Node } from "../repo/graph/universe.ts";
import { mark, nodeJson } from "./graph-session.ts";

export const WALK_FORMATS = ["text", "json", "mermaid", "html", "dot"] as const;

export interface ToldWalk {
  readonly start: readonly Node[];
  readonly walk: Walk;
  readonly drawing: Drawing;
  readonly arrow: string;
  readonly nothing: string;
}

export async function renderWalk(format: (typeof WALK_FORMATS)[number], told: ToldWalk): Promise<string> {
  if (format === "mermaid") return toMermaid(told.drawing);
  if (format === "dot") return toDot(told.drawing);
  if (format === "html") return toHtml(told.drawing);
  if (format === "json") {
    const steps = told.walk.steps.map(({ node, path, line, depth, kind, certainty, isPossible, from, name }) => ({
      name,
      path,
      line,
      depth,
      kind,
      certainty,
      possible: isPossible,
      from,
      definition: nodeJson(node),
    }));
    return `${JSON.stringify({ start: told.start.map(nodeJson), steps, truncated: told.walk.truncated })}\n`;
  }
  return asTree(told);
}

/** Each step under what it was reached from. */
function asTree({ start, walk, arrow, nothing }: ToldWalk): string {
  const lines = start.map((node) => `${node.path}:${node.startLine}  ${node.kind} ${node.qualifiedName}`);
  const children = new Map<number, number[]>();
  walk.steps.forEach((step, i) => {
    const list = children.get(step.from);
    if (list) list.push(i);
    else children.set(step.from, [i]);
  });
  const tell = (at: number): void => {
    for (const i of children.get(at) ?? []) {
      const step = walk.steps[i];
      if (!step) continue;
      const kind = step.kind === "call" ? "" : ` [${step.kind}]`;
      const place = step.node ? `${step.node.path}:${step.node.startLine}` : `${step.path}:${step.line}`;
      lines.push(`${"  ".repeat(step.depth)}${arrow} ${step.name}  ${place}${kind}${mark(step)}`);
      tell(i);
    }
  };
  tell(-1);
  if (walk.steps.length === 0) lines.push(nothing);
  const guesses = walk.steps.filter((step) => step.certainty !== "resolved" || step.isPossible).length;
  lines.push(
    `${walk.steps.length} reached, ${guesses} of them by guesses${walk.truncated ? "; cut at the limits (--depth, --limit)" : ""}`,
  );
  return `${lines.join("\n")}\n`;
}
