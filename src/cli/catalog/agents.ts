import type { CommandEntry } from "./types.ts";

export const agentsCommands: readonly CommandEntry[] = [
  {
    name: "hook",
    audience: "agent",
    summary: "Answer an agent before it uses a tool (payload on stdin)",
    examples: ["tokenix hook claude < payload.json"],
    load: () => import("../commands/hook.ts"),
  },
  {
    name: "hook-post",
    audience: "agent",
    summary: "Answer an agent after it has used a tool (payload on stdin)",
    examples: ["tokenix hook-post claude < payload.json"],
    load: () => import("../commands/hook-post.ts"),
  },
  {
    name: "explain-hook",
    audience: "person",
    summary: "Say what the hook would answer to a payload, and why",
    examples: ["tokenix explain-hook < payload.json"],
    load: () => import("../commands/explain-hook.ts"),
  },
  {
    name: "install-hook",
    audience: "person",
    summary: "Connect an agent: merge one entry into its own settings",
    examples: ["tokenix install-hook --tool claude-code", "tokenix install-hook --tool all --dry-run"],
    load: () => import("../commands/install-hook.ts"),
  },
  {
    name: "remove-hook",
    audience: "person",
    summary: "Disconnect an agent: leave its settings as they were",
    examples: ["tokenix remove-hook --tool all"],
    load: () => import("../commands/remove-hook.ts"),
  },
  {
    name: "install-binary",
    audience: "person",
    summary: "Copy this program to where PATH finds it",
    examples: ["tokenix install-binary"],
    load: () => import("../commands/install-binary.ts"),
  },
];
