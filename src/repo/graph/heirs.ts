/** What may run instead of a method: the same member of the types that inherit from its own. */
import { type Fits, MOST_CANDIDATES, type Resolution, unique } from "./resolution.ts";
import { isType, type Node, type Universe } from "./universe.ts";

const MOST_GENERATIONS = 5;

/** The members `name` of the types below `type`, nearest first. */
export function membersOfHeirs(universe: Universe, type: Node, name: string, fits: Fits): readonly Node[] {
  const found: Node[] = [];
  const seen = new Set<string>();
  let layer = [type.name];
  for (let depth = 0; depth < MOST_GENERATIONS && layer.length > 0; depth++) {
    const next: string[] = [];
    for (const parent of layer)
      for (const child of universe.childrenNaming(parent)) {
        if (seen.has(child.name)) continue;
        seen.add(child.name);
        const nodes = universe
          .named(name)
          .filter((node) => node.family === type.family && node.owner === child.name && fits(node));
        found.push(...nodes);
        next.push(child.name.slice(child.name.lastIndexOf(".") + 1));
      }
    layer = next;
  }
  return unique(found);
}

/** `found` with what may run instead of it as possible. */
export function withHeirs(universe: Universe, found: Resolution, type: Node, name: string, fits: Fits): Resolution {
  const possible = membersOfHeirs(universe, type, name, fits).filter(
    (node) => !found.targets.some((target) => target.id === node.id),
  );
  return { ...found, possible: possible.slice(0, MOST_CANDIDATES) };
}

export function withHeirsOfAll(
  universe: Universe,
  found: Resolution,
  types: readonly Node[],
  name: string,
  fits: Fits,
): Resolution {
  const possible = types.filter(isType).flatMap((type) => withHeirs(universe, found, type, name, fits).possible);
  return { ...found, possible: unique(possible) };
}
