/** Whether anybody but us has written filters that a command here could meet: told without opening one. */
import { anyOf } from "../../platform/lists.ts";
import { homePath } from "../../platform/paths.ts";
import { ancestors, hasBytes, joined, namesIn } from "../places.ts";
import type { HookContext } from "./context.ts";

/** Does a user's, or a repository's, filter folder hold anything at all? */
export async function hasOwnFilters(cwd: string, context: HookContext): Promise<boolean> {
  return (
    isThere(homePath("filters", context.env)) ||
    anyOf(ancestors(cwd), (dir) => isThere(joined(dir, ".tokenix", "filters")))
  );
}

/** An empty folder counts too: that only costs the time of looking into it later. */
function isThere(dir: string): boolean {
  return process.platform === "win32" ? namesIn(dir).length > 0 : hasBytes(dir);
}
