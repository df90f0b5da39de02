import type { CommandEntry } from "./types.ts";

export const outputCommands: readonly CommandEntry[] = [
  {
    name: "run",
    audience: "agent",
    summary: "Run a command and print what matters of its output",
    examples: [
      "tokenix run git log -20",
      "tokenix run --explain cargo test",
      "tokenix run --shell bash 'make && make check'",
    ],
    load: () => import("../commands/run.ts"),
  },
  {
    name: "retrieve",
    audience: "agent",
    summary: "Print an output that was cut, whole or in part, byte for byte",
    examples: ["tokenix retrieve 3fa9c1d2e4b5", "tokenix retrieve 3fa9c1d2e4b5 --grep 'error|warning'"],
    load: () => import("../commands/retrieve.ts"),
  },
  {
    name: "filter",
    audience: "person",
    summary: "List, show, try, check, record and write output filters",
    examples: [
      "tokenix filter list",
      "tokenix filter show git-log",
      "tokenix filter try 'git log' < raw.txt",
      "tokenix filter verify --require-all",
    ],
    load: () => import("../commands/filter.ts"),
  },
  {
    name: "trust",
    audience: "person",
    summary: "Show what this repository would have tokenix do, and allow it",
    examples: ["tokenix trust", "tokenix trust --list", "tokenix trust --revoke"],
    load: () => import("../commands/trust.ts"),
  },
];
