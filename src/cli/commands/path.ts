/** `tokenix path`: how one symbol reaches another. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { findSymbol } from "../../repo/graph/find.ts";
import { pathBetween } from "../../repo/graph/traverse.ts";
import { mark, nodeJson, tellAmbiguity, wholeNumber, withGraph } from "../graph-session.ts";

export default defineCommand({
  meta: { name: "path", description: "The shortest chain of uses from one symbol to another" },
  args: {
    from: { type: "positional", required: true, description: "where to start" },
    to: { type: "positional", required: true, description: "where to arrive" },
    strict: { type: "boolean", description: "only certain edges" },
    depth: { type: "string", default: "12", description: "at most this many steps" },
    limit: { type: "string", default: "20000", description: "at most this many symbols looked at" },
    json: { type: "boolean", description: "print JSON" },
  },
  run: ({ args }) =>
    withGraph((graph) => {
      const options = {
        depth: wholeNumber(args.depth, "depth", 1, 100),
        limit: wholeNumber(args.limit, "limit", 1, 1_000_000),
        strict: args.strict,
      };
      const [from, to] = [findSymbol(graph, args.from), findSymbol(graph, args.to)];
      const { hops, truncated } = pathBetween(graph, from.nodes, to.nodes, options);
      if (args.json) {
        const told =
          hops?.map(({ node, certainty, isPossible, line }) => ({
            ...nodeJson(node),
            certainty,
            possible: isPossible,
            used_at: line,
          })) ?? null;
        console.log(JSON.stringify({ from: args.from, to: args.to, path: told, truncated }));
        return hops ? EXIT.ok : EXIT.findings;
      }
      tellAmbiguity(from);
      tellAmbiguity(to);
      if (!hops) {
        console.log(
          `no path from ${args.from} to ${args.to}${args.strict ? " over certain edges" : ""}${truncated ? " within the limits (--depth, --limit)" : ""}`,
        );
        return EXIT.findings;
      }
      hops.forEach((hop, i) => {
        console.log(
          `${"  ".repeat(i)}${i === 0 ? "" : "→ "}${hop.node.qualifiedName}  ${hop.node.path}:${hop.node.startLine}${i === 0 ? "" : mark(hop)}`,
        );
      });
      return EXIT.ok;
    }),
});
