/** A walk over the graph in each form that `impact` and `flow` can give. */
import { defineCommand } from "citty";
import { EXIT } from "../platform/errors.ts";
import { type Drawing, drawWalk, toDot, toHtml, toMermaid } from "../repo/graph/drawing.ts";
import { findSymbol } from "../repo/graph/find.ts";
import type { flow, Walk } from "../repo/graph/traverse.ts";
import type { Node } from "../repo/graph/universe.ts";
import { deliver, mark, nodeJson, oneOf, tellAmbiguity, wholeNumber, withGraph } from "./graph-session.ts";

export const WALK_FORMATS = ["text", "json", "mermaid", "html", "dot"] as const;

/** The command of a bounded walk: `flow` goes along the edges, `impact` against them. */
export function walkCommand(about: {
  readonly name: string;
  readonly description: string;
  readonly follow: typeof flow;
  readonly isBackward: boolean;
  readonly nothing: (symbol: string) => string;
}) {
  return defineCommand({
    meta: { name: about.name, description: about.description },
    args: {
      symbol: { type: "positional", required: true, description: "a name, Type.name, or path:name" },
      depth: { type: "string", default: "3", description: "how many steps away" },
      limit: { type: "string", default: "200", description: "at most this many symbols" },
      strict: { type: "boolean", description: "only certain edges" },
      format: { type: "string", default: "text", description: WALK_FORMATS.join(", ") },
      output: { type: "string", description: "write there instead of printing", valueHint: "FILE" },
      json: { type: "boolean", description: "the same as --format json" },
    },
    run: ({ args }) =>
      withGraph(async (graph) => {
        const options = {
          depth: wholeNumber(args.depth, "depth", 1, 50),
          limit: wholeNumber(args.limit, "limit", 1, 20_000),
          strict: args.strict,
        };
        const format = args.json ? "json" : oneOf(args.format, "format", WALK_FORMATS);
        const found = findSymbol(graph, args.symbol);
        if (format !== "json") tellAmbiguity(found);
        const walk = about.follow(graph, found.nodes, options);
        const drawing = drawWalk(`${about.name} of ${args.symbol}`, found.nodes, walk, about.isBackward);
        deliver(
          await renderWalk(format, {
            start: found.nodes,
            walk,
            drawing,
            arrow: about.isBackward ? "←" : "→",
            nothing: about.nothing(args.symbol),
          }),
          args.output,
        );
        return EXIT.ok;
      }),
  });
}

interface ToldWalk {
  readonly start: readonly Node[];
  readonly walk: Walk;
  readonly drawing: Drawing;
  readonly arrow: string;
  readonly nothing: string;
}

async function renderWalk(format: (typeof WALK_FORMATS)[number], told: ToldWalk): Promise<string> {
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
