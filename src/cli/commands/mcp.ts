/** `tokenix mcp`: the MCP server that `install-hook --tool mcp` registers. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { serveMcp } from "../../serve/mcp/server.ts";

export default defineCommand({
  meta: {
    name: "mcp",
    description: "Serve query, context, symbols, callers, impact, read and grep as MCP tools over stdio",
  },
  args: {},
  async run() {
    await serveMcp(process.cwd());
    return EXIT.ok;
  },
});
