import type { CommandEntry } from "./types.ts";

export const insightCommands: readonly CommandEntry[] = [];
