/** `tokenix flow`: a bounded walk over the graph. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { drawWalk } from "../../repo/graph/drawing.ts";
import { findSymbol } from "../../repo/graph/find.ts";
import { flow } from "../../repo/graph/traverse.ts";
import { deliver, oneOf, tellAmbiguity, wholeNumber, withGraph } from "../graph-session.ts";
import { renderWalk, WALK_FORMATS } from "../graph-walk.ts";

export default defineCommand({
  meta: { name: "flow", description: "What runs when a symbol runs: what it calls, and what they call" },
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
      const walk = flow(graph, found.nodes, options);
      const drawing = drawWalk(`flow of ${args.symbol}`, found.nodes, walk, false);
      deliver(
        await renderWalk(format, {
          start: found.nodes,
          walk,
          drawing,
          arrow: "→",
          nothing: `nothing in the project is called by ${args.symbol}`,
        }),
        args.output,
      );
      return EXIT.ok;
    }),
});
