/** Members of a type: its own, in whichever file they stand, and those that it inherits. */
import type { Resolver } from "./resolve.ts";
import { isType, type Node, type Universe } from "./universe.ts";

const MAX_DEPTH = 10;

/** Members named `name` that the type itself (also in another file: impl, extension, partial class, source) defines. */
export function membersOf(universe: Universe, type: Node, name: string): readonly Node[] {
  const own = universe.owned(type.fileId, type.qualifiedName).filter((node) => node.name === name);
  const elsewhere = universe
    .named(name)
    .filter((node) => node.fileId !== type.fileId && node.family === type.family && node.owner === type.qualifiedName);
  if (elsewhere.length === 0) return own;
  // Two types of one name in two files have members of their own: those of the other file belong to the other type.
  const rivals = universe
    .named(type.name)
    .filter(
      (node) =>
        node.id !== type.id && isType(node) && node.qualifiedName === type.qualifiedName && node.family === type.family,
    );
  const rivalFiles = new Set(rivals.map((node) => node.fileId));
  return [...own, ...elsewhere.filter((node) => !rivalFiles.has(node.fileId))];
}

/** Members named `name` of the types that `type` inherits, nearest first: the first level that has any. */
export function parentsMembers(resolver: Resolver, type: Node, name: string): readonly Node[] {
  const { universe } = resolver;
  const seen = new Set<number>([type.id]);
  let layer: readonly Node[] = [type];
  for (let depth = 0; depth < MAX_DEPTH && layer.length > 0; depth++) {
    const next: Node[] = [];
    for (const node of layer)
      for (const parent of universe.parentsOf(node.qualifiedName)) {
        const file = universe.file(parent.fileId);
        // A child of the same qualified name in another file inherits for itself.
        if (!file || file.family !== type.family || !speaksOf(universe, node, parent.fileId)) continue;
        const written = parent.qualifier ? `${parent.qualifier}.${parent.name}` : parent.name;
        const { certainty, targets } = resolver.typesNamed(written, file, undefined);
        if (certainty !== "resolved" && certainty !== "inferred") continue;
        for (const target of targets) {
          if (seen.has(target.id)) continue;
          seen.add(target.id);
          next.push(target);
        }
      }
    const found = next.flatMap((node) => membersOf(universe, node, name));
    if (found.length > 0) return found;
    layer = next;
  }
  return [];
}

/** Does the clause in that file speak of this very type? */
function speaksOf(universe: Universe, type: Node, fileId: number): boolean {
  if (type.fileId === fileId) return true;
  return !universe
    .symbolsOf(fileId)
    .some((node) => node.qualifiedName === type.qualifiedName && isType(node) && node.kind !== "module");
}
