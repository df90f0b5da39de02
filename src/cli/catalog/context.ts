import type { CommandEntry } from "./types.ts";

export const contextCommands: readonly CommandEntry[] = [];
