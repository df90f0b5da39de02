/** Whether anybody but us has written filters that a command here could meet: told without opening one. */
import { ancestors, joined, namesIn } from "../places.ts";
import type { HookContext } from "./context.ts";

/** Does a user's, or a repository's, filter folder hold anything at all? */
export async function hasOwnFilters(cwd: string, context: HookContext): Promise<boolean> {
  const { homePath } = await import("../../platform/paths.ts");
  if (namesIn(homePath("filters", context.env)).length > 0) return true;
  return ancestors(cwd).some((dir) => namesIn(joined(dir, ".tokenix", "filters")).length > 0);
}
