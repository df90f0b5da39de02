/**
 * Which commands of a line have a filter: bundled, the user's own, or a trusted repository's. The bundled table
 * is asked first: it lies in memory, and one filter is enough to know.
 */
import { bundledTable } from "../../output/filters/bundled.ts";
import { lookup } from "../../output/filters/lookup.ts";
import type { Segment } from "../../output/shell/index.ts";
import type { HookContext } from "./context.ts";
import { hasOwnFilters } from "./own-filters.ts";

/**
 * @param takesBundled whether a bundled filter is reason enough for this command; the user's own always is.
 */
export async function filteredOnes(
  candidatesOf: ReadonlyMap<Segment, readonly string[]>,
  takesBundled: (candidates: readonly string[]) => boolean,
  cwd: string,
  context: HookContext,
): Promise<Set<Segment>> {
  const found = new Set<Segment>();
  const rest: [Segment, readonly string[]][] = [];
  for (const [segment, candidates] of candidatesOf) {
    if (takesBundled(candidates) && lookup(bundledTable(), candidates) !== undefined) found.add(segment);
    else rest.push([segment, candidates]);
  }
  if (rest.length === 0 || !(await hasOwnFilters(cwd, context))) return found;
  const [{ openFilters }, { root }] = await Promise.all([import("../../output/filters/find.ts"), context.project(cwd)]);
  const set = await openFilters(root, context.env);
  for (const [segment, candidates] of rest) {
    const filter = set.find(candidates);
    if (filter !== undefined && filter.tier !== "bundled") found.add(segment);
  }
  return found;
}
