/** `tokenix blast`: what a change reaches. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { blast, changedFiles } from "../../repo/graph/blast.ts";
import { mark, nodeJson, wholeNumber, withGraph } from "../graph-session.ts";
import { counted } from "../progress.ts";

export default defineCommand({
  meta: {
    name: "blast",
    description: "Blast radius of a change: changed symbols, who depends on them, and the tests that reach them",
  },
  args: {
    since: {
      type: "string",
      description: "compare with this commit, branch or tag (default: what is not committed)",
      valueHint: "REF",
    },
    depth: { type: "string", default: "3", description: "how many steps away" },
    limit: { type: "string", default: "200", description: "at most this many dependents" },
    strict: { type: "boolean", description: "only certain edges" },
    json: { type: "boolean", description: "print JSON" },
  },
  run: ({ args }) =>
    withGraph(async (graph, root) => {
      const options = {
        depth: wholeNumber(args.depth, "depth", 1, 50),
        limit: wholeNumber(args.limit, "limit", 1, 20_000),
        strict: args.strict,
      };
      const { changed, walk, tests } = blast(graph, await changedFiles(root, args.since), options);
      if (args.json) {
        const told = changed.map(({ file, symbols }) => ({
          path: file.path,
          deleted: file.isDeleted,
          symbols: symbols.map(nodeJson),
        }));
        const dependents = walk.steps.map(({ name, path, line, depth, certainty, isPossible }) => ({
          name,
          path,
          line,
          depth,
          certainty,
          possible: isPossible,
        }));
        console.log(JSON.stringify({ changed: told, dependents, truncated: walk.truncated, tests }));
        return EXIT.ok;
      }
      if (changed.length === 0) {
        console.log(`nothing has changed against ${args.since ?? "HEAD"}`);
        return EXIT.ok;
      }
      console.log(`Changed (${counted(changed.length, "file")}):`);
      for (const { file, symbols } of changed) {
        const note = file.isDeleted ? "  (deleted)" : symbols.length === 0 ? "  (no symbol)" : "";
        console.log(`  ${file.path}${note}`);
        for (const node of symbols.slice(0, 40))
          console.log(`    :${node.startLine}  ${node.kind} ${node.qualifiedName}`);
        if (symbols.length > 40) console.log(`    ... ${symbols.length - 40} more`);
      }
      console.log(`\nDepends on it (${walk.steps.length}${walk.truncated ? ", cut at the limits" : ""}):`);
      for (const step of walk.steps)
        console.log(`  ${step.path}:${step.line}  ${step.name}  ${step.depth} away${mark(step)}`);
      console.log(`\nTests that reach it (${tests.length}):`);
      for (const test of tests) console.log(`  ${test}`);
      return EXIT.ok;
    }),
});
