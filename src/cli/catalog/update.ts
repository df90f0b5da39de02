import type { CommandEntry } from "./types.ts";

export const updateCommands: readonly CommandEntry[] = [];
