import type { CommandEntry } from "./types.ts";

export const updateCommands: readonly CommandEntry[] = [
  {
    name: "update",
    audience: "person",
    summary: "Update this binary; checked by SHA-256 before it is replaced",
    examples: ["tokenix update", "tokenix update --check", "tokenix update --from tokenix-linux-x64.gz"],
    load: () => import("../commands/update.ts"),
  },
  {
    name: "licenses",
    audience: "person",
    summary: "Print the licences of what this binary contains",
    examples: ["tokenix licenses", "tokenix licenses web-tree-sitter"],
    load: () => import("../commands/licenses.ts"),
  },
];
