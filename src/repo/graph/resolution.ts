/** What a reference can mean, and how sure that is. */
import type { Node, Universe } from "./universe.ts";

export type Certainty = "resolved" | "inferred" | "ambiguous" | "external";

export interface Resolution {
  readonly certainty: Certainty;
  readonly targets: readonly Node[];
  /** What may run instead of a target: implementations behind an interface, overriding methods. Always a guess. */
  readonly possible: readonly Node[];
  /** The outside thing, when it is one and its name is known. */
  readonly external?: string;
}

export const NOTHING: Resolution = { certainty: "external", targets: [], possible: [] };
/** Names of so many things that a match by name alone says nothing. */
export const MOST_CANDIDATES = 12;

export type Fits = (node: Node) => boolean;

export function certain(targets: readonly Node[], isGuess = false): Resolution {
  const list = unique(targets);
  if (isGuess) return guess(list);
  // Overloads, partial classes and a header with its source are one thing; several things of one name are not.
  const owners = new Set(list.map((node) => `${node.owner}\0${node.name}`));
  return { certainty: owners.size > 1 ? "ambiguous" : "resolved", targets: list, possible: [] };
}

export function guess(targets: readonly Node[]): Resolution {
  const list = unique(targets);
  if (list.length === 0 || list.length > MOST_CANDIDATES) return NOTHING;
  const things = new Set(list.map((node) => `${node.path}\0${node.qualifiedName}`));
  return { certainty: things.size > 1 ? "ambiguous" : "inferred", targets: list, possible: [] };
}

export function outside(name: string): Resolution {
  return { ...NOTHING, external: name };
}

export function unique(nodes: readonly Node[]): readonly Node[] {
  return nodes.length < 2 ? nodes : [...new Map(nodes.map((node) => [node.id, node])).values()];
}

const METHODS = new Set(["method", "constructor", "property", "field"]);

export function isMethod(node: Node): boolean {
  return METHODS.has(node.kind);
}

const FITTING: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  type: new Set(["class", "interface", "struct", "enum", "trait", "type", "module"]),
  new: new Set([
    "class",
    "struct",
    "type",
    "enum",
    "interface",
    "trait",
    "constructor",
    "method",
    "function",
    "module",
  ]),
  macro: new Set(["macro", "function", "method"]),
  call: new Set([
    "function",
    "method",
    "constructor",
    "macro",
    "class",
    "struct",
    "enum",
    "type",
    "constant",
    "variable",
    "field",
    "property",
    "procedure",
    "test",
    "trait",
    "interface",
  ]),
};

export function fitting(kind: string): Fits {
  const allowed = FITTING[kind];
  return allowed ? (node) => allowed.has(node.kind) : () => true;
}

const CONSTRUCTORS = new Set(["constructor", "__init__", "initialize", "init", "__construct"]);

export function constructorsOf(universe: Universe, type: Node): readonly Node[] {
  return universe
    .owned(type.fileId, type.qualifiedName)
    .filter(
      (node) =>
        node.kind === "constructor" || CONSTRUCTORS.has(node.name) || (isMethod(node) && node.name === type.name),
    );
}
