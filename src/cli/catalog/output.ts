import type { CommandEntry } from "./types.ts";

export const outputCommands: readonly CommandEntry[] = [];
