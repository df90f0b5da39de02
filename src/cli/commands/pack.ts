/** `tokenix pack`: a budgeted map of the repository, for tools without hooks. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { makePack, PACK_FORMATS, PACK_MODES } from "../../repo/context/pack.ts";
import { changedFiles } from "../../repo/graph/blast.ts";
import { deliver, oneOf, wholeNumber, withGraph } from "../graph-session.ts";

export default defineCommand({
  meta: { name: "pack", description: "A budgeted map of the repository: outlines in a stable order, secrets left out" },
  args: {
    mode: { type: "string", default: "plan", description: PACK_MODES.join(", ") },
    format: { type: "string", default: "markdown", description: PACK_FORMATS.join(", ") },
    budget: { type: "string", default: "8000", description: "tokens at most" },
    "max-files": { type: "string", default: "200", description: "files at most" },
    changed: { type: "boolean", description: "only what is not committed" },
    since: { type: "string", description: "only what has changed since this commit, branch or tag", valueHint: "REF" },
    "token-map": { type: "boolean", description: "each file's tokens and reason first" },
    output: { type: "string", description: "write there instead of printing", valueHint: "FILE" },
  },
  run: ({ args }) =>
    withGraph(async (graph, root) => {
      const pack = makePack(graph, root.slice(root.lastIndexOf("/") + 1), {
        mode: oneOf(args.mode, "mode", PACK_MODES),
        format: oneOf(args.format, "format", PACK_FORMATS),
        budgetTokens: wholeNumber(args.budget, "budget", 200, 10_000_000),
        maxFiles: wholeNumber(args["max-files"], "max-files", 1, 1_000_000),
        changed: args.changed || args.since !== undefined ? await changedFiles(root, args.since) : undefined,
        tokenMap: args["token-map"],
      });
      deliver(pack.text, args.output);
      return EXIT.ok;
    }),
});
