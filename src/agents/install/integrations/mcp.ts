/**
 * The MCP server, in every agent's own list of servers (of the agents that are on this machine), or with `--local` in
 * the repository's `.mcp.json`, which Claude Code and Copilot CLI read, and VS Code's list.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Change, Integration, JsonValue } from "../change.ts";
import type { InstallContext } from "../context.ts";
import { program } from "../hook-command.ts";
import { claudeHome, codexHome, copilotHome, cursorHome, geminiHome, isPresent, vscodeUserFolder } from "../places.ts";
import type { ToolName } from "../tools.ts";
import { opencodeServers } from "./opencode.ts";

/** `everywhere` also names agents that are not on this machine (any more): removal looks there too. */
export function mcp(context: InstallContext, options: { readonly everywhere: boolean }): Integration {
  const isShared = context.isLocal;
  const command = program(context, { shared: isShared });
  const plain = { command, args: ["mcp"] };
  const inList = (path: string, value: JsonValue, list = "mcpServers"): Change => ({
    kind: "json",
    path,
    isShared,
    entries: [{ how: "set", at: [list], key: "tokenix", value }],
  });
  if (context.isLocal) {
    const changes = [inList(join(context.project, ".mcp.json"), plain)];
    const vscode = join(context.project, ".vscode", "mcp.json");
    if (options.everywhere || existsSync(dirname(vscode)))
      changes.push(inList(vscode, { type: "stdio", ...plain }, "servers"));
    return {
      title: "MCP server",
      changes,
      notes: ["Each agent asks once before it starts a server that a repository names."],
    };
  }
  const claude = context.env["CLAUDE_CONFIG_DIR"] ? claudeHome(context) : context.home;
  const places: readonly (readonly [ToolName, Change])[] = [
    ["claude-code", inList(join(claude, ".claude.json"), { type: "stdio", ...plain, env: {} })],
    ["codex", codexServer(context, command)],
    ["copilot", inList(join(copilotHome(context), "mcp-config.json"), { type: "local", ...plain, tools: ["*"] })],
    ["vscode", inList(join(vscodeUserFolder(context), "mcp.json"), { type: "stdio", ...plain }, "servers")],
    ["antigravity", inList(join(geminiHome(context), "config", "mcp_config.json"), plain)],
    ["gemini", inList(join(geminiHome(context), "settings.json"), plain)],
    ...opencodeServers(context, options).map((change) => ["opencode", change] as const),
    ["cursor", inList(join(cursorHome(context), "mcp.json"), plain)],
  ];
  const changes = places.filter(([tool]) => options.everywhere || isPresent(tool, context)).map(([, change]) => change);
  return { title: "MCP server", changes, notes: [] };
}

function codexServer(context: InstallContext, command: string): Change {
  const lines = ["[mcp_servers.tokenix]", `command = ${JSON.stringify(command)}`, 'args = ["mcp"]'];
  return {
    kind: "block",
    format: "toml",
    id: "mcp",
    path: join(codexHome(context), "config.toml"),
    isShared: false,
    lines,
  };
}
