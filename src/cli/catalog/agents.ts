import type { CommandEntry } from "./types.ts";

export const agentsCommands: readonly CommandEntry[] = [
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
