/** What is in scope in a file: what its imports bind, and what its package, namespace, target or headers bring. */
import type { ImportedName } from "../languages/types.ts";
import { isMethod } from "./resolution.ts";
import { type FileNode, isType, type Node, type ResolvedImport, type Universe } from "./universe.ts";

export interface Binding {
  readonly files: readonly string[];
  readonly external: string | undefined;
  /** The imported name; undefined when the module itself is bound. */
  readonly name: string | undefined;
  readonly isGuess: boolean;
  readonly module: string;
}

function bindingOf({ target, module }: ResolvedImport, name: string | undefined): Binding {
  return target.kind === "files"
    ? { files: target.paths, external: undefined, name, isGuess: target.isGuess === true, module }
    : { files: [], external: target.name, name, isGuess: false, module };
}

export function lastPart(module: string): string {
  return /([^./\\:]+)$/.exec(module)?.[1] ?? module;
}

function boundAs({ name, alias }: ImportedName, { module, kind }: ResolvedImport): string {
  if (alias !== undefined) return alias;
  if (name !== "*") return name;
  // `import "net/http"` binds http; `import a.b.C` binds C.
  return kind === "module" ? (/([^/\\.:]+)(?:\.\w+)?$/.exec(module)?.[1] ?? module) : name;
}

export function bindsAll({ kind, names }: ResolvedImport): boolean {
  return kind === "wildcard" || kind === "include" || kind === "effect" || (kind === "module" && names.length === 0);
}

/** What an import binds to `name` in a file. `name` undefined in the result: the module itself. */
export function binding(universe: Universe, name: string, file: FileNode): Binding | undefined {
  for (const one of universe.importsOf(file.id)) {
    if (one.kind === "effect" || one.kind === "submodule" || one.kind === "include" || one.kind === "include-system") {
      if (one.kind === "submodule" && one.module === name) return bindingOf(one, undefined);
      continue;
    }
    for (const imported of one.names) {
      if (imported.name === "*static") continue;
      if (one.kind === "wildcard" && imported.name === "*") continue;
      if (boundAs(imported, one) !== name) continue;
      return bindingOf(one, imported.name === "*" ? undefined : imported.name);
    }
  }
  return undefined;
}

/** Symbols that are in scope because they belong to the same package, namespace or target. */
export function inPackage(universe: Universe, name: string, file: FileNode): readonly Node[] {
  const { facts } = universe;
  const atTop = (paths: readonly string[]): readonly Node[] => {
    const allowed = new Set(paths);
    return universe
      .named(name)
      .filter((node) => allowed.has(node.path) && (node.owner === "" || isTopOfNamespace(node)));
  };
  const dir = file.path.slice(0, Math.max(0, file.path.lastIndexOf("/")));
  switch (file.family) {
    case "go":
      return atTop(
        facts
          .filesIn(dir)
          .filter((path) => path.endsWith(".go") && facts.packageOf(path) === facts.packageOf(file.path)),
      );
    case "jvm":
    case "php":
    case "dotnet": {
      const found: Node[] = [];
      const separator = file.family === "php" ? "\\" : ".";
      // C# and Kotlin's nested packages see their outer ones; the nearest wins.
      for (let own = facts.packageOf(file.path) ?? ""; ; own = own.slice(0, Math.max(0, own.lastIndexOf(separator)))) {
        const paths = own === "" ? [...unpackaged(universe, file)] : facts.filesOfPackage(own, file.family);
        found.push(...atTop(paths));
        if (found.length > 0 || own === "" || file.family !== "dotnet") return found;
      }
    }
    case "swift": {
      const target = /^(.*?Sources\/[^/]+)\//.exec(file.path)?.[1];
      const all = universe.named(name).filter((node) => node.family === "swift" && node.owner === "");
      return target === undefined ? [] : all.filter((node) => node.path.startsWith(`${target}/`));
    }
    case "c":
      return included(universe, file, name);
    case "ruby":
      // Constants are global there.
      return /^[A-Z]/.test(name)
        ? universe.named(name).filter((node) => node.family === "ruby" && isType(node) && node.owner === "")
        : [];
    default:
      return [];
  }
}

function* unpackaged(universe: Universe, file: FileNode): Generator<string> {
  for (const other of universe.allFiles())
    if (other.family === file.family && universe.facts.packageOf(other.path) === undefined) yield other.path;
}

/** Declared in a header that the file includes (also through others): that symbol, and the one place that defines it. */
function included(universe: Universe, file: FileNode, name: string): readonly Node[] {
  const seen = new Set<string>([file.path]);
  let layer = [file.id];
  for (let depth = 0; depth < 4 && layer.length > 0; depth++) {
    const next: number[] = [];
    const found: Node[] = [];
    for (const id of layer)
      for (const { target, kind } of universe.importsOf(id)) {
        if (target.kind !== "files" || target.isGuess || (kind !== "include" && kind !== "include-system")) continue;
        for (const path of target.paths) {
          if (seen.has(path)) continue;
          seen.add(path);
          const header = universe.fileAt(path);
          if (!header) continue;
          found.push(
            ...universe
              .symbolsOf(header.id)
              .filter((node) => node.name === name && (node.owner === "" || isTopOfNamespace(node))),
          );
          next.push(header.id);
        }
      }
    if (found.length > 0) {
      const elsewhere = universe
        .named(name)
        .filter(
          (node) =>
            node.family === "c" &&
            !seen.has(node.path) &&
            found.some((one) => one.qualifiedName === node.qualifiedName),
        );
      return elsewhere.length === 1 ? [...elsewhere, ...found] : found;
    }
    layer = next;
  }
  return [];
}

/** A type or function right in a C++ or C# namespace, a Ruby module, an Elixir module. */
function isTopOfNamespace(node: Node): boolean {
  return !isMethod(node);
}

export function isMember(node: Node, scope: Node): boolean {
  return isType(scope) && scope.kind !== "module" && isMethod(node);
}

/** At the top of its file, or of a namespace that is around the reference too. */
export function isVisibleAtTop(node: Node, around: Node | undefined): boolean {
  if (node.owner === "") return true;
  if (isMethod(node) && node.kind !== "property") return false;
  return around !== undefined && (around.qualifiedName.startsWith(`${node.owner}.`) || around.owner === node.owner);
}

export function moduleNameOf(path: string): string {
  const base = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return base === "__init__" || base === "mod" || base === "index" ? (path.split("/").at(-2) ?? base) : base;
}
