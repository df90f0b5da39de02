/** `tokenix install-hook`: one entry in an agent's own settings. */
import { defineCommand } from "citty";
import { installHooks } from "../../agents/install/commands.ts";
import { TOOLS } from "../../agents/install/tools.ts";
import { EXIT } from "../../platform/errors.ts";

export default defineCommand({
  meta: { name: "install-hook", description: "Connect an agent: merge one entry into its own settings" },
  args: {
    tool: { type: "string", required: true, description: `${TOOLS.join(", ")}, or all that are on this machine` },
    local: { type: "boolean", description: "for this repository only" },
    "dry-run": { type: "boolean", description: "say what would be written, write nothing" },
  },
  run({ args }) {
    const said = installHooks({
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
