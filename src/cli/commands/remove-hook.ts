/** `tokenix remove-hook`: the settings as they were before `install-hook`, to the byte where nobody else changed them. */
import { defineCommand } from "citty";
import { removeHooks } from "../../agents/install/commands.ts";
import { TOOLS } from "../../agents/install/tools.ts";
import { EXIT } from "../../platform/errors.ts";

export default defineCommand({
  meta: { name: "remove-hook", description: "Disconnect an agent: leave its settings as they were" },
  args: {
    tool: { type: "string", required: true, description: `${TOOLS.join(", ")}, or all` },
    local: { type: "boolean", description: "in this repository only" },
    "dry-run": { type: "boolean", description: "say what would be taken out, write nothing" },
  },
  run({ args }) {
    const said = removeHooks({
      tool: args.tool,
      isLocal: args.local === true,
      isDryRun: args["dry-run"] === true,
      cwd: process.cwd(),
      env: process.env,
    });
    process.stdout.write(`${said.lines.join("\n")}\n`);
    return said.isIncomplete ? EXIT.findings : EXIT.ok;
  },
});
