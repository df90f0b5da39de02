/** `tokenix tokenmap`: where a project's tokens are. */
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";
import { tokenMapPage, tokenMapText, tokenTree } from "../../repo/context/token-map.ts";
import { openFresh } from "../../repo/index/freshness.ts";
import { projectToAsk } from "../../repo/index/project.ts";
import { warnings } from "../warnings.ts";

const FORMATS = ["text", "html", "json"];

export default defineCommand({
  meta: { name: "tokenmap", description: "Show where the tokens of a project are, folder by folder" },
  args: {
    path: { type: "positional", required: false, description: "The project; default: the one around here" },
    format: { type: "string", default: "text", description: "text, html or json" },
    depth: { type: "string", default: "3", description: "Levels of folders in the text form" },
    top: { type: "string", default: "12", description: "Entries of a folder in the text form" },
    json: { type: "boolean", description: "The same as --format json" },
  },
  async run({ args }) {
    const format = args.json ? "json" : args.format;
    if (!FORMATS.includes(format)) {
      const near = nearest(format, FORMATS);
      throw new UserError(
        `there is no format '${format}'`,
        near ? `did you mean '${near}'?` : `formats: ${FORMATS.join(", ")}`,
        EXIT.usage,
      );
    }
    const fresh = await openFresh(projectToAsk(args.path, process.cwd()));
    await warnings(fresh);
    try {
      const tree = tokenTree(fresh.store);
      if (format === "json") process.stdout.write(`${JSON.stringify(tree)}\n`);
      else if (format === "html") process.stdout.write(tokenMapPage(tree));
      else
        process.stdout.write(
          tokenMapText(tree, { depth: whole(args.depth, "--depth"), top: whole(args.top, "--top") }),
        );
      return EXIT.ok;
    } finally {
      fresh.store.close();
    }
  },
});

function whole(text: string, flag: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new UserError(`${flag} must be a whole number, not '${text}'`, undefined, EXIT.usage);
}
