/** `tokenix import-index`: a colleague's index, without indexing. */
import { defineCommand } from "citty";
import { loadConfig } from "../../platform/config.ts";
import { EXIT } from "../../platform/errors.ts";
import { importIndex } from "../../repo/snapshot/import.ts";
import { findProjectRoot } from "../../repo/store/root.ts";
import { counted } from "../progress.ts";

export default defineCommand({
  meta: { name: "import-index", description: "Take in an index that a colleague exported" },
  args: {
    source: { type: "positional", required: true, description: "a file, an https:// address, or s3://bucket/key" },
    sha256: { type: "string", description: "the hash its sender told you", valueHint: "HEX" },
    force: { type: "boolean", description: "also over a newer index, or when the project can't be matched" },
    json: { type: "boolean", description: "print JSON" },
  },
  async run({ args }) {
    const { root } = findProjectRoot(process.cwd());
    const { config } = await loadConfig(root);
    const { facts, unreadable, checked } = await importIndex(root, args.source, {
      force: args.force,
      sha256: args.sha256,
      maxFileBytes: config.index.maxFileBytes,
    });
    if (args.json) console.log(JSON.stringify({ root, ...facts, unreadable, checked }));
    else {
      console.log(
        `imported ${counted(facts.files, "file")} in ${counted(facts.chunks, "chunk")}, indexed ${facts.indexedAt}${facts.model ? ` with the model ${facts.model}` : ""}`,
      );
      if (!checked) console.error("no checksum was beside it: its content was inspected, its origin was not proved");
      if (unreadable > 0)
        console.error(
          `${counted(unreadable, "file")} ${unreadable === 1 ? "differs here and is" : "differ here and are"} read by the next question or 'tokenix index'`,
        );
    }
    return EXIT.ok;
  },
});
