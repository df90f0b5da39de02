/** The patterns of a filter that are not proven to end soon, with the reason. */
import { checkLinear } from "./linear.ts";
import type { FilterDefinition } from "./schema.ts";
import { patternsOf } from "./toml.ts";

export function unprovenPatterns(filter: FilterDefinition): { key: string; pattern: string; problem: string }[] {
  return patternsOf(filter).flatMap(({ key, pattern }) => {
    const problem = checkLinear(pattern);
    return problem ? [{ key, pattern, problem }] : [];
  });
}
