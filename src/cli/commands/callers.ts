/** `tokenix callers`: who uses a symbol. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { findSymbol } from "../../repo/graph/find.ts";
import { mark, nodeJson, tellAmbiguity, wholeNumber, withGraph } from "../graph-session.ts";

export default defineCommand({
  meta: { name: "callers", description: "Who calls a symbol: each place, its function, and how sure that is" },
  args: {
    symbol: { type: "positional", required: true, description: "a name, Type.name, or path:name" },
    all: { type: "boolean", description: "every use, not calls alone: types, values, inheritance" },
    strict: { type: "boolean", description: "only certain edges" },
    limit: { type: "string", default: "100", description: "at most this many" },
    json: { type: "boolean", description: "print JSON" },
  },
  run: ({ args }) =>
    withGraph((graph) => {
      const limit = wholeNumber(args.limit, "limit", 1, 100_000);
      const found = findSymbol(graph, args.symbol);
      const every = graph
        .dependents(found.nodes, { callsOnly: !args.all })
        .filter((one) => !args.strict || (one.certainty === "resolved" && !one.isPossible));
      const shown = every.slice(0, limit);
      if (args.json) {
        const callers = shown.map(({ node, path, line, kind, certainty, isPossible }) => ({
          path,
          line,
          kind,
          certainty,
          possible: isPossible,
          in: nodeJson(node),
        }));
        console.log(
          JSON.stringify({
            symbol: args.symbol,
            definitions: found.nodes.map(nodeJson),
            callers,
            left_out: every.length - shown.length,
          }),
        );
        return EXIT.ok;
      }
      tellAmbiguity(found);
      if (every.length === 0) console.log(`nothing in the index ${args.all ? "uses" : "calls"} ${args.symbol}`);
      for (const one of shown)
        console.log(
          `${one.path}:${one.line}  ${one.node?.qualifiedName ?? "(top of file)"}${one.kind === "call" ? "" : ` [${one.kind}]`}${mark(one)}`,
        );
      if (shown.length < every.length) console.log(`... ${every.length - shown.length} more (--limit)`);
      return EXIT.ok;
    }),
});
