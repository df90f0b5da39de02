/** `tokenix callees`: what a symbol calls. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { findSymbol } from "../../repo/graph/find.ts";
import { mark, nodeJson, tellAmbiguity, wholeNumber, withGraph } from "../graph-session.ts";

export default defineCommand({
  meta: { name: "callees", description: "What a symbol calls, in the project and outside of it" },
  args: {
    symbol: { type: "positional", required: true, description: "a name, Type.name, or path:name" },
    all: { type: "boolean", description: "every use, not calls alone: types and values" },
    external: {
      type: "boolean",
      default: true,
      description: "what lies outside the project too",
      negativeDescription: "only what is in the project",
    },
    limit: { type: "string", default: "100", description: "at most this many" },
    json: { type: "boolean", description: "print JSON" },
  },
  run: ({ args }) =>
    withGraph((graph) => {
      const limit = wholeNumber(args.limit, "limit", 1, 100_000);
      const found = findSymbol(graph, args.symbol);
      const every = found.nodes.flatMap((node) =>
        graph.callees(node, { callsOnly: !args.all }).map((one) => ({ ...one, path: node.path })),
      );
      const wanted = every.filter((one) => args.external || one.node);
      const shown = wanted.slice(0, limit);
      if (args.json) {
        const callees = shown.map(({ name, node, external, path, line, kind, certainty, isPossible }) => ({
          name,
          path,
          line,
          kind,
          certainty,
          possible: isPossible,
          external: external ?? null,
          definition: nodeJson(node),
        }));
        console.log(
          JSON.stringify({
            symbol: args.symbol,
            definitions: found.nodes.map(nodeJson),
            callees,
            left_out: wanted.length - shown.length,
          }),
        );
        return EXIT.ok;
      }
      tellAmbiguity(found);
      if (wanted.length === 0) console.log(`${args.symbol} calls nothing${args.external ? "" : " in the project"}`);
      for (const one of shown) {
        const target = one.node
          ? `${one.node.path}:${one.node.startLine}  ${one.name}`
          : `${one.name}  (outside${one.external ? `: ${one.external}` : ""})`;
        console.log(`${one.path}:${one.line}  → ${target}${one.node ? mark(one) : ""}`);
      }
      if (shown.length < wanted.length) console.log(`... ${wanted.length - shown.length} more (--limit)`);
      return EXIT.ok;
    }),
});
