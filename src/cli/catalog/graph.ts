import type { CommandEntry } from "./types.ts";

export const graphCommands: readonly CommandEntry[] = [];
