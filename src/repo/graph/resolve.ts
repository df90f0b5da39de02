/**
 * From a reference to the symbols it means, with how sure that is:
 * - `resolved`: an import, the scope, or the type of the receiver says so;
 * - `inferred`: only the name says so, and one symbol has it; also what may run behind an interface;
 * - `ambiguous`: only the name says so, and several have it;
 * - `external`: it means something outside the project.
 * A wrong `resolved` is the worst outcome: every rule here ends in a weaker word when a doubt is left.
 */
import type { ImportedName } from "../languages/types.ts";
import type { ReferenceRow } from "../store/graph.ts";
import { exportedFrom } from "./exports.ts";
import { membersOf, parentsMembers } from "./members.ts";
import { type FileNode, isType, type Node, type ResolvedImport, type Universe } from "./universe.ts";

export type Certainty = "resolved" | "inferred" | "ambiguous" | "external";

export interface Resolution {
  readonly certainty: Certainty;
  readonly targets: readonly Node[];
  /** What may run instead of a target: implementations behind an interface, overriding methods. Always a guess. */
  readonly possible: readonly Node[];
  /** The outside thing, when it is one and its name is known. */
  readonly external?: string;
}

const NOTHING: Resolution = { certainty: "external", targets: [], possible: [] };
const SELF = new Set(["self", "this", "Self", "cls", "$this", "static", "@", "me", "__MODULE__"]);
const SUPER = new Set(["super", "base", "parent"]);
/** Languages in which a bare call may mean a method of the class around it. */
const IMPLICIT_THIS = new Set(["jvm", "dotnet", "c", "swift", "ruby", "dart", "elixir"]);
/** Names of so many things that a match by name alone says nothing. */
const MOST_CANDIDATES = 12;

export class Resolver {
  constructor(readonly universe: Universe) {}

  resolve(reference: ReferenceRow): Resolution {
    const file = this.universe.file(reference.fileId);
    if (!file?.family) return NOTHING;
    const around = reference.symbolId === null ? undefined : this.around(reference.fileId, reference.symbolId);
    const fits = fitting(reference.kind);
    if (reference.qualifier) return this.qualified(reference, reference.qualifier, file, around, fits);
    return this.bare(reference.name, file, around, fits, reference.kind);
  }

  /** The types that a written type name means in a file. */
  typesNamed(name: string, file: FileNode, around: Node | undefined): Resolution {
    const bare = name
      .replace(/<.*$/, "")
      .replace(/[?*&[\]]/g, "")
      .trim();
    const dot = bare.lastIndexOf(".");
    if (dot < 0) return this.bare(bare, file, around, isType, "type");
    const owner = this.typesNamed(bare.slice(0, dot), file, around);
    const inner = owner.targets.flatMap((one) => membersOf(this.universe, one, bare.slice(dot + 1)).filter(isType));
    if (inner.length > 0) return { certainty: owner.certainty, targets: inner, possible: [] };
    const head = bare.slice(0, bare.indexOf("."));
    const bound = this.binding(head, file);
    if (bound && bound.files.length > 0) {
      const found = this.inFiles(bound.files, bare.slice(dot + 1), isType);
      if (found.length > 0) return certain(found);
    }
    if (bound?.external) return outside(bound.external);
    // `ns.Type`: the namespace is part of its qualified name, or of its file.
    const whole = this.universe
      .named(bare.slice(dot + 1))
      .filter((node) => node.family === file.family && isType(node));
    const exact = whole.filter(
      (node) => node.qualifiedName === bare || this.universe.facts.packageOf(node.path) === bare.slice(0, dot),
    );
    return exact.length > 0 ? certain(exact) : guess(whole.filter((node) => node.qualifiedName.endsWith(`.${bare}`)));
  }

  private bare(name: string, file: FileNode, around: Node | undefined, fits: Fits, kind: string): Resolution {
    const { universe } = this;
    if ((SUPER.has(name) || SELF.has(name)) && kind === "call" && around) {
      const owner = this.ownerType(around);
      const found = !owner
        ? []
        : SUPER.has(name)
          ? parentsMembers(this, owner, around.name)
          : constructorsOf(universe, owner);
      return found.length > 0 ? certain(found) : NOTHING;
    }
    // Names of the functions and types around, from the inside out.
    for (let scope = around; scope; scope = scope.parentId === null ? undefined : universe.symbol(scope.parentId)) {
      const inner = universe
        .symbolsOf(file.id)
        .filter((node) => node.parentId === scope?.id && node.name === name && fits(node) && !isMember(node, scope));
      if (inner.length > 0) return this.withConstructors(certain(inner), kind);
    }
    const owner = around && this.ownerType(around);
    if (owner && IMPLICIT_THIS.has(file.family ?? "")) {
      const own = membersOf(universe, owner, name).filter(fits);
      if (own.length > 0) return this.behind(certain(own), owner, name, fits);
      const inherited = parentsMembers(this, owner, name).filter(fits);
      if (inherited.length > 0) return this.behind(certain(inherited), owner, name, fits);
    }
    const top = universe
      .symbolsOf(file.id)
      .filter((node) => node.name === name && fits(node) && isVisibleAtTop(node, around));
    if (top.length > 0) return this.withConstructors(certain(top), kind);
    const bound = this.binding(name, file);
    if (bound) {
      if (bound.name !== undefined) {
        const found = this.inFiles(bound.files, bound.name, fits);
        if (found.length > 0) return this.withConstructors(certain(found, bound.isGuess), kind);
        // A class behind an imported module of its own name, or what a barrel passes on untold.
        if (bound.files.length > 0)
          return guess(
            universe
              .named(bound.name)
              .filter((node) => node.family === file.family && fits(node) && bound.files.includes(node.path)),
          );
      }
      if (bound.external !== undefined) return outside(bound.external);
    }
    const near = this.inPackage(name, file).filter(fits);
    if (near.length > 0) return this.withConstructors(certain(near), kind);
    const wild = universe.importsOf(file.id).filter(bindsAll);
    const opened = wild.flatMap(({ target }) =>
      target.kind === "files" ? this.inFiles(target.paths, name, fits) : [],
    );
    if (opened.length > 0)
      return this.withConstructors(
        certain(
          opened,
          wild.some(({ target }) => target.kind === "files" && target.isGuess === true),
        ),
        kind,
      );
    return this.withConstructors(
      this.byName(name, file, (node) => fits(node) && (isType(node) || !isMethod(node) || file.family === "ruby")),
      kind,
    );
  }

  private qualified(
    reference: ReferenceRow,
    qualifier: string,
    file: FileNode,
    around: Node | undefined,
    fits: Fits,
  ): Resolution {
    const { universe } = this;
    const { name } = reference;
    const owner = around && this.ownerType(around);
    if (SELF.has(qualifier) && owner) {
      const own = membersOf(universe, owner, name).filter(fits);
      if (own.length > 0) return this.behind(certain(own), owner, name, fits);
      const inherited = parentsMembers(this, owner, name).filter(fits);
      if (inherited.length > 0) return this.behind(certain(inherited), owner, name, fits);
      // A parent outside the project may define it; a child inside may.
      const below = this.below(owner, name, fits);
      return below.length > 0
        ? { certainty: "inferred", targets: below.slice(0, MOST_CANDIDATES), possible: [] }
        : NOTHING;
    }
    if (SUPER.has(qualifier) && owner) {
      const inherited = parentsMembers(this, owner, name).filter(fits);
      return inherited.length > 0 ? certain(inherited) : NOTHING;
    }
    if (reference.qualifierType) {
      const types = this.typesNamed(reference.qualifierType, file, around);
      if (types.certainty === "external")
        return types.external === undefined ? this.unknownReceiver(name, file, fits) : types;
      const found = types.targets.flatMap((type) => this.memberOf(type, name, fits));
      if (found.length > 0)
        return this.behindAll(
          { certainty: types.certainty, targets: unique(found), possible: [] },
          types.targets,
          name,
          fits,
        );
      return types.certainty === "resolved" ? this.extension(name, file, fits) : this.unknownReceiver(name, file, fits);
    }
    const static_ = this.throughName(qualifier, name, file, around, fits);
    if (static_) return this.withConstructors(static_, reference.kind);
    return this.unknownReceiver(name, file, fits);
  }

  /** The qualifier names a module, a namespace or a type. */
  private throughName(
    qualifier: string,
    name: string,
    file: FileNode,
    around: Node | undefined,
    fits: Fits,
  ): Resolution | undefined {
    const { universe } = this;
    const parts = qualifier.split(".");
    const [head = ""] = parts;
    if (SELF.has(head) || SUPER.has(head) || /[()[\]]/.test(qualifier)) return undefined;
    // A module bound under the whole qualifier (`import os.path`), or under its head.
    for (let length = parts.length; length > 0; length--) {
      const bound = this.binding(parts.slice(0, length).join("."), file);
      if (!bound) continue;
      const rest = parts.slice(length);
      if (bound.name === undefined) {
        if (bound.external !== undefined) return outside(bound.external);
        const found = this.through(bound.files, rest, name, fits);
        return found.length > 0 ? certain(found, bound.isGuess) : NOTHING;
      }
      const symbols = this.inFiles(bound.files, bound.name, () => true);
      const members = this.descend(symbols, rest, name, fits);
      if (members.length > 0) return this.behindAll(certain(members, bound.isGuess), symbols, name, fits);
      // Python binds modules by name too: `from . import models` and then `models.User`.
      const modules = bound.files.filter((path) => moduleNameOf(path) === bound.name);
      const inModule = this.through(modules, rest, name, fits);
      if (inModule.length > 0) return certain(inModule);
      if (bound.external !== undefined) return outside(bound.external);
      return symbols.length > 0 && symbols.every(isType) ? this.extension(name, file, fits) : undefined;
    }
    if (file.family === "rust") {
      const found = this.rustPath(parts, name, file, fits);
      if (found) return found;
    }
    const types = this.typesNamed(qualifier, file, around);
    if (types.targets.length > 0) {
      const members = unique(types.targets.flatMap((type) => this.memberOf(type, name, fits)));
      if (members.length > 0)
        return this.behindAll(
          { certainty: types.certainty, targets: members, possible: [] },
          types.targets,
          name,
          fits,
        );
      if (types.certainty === "resolved") return this.extension(name, file, fits);
    }
    // A namespace or package spelt out at the place of use.
    const inPackage = universe.facts.filesOfPackage(qualifier, file.family ?? "ecma");
    if (inPackage.length > 0) {
      const found = this.inFiles(inPackage, name, fits);
      if (found.length > 0) return certain(found);
    }
    const spelt = universe
      .named(name)
      .filter((node) => node.family === file.family && fits(node) && node.owner === qualifier);
    if (spelt.length > 0) return certain(spelt);
    // A capital where variables have none: some type or module that is not ours.
    if (/^[A-Z]/.test(head) && parts.length === 1 && universe.named(head).length === 0) return outside(qualifier);
    return undefined;
  }

  /** `crate::a::f`, `super::f`, `a::f` with a module `a` of this file. */
  private rustPath(parts: readonly string[], name: string, file: FileNode, fits: Fits): Resolution | undefined {
    const target = this.moduleOf(parts, file);
    if (!target) return undefined;
    const found = this.inFiles(target, name, fits);
    if (found.length > 0) return certain(found);
    // `crate::model::Item::new`: the last part is a type of the module before it.
    const last = parts[parts.length - 1];
    if (last === undefined || parts.length < 2) return undefined;
    const types = this.inFiles(this.moduleOf(parts.slice(0, -1), file) ?? [], last, isType);
    const members = types.flatMap((type) => this.memberOf(type, name, fits));
    return members.length > 0 ? certain(unique(members)) : undefined;
  }

  private moduleOf(parts: readonly string[], file: FileNode): readonly string[] | undefined {
    const known = parts[0] === "crate" || parts[0] === "super" || parts[0] === "self" || parts.length > 0;
    if (!known) return undefined;
    const target = this.universe.moduleTarget(file, parts.join("::"));
    return target.kind === "files" && target.paths.some((path) => path !== file.path || parts[0] === "self")
      ? target.paths
      : undefined;
  }

  /** Of files: the symbol `name`, behind the types that `rest` names. */
  private through(paths: readonly string[], rest: readonly string[], name: string, fits: Fits): readonly Node[] {
    const [first, ...more] = rest;
    if (first === undefined) return this.inFiles(paths, name, fits);
    return this.descend(
      this.inFiles(paths, first, () => true),
      more,
      name,
      fits,
    );
  }

  private descend(from: readonly Node[], rest: readonly string[], name: string, fits: Fits): readonly Node[] {
    let at = from;
    for (const part of rest) at = at.flatMap((node) => membersOf(this.universe, node, part));
    return unique(at.flatMap((node) => this.memberOf(node, name, fits)));
  }

  private memberOf(type: Node, name: string, fits: Fits): readonly Node[] {
    const own = membersOf(this.universe, type, name).filter(fits);
    if (own.length > 0) return own;
    const inherited = parentsMembers(this, type, name).filter(fits);
    if (inherited.length > 0) return inherited;
    return name === "new" || name === "init" || name === "__init__" ? [type] : [];
  }

  /** What an import binds to `name` in a file. `name` undefined in the result: the module itself. */
  private binding(name: string, file: FileNode): Binding | undefined {
    for (const one of this.universe.importsOf(file.id)) {
      if (
        one.kind === "effect" ||
        one.kind === "submodule" ||
        one.kind === "include" ||
        one.kind === "include-system"
      ) {
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

  private inFiles(paths: readonly string[], name: string, fits: Fits): readonly Node[] {
    return unique(paths.flatMap((path) => exportedFrom(this.universe, path, name))).filter(fits);
  }

  /** Symbols that are in scope because they belong to the same package, namespace or target. */
  private inPackage(name: string, file: FileNode): readonly Node[] {
    const { facts } = this.universe;
    const atTop = (paths: readonly string[]): readonly Node[] => {
      const allowed = new Set(paths);
      return this.universe
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
        for (
          let own = facts.packageOf(file.path) ?? "";
          ;
          own = own.slice(0, Math.max(0, own.lastIndexOf(separator)))
        ) {
          const paths = own === "" ? [...this.unpackaged(file)] : facts.filesOfPackage(own, file.family);
          found.push(...atTop(paths));
          if (found.length > 0 || own === "" || file.family !== "dotnet") return found;
        }
      }
      case "swift": {
        const target = /^(.*?Sources\/[^/]+)\//.exec(file.path)?.[1];
        const all = this.universe.named(name).filter((node) => node.family === "swift" && node.owner === "");
        return target === undefined ? [] : all.filter((node) => node.path.startsWith(`${target}/`));
      }
      case "c":
        return this.included(file, name);
      case "ruby":
        // Constants are global there.
        return /^[A-Z]/.test(name)
          ? this.universe.named(name).filter((node) => node.family === "ruby" && isType(node) && node.owner === "")
          : [];
      default:
        return [];
    }
  }

  private *unpackaged(file: FileNode): Generator<string> {
    for (const other of this.universe.allFiles())
      if (other.family === file.family && this.universe.facts.packageOf(other.path) === undefined) yield other.path;
  }

  /** Declared in a header that the file includes (also through others): that symbol, and the one place that defines it. */
  private included(file: FileNode, name: string): readonly Node[] {
    const seen = new Set<string>([file.path]);
    let layer = [file.id];
    for (let depth = 0; depth < 4 && layer.length > 0; depth++) {
      const next: number[] = [];
      const found: Node[] = [];
      for (const id of layer)
        for (const { target, kind } of this.universe.importsOf(id)) {
          if (target.kind !== "files" || target.isGuess || (kind !== "include" && kind !== "include-system")) continue;
          for (const path of target.paths) {
            if (seen.has(path)) continue;
            seen.add(path);
            const header = this.universe.fileAt(path);
            if (!header) continue;
            found.push(
              ...this.universe
                .symbolsOf(header.id)
                .filter((node) => node.name === name && (node.owner === "" || isTopOfNamespace(node))),
            );
            next.push(header.id);
          }
        }
      if (found.length > 0) {
        const elsewhere = this.universe
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

  /** Nothing but the name is left. */
  private byName(name: string, file: FileNode, fits: Fits): Resolution {
    return guess(this.universe.named(name).filter((node) => node.family === file.family && fits(node)));
  }

  private unknownReceiver(name: string, file: FileNode, fits: Fits): Resolution {
    return this.byName(name, file, (node) => fits(node) && (isMethod(node) || node.owner !== ""));
  }

  /** A member that the known type does not define: an extension or a trait elsewhere may. */
  private extension(name: string, file: FileNode, fits: Fits): Resolution {
    if (!["rust", "dotnet", "swift", "jvm", "dart", "ruby"].includes(file.family ?? "")) return NOTHING;
    const found = this.unknownReceiver(name, file, fits);
    return found.certainty === "external"
      ? NOTHING
      : { ...found, certainty: found.targets.length > 1 ? "ambiguous" : "inferred" };
  }

  /** Adds what may run instead: the same member of types that inherit from `type`. */
  private behind(found: Resolution, type: Node, name: string, fits: Fits): Resolution {
    const possible = this.below(type, name, fits).filter(
      (node) => !found.targets.some((target) => target.id === node.id),
    );
    return { ...found, possible: possible.slice(0, MOST_CANDIDATES) };
  }

  private behindAll(found: Resolution, types: readonly Node[], name: string, fits: Fits): Resolution {
    const possible = unique(types.filter(isType).flatMap((type) => this.behind(found, type, name, fits).possible));
    return { ...found, possible };
  }

  private below(type: Node, name: string, fits: Fits): readonly Node[] {
    const found: Node[] = [];
    const seen = new Set<string>();
    let layer = [type.name];
    for (let depth = 0; depth < 5 && layer.length > 0; depth++) {
      const next: string[] = [];
      for (const parent of layer)
        for (const child of this.universe.childrenNaming(parent)) {
          if (seen.has(child.name)) continue;
          seen.add(child.name);
          const last = child.name.slice(child.name.lastIndexOf(".") + 1);
          const nodes = this.universe
            .named(name)
            .filter((node) => node.family === type.family && node.owner === child.name && fits(node));
          found.push(...nodes);
          next.push(last);
        }
      layer = next;
    }
    return unique(found);
  }

  private withConstructors(found: Resolution, kind: string): Resolution {
    if (kind !== "new" && kind !== "call") return found;
    const constructors = found.targets.filter(isType).flatMap((type) => constructorsOf(this.universe, type));
    return constructors.length === 0 ? found : { ...found, targets: unique([...found.targets, ...constructors]) };
  }

  private around(fileId: number, symbolId: number): Node | undefined {
    return this.universe.symbolsOf(fileId).find((node) => node.id === symbolId);
  }

  /** The type whose member `node` is, or around which it is nested; a type is its own. */
  ownerType(node: Node): Node | undefined {
    for (let at: Node | undefined = node; at; ) {
      if (isType(at)) return at;
      if (at.owner !== "") {
        const owner = at.owner;
        const last = owner.slice(owner.lastIndexOf(".") + 1);
        const family = at.family;
        const candidates = this.universe
          .named(last)
          .filter((one) => isType(one) && one.family === family && (one.qualifiedName === owner || one.name === owner));
        const here = candidates.filter((one) => one.fileId === node.fileId);
        const found = here[0] ?? (candidates.length === 1 ? candidates[0] : undefined);
        if (found) return found;
        // Rust `impl` of a type that is defined elsewhere, or several of one name: the owner's name still holds its members.
        if (at.container !== null) return { ...at, kind: "type", name: last, qualifiedName: owner };
      }
      at = at.parentId === null ? undefined : this.universe.symbol(at.parentId);
    }
    return undefined;
  }
}

type Fits = (node: Node) => boolean;

interface Binding {
  readonly files: readonly string[];
  readonly external: string | undefined;
  /** The imported name; undefined when the module itself is bound. */
  readonly name: string | undefined;
  readonly isGuess: boolean;
}

function bindingOf({ target }: ResolvedImport, name: string | undefined): Binding {
  return target.kind === "files"
    ? { files: target.paths, external: undefined, name, isGuess: target.isGuess === true }
    : { files: [], external: target.name, name, isGuess: false };
}

function boundAs({ name, alias }: ImportedName, { module, kind }: ResolvedImport): string {
  if (alias !== undefined) return alias;
  if (name !== "*") return name;
  // `import "net/http"` binds http; `import a.b.C` binds C.
  return kind === "module" ? (/([^/\\.:]+)(?:\.\w+)?$/.exec(module)?.[1] ?? module) : name;
}

function bindsAll({ kind, names }: ResolvedImport): boolean {
  return kind === "wildcard" || kind === "include" || kind === "effect" || (kind === "module" && names.length === 0);
}

function certain(targets: readonly Node[], isGuess = false): Resolution {
  const list = unique(targets);
  if (isGuess) return guess(list);
  // Overloads, partial classes and a header with its source are one thing; several things of one name are not.
  const owners = new Set(list.map((node) => `${node.owner}\0${node.name}`));
  return { certainty: owners.size > 1 ? "ambiguous" : "resolved", targets: list, possible: [] };
}

function guess(targets: readonly Node[]): Resolution {
  const list = unique(targets);
  if (list.length === 0 || list.length > MOST_CANDIDATES) return NOTHING;
  const things = new Set(list.map((node) => `${node.path}\0${node.qualifiedName}`));
  return { certainty: things.size > 1 ? "ambiguous" : "inferred", targets: list, possible: [] };
}

function outside(name: string): Resolution {
  return { ...NOTHING, external: name };
}

function unique(nodes: readonly Node[]): readonly Node[] {
  return nodes.length < 2 ? nodes : [...new Map(nodes.map((node) => [node.id, node])).values()];
}

const METHODS = new Set(["method", "constructor", "property", "field"]);

export function isMethod(node: Node): boolean {
  return METHODS.has(node.kind);
}

function isMember(node: Node, scope: Node): boolean {
  return isType(scope) && scope.kind !== "module" && isMethod(node);
}

/** At the top of its file, or of a namespace that is around the reference too. */
function isVisibleAtTop(node: Node, around: Node | undefined): boolean {
  if (node.owner === "") return true;
  if (isMethod(node) && node.kind !== "property") return false;
  return around !== undefined && (around.qualifiedName.startsWith(`${node.owner}.`) || around.owner === node.owner);
}

/** A type or function right in a C++ or C# namespace, a Ruby module, an Elixir module. */
function isTopOfNamespace(node: Node): boolean {
  return !isMethod(node);
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

function fitting(kind: string): Fits {
  const allowed = FITTING[kind];
  return allowed ? (node) => allowed.has(node.kind) : () => true;
}

const CONSTRUCTORS = new Set(["constructor", "__init__", "initialize", "init", "__construct"]);

function constructorsOf(universe: Universe, type: Node): readonly Node[] {
  return universe
    .owned(type.fileId, type.qualifiedName)
    .filter(
      (node) =>
        node.kind === "constructor" || CONSTRUCTORS.has(node.name) || (isMethod(node) && node.name === type.name),
    );
}

function moduleNameOf(path: string): string {
  const base = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return base === "__init__" || base === "mod" || base === "index" ? (path.split("/").at(-2) ?? base) : base;
}
