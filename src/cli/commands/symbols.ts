/** `tokenix symbols`: where a name is defined. A name that does not exist is said to not exist. */
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { shownPath } from "../../platform/text.ts";
import { findSymbols } from "../../repo/context/symbols.ts";
import { openFresh } from "../../repo/index/freshness.ts";
import { projectToAsk } from "../../repo/index/project.ts";
import { say } from "../say.ts";
import { warnings } from "../warnings.ts";

export default defineCommand({
  meta: { name: "symbols", description: "Find where a name is defined: functions, types, constants, headings" },
  args: {
    name: { type: "positional", required: true, description: "A name (`parse`) or a qualified one (`Parser.parse`)" },
    kind: { type: "string", description: "Only this kind: function, method, class …" },
    file: { type: "string", description: "Only in files whose path holds this" },
    limit: { type: "string", default: "50", description: "At most this many" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const limit = Number(args.limit);
    if (!Number.isInteger(limit) || limit < 1)
      throw new UserError(`--limit must be a whole number, not '${args.limit}'`, undefined, EXIT.usage);
    const fresh = await openFresh(projectToAsk(undefined, process.cwd()));
    await warnings(fresh);
    try {
      const found = findSymbols(fresh.store, args.name, { kind: args.kind, file: args.file });
      const shown = found.symbols.slice(0, limit);
      if (args.json) {
        const symbols = shown.map(({ path, startLine, endLine, kind, qualifiedName, signature }) => {
          return { path, start_line: startLine, end_line: endLine, kind, name: qualifiedName, signature };
        });
        const left_out = found.symbols.length - shown.length;
        await say(`${JSON.stringify({ name: args.name, symbols, left_out, near: found.near })}\n`);
        return EXIT.ok;
      }
      if (shown.length === 0) {
        const near = found.near.length > 0 ? `; near: ${found.near.join(", ")}` : "";
        await say(`no symbol is named '${args.name}'${near}\n`);
        return EXIT.ok;
      }
      const lines = shown.map(
        (one) =>
          `${shownPath(one.path)}:${one.startLine}-${one.endLine}  ${one.kind} ${one.qualifiedName}  ${one.signature}\n`,
      );
      const left = found.symbols.length - shown.length;
      await say(lines.join("") + (left > 0 ? `... ${left} more (--limit)\n` : ""));
      return EXIT.ok;
    } finally {
      fresh.store.close();
    }
  },
});
