/** `tokenix cycles`: what depends on itself all around. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { fileCycles, symbolCycles } from "../../repo/graph/cycles.ts";
import { wholeNumber, withGraph } from "../graph-session.ts";

export default defineCommand({
  meta: {
    name: "cycles",
    description: "Cycles of calls between symbols, or of imports between files; certain edges only",
  },
  args: {
    files: { type: "boolean", description: "cycles of imports between files" },
    limit: { type: "string", default: "50", description: "at most this many" },
    json: { type: "boolean", description: "print JSON" },
  },
  run: ({ args }) =>
    withGraph((graph) => {
      const limit = wholeNumber(args.limit, "limit", 1, 100_000);
      const every = args.files ? fileCycles(graph) : symbolCycles(graph);
      const shown = every.slice(0, limit);
      if (args.json) {
        console.log(JSON.stringify({ cycles: shown, left_out: every.length - shown.length }));
        return EXIT.ok;
      }
      if (every.length === 0) console.log(`no cycles of ${args.files ? "imports" : "calls"}`);
      for (const { size, steps } of shown) {
        console.log(`cycle of ${size}${steps.length < size ? ` (one way around it has ${steps.length})` : ""}:`);
        for (const step of steps) console.log(`  ${step.path}:${step.line}${args.files ? "" : `  ${step.name}`}`);
      }
      if (shown.length < every.length) console.log(`... ${every.length - shown.length} more (--limit)`);
      return EXIT.ok;
    }),
});
