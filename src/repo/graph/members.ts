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
  const seen = new Set<number>([type.id]);
  let layer: readonly Node[] = [type];
  for (let depth = 0; depth < MAX_DEPTH && layer.length > 0; depth++) {
    const next = layer.flatMap((node) => parentTypes(resolver, node)).filter((node) => !seen.has(node.id));
    for (const node of next) seen.add(node.id);
    const found = next.flatMap((node) => membersOf(resolver.universe, node, name));
    if (found.length > 0) return found;
    layer = next;
  }
  return [];
}

/** The types of this project that `type` names as its parents, where that is more than a guess among several. */
export function parentTypes(resolver: Resolver, type: Node): readonly Node[] {
  const { universe } = resolver;
  return universe.parentsOf(type.qualifiedName).flatMap((parent) => {
    const file = universe.file(parent.fileId);
    // A type of the same qualified name in another file inherits for itself.
    if (!file || file.family !== type.family || !speaksOf(universe, type, parent.fileId)) return [];
    const written = parent.qualifier ? `${parent.qualifier}.${parent.name}` : parent.name;
    const { certainty, targets } = resolver.typesNamed(written, file, undefined);
    return certainty === "resolved" || certainty === "inferred" ? targets : [];
  });
}

/** Does the clause in that file speak of this very type? */
function speaksOf(universe: Universe, type: Node, fileId: number): boolean {
  if (type.fileId === fileId) return true;
  return !universe
    .symbolsOf(fileId)
    .some((node) => node.qualifiedName === type.qualifiedName && isType(node) && node.kind !== "module");
}
