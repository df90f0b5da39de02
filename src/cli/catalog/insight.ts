import type { CommandEntry } from "./types.ts";

export const insightCommands: readonly CommandEntry[] = [
  {
    name: "gain",
    audience: "person",
    summary: "Show what was saved, out of how much, and what was fetched back",
    examples: ["tokenix gain", "tokenix gain --by command", "tokenix gain --history --all-projects"],
    load: () => import("../commands/gain.ts"),
  },
];
