/** Commands that make an index and show what is in it. */
import type { CommandEntry } from "./types.ts";

export const repoCommands: readonly CommandEntry[] = [
  {
    name: "index",
    audience: "person",
    summary: "Read a project, or what has changed of it, into its local index",
    examples: ["tokenix index", "tokenix index . --force", "tokenix index --if-stale --json"],
    quick: true,
    load: () => import("../commands/index.ts"),
  },
  {
    name: "read",
    audience: "agent",
    summary: "Show a file: its outline when large, a symbol, a range, or a denser form",
    examples: [
      "tokenix read src/main.ts",
      "tokenix read src/main.ts --symbol main",
      "tokenix read src/main.ts --lines 10-40",
      "tokenix read src/main.ts --mode density:30",
    ],
    load: () => import("../commands/read.ts"),
  },
  {
    name: "symbols",
    audience: "agent",
    summary: "Find where a name is defined",
    examples: ["tokenix symbols main", "tokenix symbols Parser.parse --json"],
    quick: true,
    load: () => import("../commands/symbols.ts"),
  },
  {
    name: "stats",
    audience: "person",
    summary: "Say what the index holds, and how fresh it is",
    examples: ["tokenix stats", "tokenix stats --json"],
    load: () => import("../commands/stats.ts"),
  },
  {
    name: "files",
    audience: "person",
    summary: "List the files of the index, or those left out and why",
    examples: ["tokenix files", "tokenix files --skipped"],
    load: () => import("../commands/files.ts"),
  },
  {
    name: "tokenmap",
    audience: "person",
    summary: "Show where the tokens of a project are, folder by folder",
    examples: ["tokenix tokenmap", "tokenix tokenmap --format html > map.html"],
    load: () => import("../commands/tokenmap.ts"),
  },
  {
    name: "forget",
    audience: "person",
    summary: "Remove the index of a project; its files are not touched",
    examples: ["tokenix forget"],
    load: () => import("../commands/forget.ts"),
  },
  {
    name: "doctor",
    audience: "person",
    summary: "Check everything an answer depends on, and say what to do",
    examples: ["tokenix doctor"],
    load: () => import("../commands/doctor.ts"),
  },
];
