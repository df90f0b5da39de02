/** `[hook] only` and `exclude`: commands (`head`) and commands with a sub-command (`git diff`), obeyed on every path. */
import { baseName } from "./families.ts";

export interface CommandLists {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
}

/** @param candidates one command under all its names. */
export function isExcluded(candidates: readonly string[], lists: CommandLists): boolean {
  if (lists.exclude.length + lists.only.length === 0) return false;
  if (lists.exclude.some((entry) => names(candidates, entry))) return true;
  return lists.only.length > 0 && !lists.only.some((entry) => names(candidates, entry));
}

/** A tool named by the same list: `exclude = ["Read", "Grep"]`. `only` speaks of commands alone. */
export function isToolExcluded(tool: string, lists: CommandLists): boolean {
  return lists.exclude.includes(tool);
}

function names(candidates: readonly string[], entry: string): boolean {
  const wanted = entry.trim().replace(/\s+/g, " ");
  if (wanted === "") return false;
  return candidates.some((candidate) => {
    const plain = candidate.trim().replace(/\s+/g, " ");
    const space = plain.indexOf(" ");
    const word = space < 0 ? plain : plain.slice(0, space);
    const bare = baseName(word) + (space < 0 ? "" : plain.slice(space));
    return [plain, bare].some((text) => text === wanted || text.startsWith(`${wanted} `));
  });
}
