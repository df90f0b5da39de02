import type { CommandEntry } from "./types.ts";

export const agentsCommands: readonly CommandEntry[] = [];
