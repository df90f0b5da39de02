/** `tokenix rebuild-graph`: the way out when an answer of the graph is doubted. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { projectToAsk } from "../../repo/index/project.ts";
import { runIndex } from "../../repo/index/run.ts";
import { withWriter } from "../../repo/index/writer.ts";
import { counted } from "../progress.ts";

export default defineCommand({
  meta: {
    name: "rebuild-graph",
    description: "Read every file again for symbols and edges; answers are never kept, so this is only a way out",
  },
  args: { json: { type: "boolean", description: "print JSON" } },
  async run({ args }) {
    const root = projectToAsk(undefined, process.cwd());
    const report = await withWriter(root, { purpose: "rebuild-graph" }, async (store) => {
      const { elapsedMs } = await runIndex(store, { force: true });
      return { symbols: store.graph.symbolCount(), files: store.files.counts().get("indexed") ?? 0, elapsedMs };
    });
    if (args.json) console.log(JSON.stringify({ root, ...report }));
    else
      console.log(
        `read ${counted(report.files, "file")} again: ${counted(report.symbols, "symbol")} (${(report.elapsedMs / 1000).toFixed(1)} s)`,
      );
    return EXIT.ok;
  },
});
