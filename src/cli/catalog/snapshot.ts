import type { CommandEntry } from "./types.ts";

export const snapshotCommands: readonly CommandEntry[] = [
  {
    name: "export-index",
    audience: "person",
    summary: "Write the index into one compressed file for colleagues or an air gap",
    examples: [
      "tokenix export-index",
      "tokenix export-index team.gz --no-content",
      "tokenix export-index s3://bucket/team.gz",
    ],
    load: () => import("../commands/export-index.ts"),
  },
  {
    name: "import-index",
    audience: "person",
    summary: "Take in an index that a colleague exported",
    examples: ["tokenix import-index tokenix-index.gz", "tokenix import-index s3://bucket/team.gz"],
    load: () => import("../commands/import-index.ts"),
  },
];
