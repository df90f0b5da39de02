/** Which commands of a line have a filter: bundled, the user's own, or a trusted repository's. */
import { bundledTable } from "../../output/filters/bundled.ts";
import { lookup } from "../../output/filters/lookup.ts";
import type { Segment } from "../../output/shell/index.ts";
import type { HookContext } from "./context.ts";

export async function filteredOnes(
  candidatesOf: ReadonlyMap<Segment, readonly string[]>,
  _cwd: string,
  _context: HookContext,
): Promise<Set<Segment>> {
  const found = new Set<Segment>();
  for (const [segment, candidates] of candidatesOf)
    if (lookup(bundledTable(), candidates) !== undefined) found.add(segment);
  return found;
}
