import type { CommandEntry } from "./types.ts";

export const contextCommands: readonly CommandEntry[] = [
  {
    name: "context",
    audience: "agent",
    summary: "What to read for a task: entry points, how they hang together, and source, inside a budget",
    examples: [
      'tokenix context "make failed uploads retry" --budget 4000',
      'tokenix context "why is login slow" --mode debug',
    ],
    load: () => import("../commands/context.ts"),
  },
  {
    name: "explore",
    audience: "agent",
    summary: "Around a name or a topic: who uses what, then the source, inside a budget",
    examples: ["tokenix explore acquireWriter", 'tokenix explore "credential masking" --json'],
    load: () => import("../commands/explore.ts"),
  },
  {
    name: "pack",
    audience: "agent",
    summary: "A budgeted map of the repository: outlines in a stable order, secrets left out",
    examples: ["tokenix pack --budget 8000", "tokenix pack --changed --mode review --format xml"],
    load: () => import("../commands/pack.ts"),
  },
  {
    name: "artifacts",
    audience: "agent",
    summary: "Files beside the code that a task needs: schemas, API descriptions, decisions",
    examples: ["tokenix artifacts list", "tokenix artifacts show schema"],
    load: () => import("../commands/artifacts.ts"),
  },
  {
    name: "memory",
    audience: "agent",
    summary: "Notes that outlive a session, surfaced by context and explore",
    examples: ['tokenix memory add "uploads retry in worker.ts, not in the client"', "tokenix memory list"],
    load: () => import("../commands/memory.ts"),
  },
];
