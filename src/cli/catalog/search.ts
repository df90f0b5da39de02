import type { CommandEntry } from "./types.ts";

export const searchCommands: readonly CommandEntry[] = [];
