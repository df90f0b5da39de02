/** `tokenix graph`: the whole graph at a glance. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { drawOverview, toDot, toHtml, toMermaid } from "../../repo/graph/drawing.ts";
import { type Hotspot, overview, wholeGraph } from "../../repo/graph/whole.ts";
import { deliver, nodeJson, oneOf, wholeNumber, withGraph } from "../graph-session.ts";

const FORMATS = ["text", "json", "mermaid", "html", "dot"] as const;

export default defineCommand({
  meta: { name: "graph", description: "The repository's hotspots, bottlenecks and what most depends on" },
  args: {
    top: { type: "string", default: "10", description: "how many of each" },
    format: { type: "string", default: "text", description: FORMATS.join(", ") },
    output: { type: "string", description: "write there instead of printing", valueHint: "FILE" },
    json: { type: "boolean", description: "the same as --format json" },
  },
  run: ({ args }) =>
    withGraph(async (graph, root) => {
      const format = args.json ? "json" : oneOf(args.format, "format", FORMATS);
      const top = wholeNumber(args.top, "top", 1, 1000);
      const whole = wholeGraph(graph);
      const told = overview(whole, top);
      const index = new Map(whole.nodes.map((node, i) => [node.id, i]));
      const drawing = drawOverview(
        `graph of ${root.slice(root.lastIndexOf("/") + 1)}`,
        told,
        (from, to) => whole.out[index.get(from.id) ?? -1]?.includes(index.get(to.id) ?? -1) ?? false,
      );
      if (format === "mermaid") deliver(toMermaid(drawing), args.output);
      else if (format === "dot") deliver(toDot(drawing), args.output);
      else if (format === "html") deliver(await toHtml(drawing), args.output);
      else if (format === "json") {
        const list = (spots: readonly Hotspot[]) => spots.map(({ node, ...rest }) => ({ ...nodeJson(node), ...rest }));
        deliver(
          `${JSON.stringify({ ...told, hotspots: list(told.hotspots), bottlenecks: list(told.bottlenecks), leaders: list(told.leaders) })}\n`,
          args.output,
        );
      } else deliver(asText(told), args.output);
      return EXIT.ok;
    }),
});

function asText(told: ReturnType<typeof overview>): string {
  const { resolved, inferred, ambiguous, external } = told.byCertainty;
  const rows = (title: string, spots: readonly Hotspot[], tell: (spot: Hotspot) => string): string[] => [
    "",
    title,
    ...(spots.length === 0
      ? ["  none"]
      : spots.map((spot) => `  ${spot.node.path}:${spot.node.startLine}  ${spot.node.qualifiedName}  ${tell(spot)}`)),
  ];
  return [
    `${told.symbols} symbols, ${told.edges} edges; references: ${resolved} certain, ${inferred} inferred, ${ambiguous} ambiguous, ${external} outside`,
    ...rows("Most connected", told.hotspots, (one) => `${one.callers} in, ${one.callees} out`),
    ...rows("Bottlenecks (many in and many out)", told.bottlenecks, (one) => `${one.callers} in, ${one.callees} out`),
    ...rows("Most depends on them, however far", told.leaders, (one) => `${one.reach} reach it`),
    "",
  ].join("\n");
}
