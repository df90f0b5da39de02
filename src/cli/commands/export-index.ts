/** `tokenix export-index`: the index as one file for colleagues. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { exportIndex } from "../../repo/snapshot/export.ts";
import { findProjectRoot } from "../../repo/store/root.ts";
import { tell } from "../tell.ts";

export default defineCommand({
  meta: { name: "export-index", description: "Write the index into one compressed file for colleagues or an air gap" },
  args: {
    file: {
      type: "positional",
      required: false,
      default: "tokenix-index.gz",
      description: "where to (a file, or s3://bucket/key)",
    },
    content: {
      type: "boolean",
      default: true,
      description: "the source text too; --no-content leaves it out",
      negativeDescription: "leave source text out",
    },
    force: { type: "boolean", description: "replace a file that exists" },
    json: { type: "boolean", description: "print JSON" },
  },
  async run({ args }) {
    const { root } = findProjectRoot(process.cwd());
    const result = await exportIndex(root, args.file, { content: args.content, force: args.force });
    if (result.gap) await tell("warn", `${result.gap.detail}; ${result.gap.hint}, then export again`);
    if (args.json) console.log(JSON.stringify(result));
    else
      console.log(
        `wrote ${result.place} (${(result.bytes / 1e6).toFixed(1)} MB)\nSHA-256 ${result.sha256}${args.content ? "" : "\nwithout source text: whoever imports it takes each text from a checkout"}`,
      );
    return EXIT.ok;
  },
});
