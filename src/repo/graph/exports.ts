/** What a file offers under a name: its own top symbols, and what it passes on from other files. */
import { isType, type Node, type Universe } from "./universe.ts";

const MAX_HOPS = 6;

export function exportedFrom(
  universe: Universe,
  path: string,
  name: string,
  seen: Set<string> = new Set(),
): readonly Node[] {
  if (seen.has(path) || seen.size > MAX_HOPS * 20) return [];
  seen.add(path);
  const file = universe.fileAt(path);
  if (!file) return [];
  const own = universe.symbolsOf(file.id).filter((node) => node.name === name && isOffered(node));
  if (own.length > 0) return own;
  if (file.family === "ecma") {
    const local = name === "default" ? defaultExport(universe.read(path)) : renamedExports(universe, path).get(name);
    if (local !== undefined) {
      const found = universe.symbolsOf(file.id).filter((node) => node.name === local && node.owner === "");
      if (found.length > 0) return found;
      const passed = throughImports(universe, file.id, local, seen, true);
      if (passed.length > 0) return passed;
    }
  }
  return throughImports(universe, file.id, name, seen, false);
}

/** `export { a as b } from`, `export * from`, `pub use`, `from .a import b` in a package, and an import that is exported by name. */
function throughImports(
  universe: Universe,
  fileId: number,
  name: string,
  seen: Set<string>,
  any: boolean,
): readonly Node[] {
  const found: Node[] = [];
  const family = universe.file(fileId)?.family;
  for (const one of universe.importsOf(fileId)) {
    if (one.target.kind !== "files") continue;
    const passesOn =
      one.kind === "reexport" ||
      family === "python" ||
      family === "ecma" ||
      family === "rust" ||
      family === "dart" ||
      any;
    if (!passesOn || (one.kind === "wildcard" && family !== "python" && family !== "rust")) continue;
    for (const imported of one.names) {
      const isAll = imported.name === "*" && imported.alias === undefined;
      if (isAll ? one.kind === "names" || name === "default" : (imported.alias ?? imported.name) !== name) continue;
      if (!isAll && imported.name === "*") continue;
      for (const path of one.target.paths)
        found.push(...exportedFrom(universe, path, isAll ? name : imported.name, seen));
    }
  }
  return found;
}

/** At the top of the file, or right in a namespace; members are reached through their type. */
function isOffered(node: Node): boolean {
  return (
    node.owner === "" ||
    isType(node) ||
    (node.kind !== "method" && node.kind !== "constructor" && node.kind !== "field" && node.kind !== "property")
  );
}

const renamed = new WeakMap<Universe, Map<string, ReadonlyMap<string, string>>>();
const EXPORT_LIST = /\bexport\s*\{([^{}]{0,20000})\}(?!\s*from\b)/g;
const COMMON_LIST = /\bmodule\.exports\s*=\s*\{([^{}]{0,20000})\}/g;
const COMMON_ONE = /^[ \t]*(?:module\.)?exports\.([\w$]+)[ \t]*=[ \t]*([A-Za-z_$][\w$]*)[ \t]*;?[ \t]*$/gm;

/**
 * What a script offers under another name than its own: `export { b as bee }`, `module.exports = { bee: b }`,
 * `exports.bee = b`. Offered name → name in the file.
 */
export function renamedExports(universe: Universe, path: string): ReadonlyMap<string, string> {
  const known = renamed.get(universe) ?? new Map<string, ReadonlyMap<string, string>>();
  renamed.set(universe, known);
  const names = known.get(path) ?? readRenames(universe.read(path) ?? "");
  known.set(path, names);
  return names;
}

function readRenames(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (!text.includes("export")) return names;
  const add = (offered: string | undefined, local: string | undefined): void => {
    if (offered !== undefined && local !== undefined && offered !== local) names.set(offered, local);
  };
  for (const [, list = ""] of text.matchAll(EXPORT_LIST))
    for (const part of list.split(",")) {
      const [, local, offered] = /^\s*(?:type\s+)?([\w$]+)\s+as\s+([\w$]+)\s*$/.exec(part) ?? [];
      add(offered, local);
    }
  for (const [, list = ""] of text.matchAll(COMMON_LIST))
    for (const part of list.split(",")) {
      const [, offered, local] = /^\s*([\w$]+)\s*:\s*([A-Za-z_$][\w$]*)\s*$/.exec(part) ?? [];
      add(offered, local);
    }
  for (const [, offered, local] of text.matchAll(COMMON_ONE)) add(offered, local);
  return names;
}

function defaultExport(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return (
    /^\s*export\s+default\s+(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class)?\s*([A-Za-z_$][\w$]*)/m.exec(
      text,
    )?.[1] ??
    /^\s*export\s*\{[^}]*?([A-Za-z_$][\w$]*)\s+as\s+default\b/m.exec(text)?.[1] ??
    /^\s*module\.exports\s*=\s*([A-Za-z_$][\w$]*)\s*;?\s*$/m.exec(text)?.[1]
  );
}
