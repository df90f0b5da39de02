import type { CommandEntry } from "./types.ts";

export const repoCommands: readonly CommandEntry[] = [];
