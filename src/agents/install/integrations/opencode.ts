/**
 * OpenCode: a plugin file of our own in its plugin folder, and the MCP server in its configuration. The plugin asks
 * the program and copies the answer into the agent's own objects; any failure there leaves the call as it was.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Change, Integration } from "../change.ts";
import type { InstallContext } from "../context.ts";
import { program } from "../hook-command.ts";
import { opencodePlugin } from "../opencode-plugin.ts";
import { opencodeHome } from "../places.ts";

export function opencode(context: InstallContext, options: { readonly everywhere: boolean }): Integration {
  const isShared = context.isLocal;
  const folder = isShared ? join(context.project, ".opencode") : opencodeHome(context);
  const text = opencodePlugin(program(context, { shared: isShared }));
  return {
    title: "OpenCode",
    changes: [
      { kind: "own-file", path: join(folder, "plugins", "tokenix.js"), isShared, text },
      ...opencodeServers(context, options),
    ],
    notes: ["Start a new session: OpenCode reads plugins when it starts."],
  };
}

/** The MCP block in `opencode.json`, or in `opencode.jsonc` where that is the one in use; both for `everywhere`. */
export function opencodeServers(context: InstallContext, options: { readonly everywhere: boolean }): Change[] {
  const isShared = context.isLocal;
  const folder = isShared ? context.project : opencodeHome(context);
  const command = [program(context, { shared: isShared }), "mcp"];
  const value = { type: "local", command, enabled: true };
  const [json, jsonc] = [join(folder, "opencode.json"), join(folder, "opencode.jsonc")];
  const paths = options.everywhere ? [json, jsonc] : [existsSync(jsonc) ? jsonc : json];
  return paths.map((path) => ({
    kind: "json",
    path,
    isShared,
    entries: [{ how: "set", at: ["mcp"], key: "tokenix", value }],
  }));
}
