import type { CommandEntry } from "./types.ts";

export const serveCommands: readonly CommandEntry[] = [
  {
    name: "mcp",
    audience: "agent",
    summary: "Serve query, context, symbols, callers, impact, read and grep as MCP tools over stdio",
    examples: ["tokenix mcp", "tokenix install-hook --tool mcp"],
    load: () => import("../commands/mcp.ts"),
  },
];
