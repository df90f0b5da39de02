/**
 * From a reference to the symbols it means, with how sure that is:
 * - `resolved`: an import, the scope, or the type of the receiver says so;
 * - `inferred`: only the name says so, and one symbol has it; also what may run behind an interface;
 * - `ambiguous`: only the name says so, and several have it;
 * - `external`: it means something outside the project.
 * A wrong `resolved` is the worst outcome: every rule here ends in a weaker word when a doubt is left.
 */
import type { ReferenceRow } from "../store/graph.ts";
import { isCommonName } from "./common-names.ts";
import { exportedFrom } from "./exports.ts";
import { membersOfHeirs, withHeirs, withHeirsOfAll } from "./heirs.ts";
import { membersOf, parentsMembers, parentTypes } from "./members.ts";
import {
  certain,
  constructorsOf,
  type Fits,
  fitting,
  guess,
  isMethod,
  MOST_CANDIDATES,
  NOTHING,
  outside,
  type Resolution,
  unique,
} from "./resolution.ts";
import { binding, bindsAll, inPackage, isMember, isVisibleAtTop, lastPart, moduleNameOf } from "./scope.ts";
import { IMPLICIT_THIS, isSelf, isSuper } from "./self-words.ts";
import { type FileNode, isType, type Node, type Universe } from "./universe.ts";

export type { Certainty, Resolution } from "./resolution.ts";

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
    const bound = binding(this.universe, head, file);
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
    if ((isSuper(name, file.family) || isSelf(name, file.family)) && around) {
      const found = this.selfCall(name, file, around);
      return found.length > 0 ? certain(found) : NOTHING;
    }
    // Names of the functions and types around, from the inside out.
    for (let scope = around; scope; scope = scope.parentId === null ? undefined : universe.symbol(scope.parentId)) {
      const inner = universe
        .symbolsOf(file.id)
        .filter(
          (node) =>
            node.parentId === scope?.id &&
            node.name === name &&
            fits(node) &&
            !isMember(node, scope) &&
            node.container === null,
        );
      if (inner.length > 0) return this.withConstructors(certain(inner), kind);
    }
    const owner = around && this.ownerType(around);
    if (owner && kind !== "new" && kind !== "type" && IMPLICIT_THIS.has(file.family ?? "")) {
      const own = membersOf(universe, owner, name).filter(fits);
      if (own.length > 0) return withHeirs(this.universe, certain(own), owner, name, fits);
      const inherited = parentsMembers(this, owner, name).filter(fits);
      if (inherited.length > 0) return withHeirs(this.universe, certain(inherited), owner, name, fits);
    }
    const top = universe
      .symbolsOf(file.id)
      .filter((node) => node.name === name && fits(node) && isVisibleAtTop(node, around));
    if (top.length > 0) return this.withConstructors(certain(top), kind);
    const bound = binding(universe, name, file);
    if (bound) {
      if (bound.name !== undefined) {
        const found = this.inFiles(bound.files, bound.name, fits);
        if (found.length > 0) return this.withConstructors(certain(found, bound.isGuess), kind);
        // `import static a.b.Type.member`: the module is the type.
        const members = this.inFiles(bound.files, lastPart(bound.module), isType).flatMap((type) =>
          this.memberOf(type, bound.name ?? "", fits),
        );
        if (members.length > 0) return certain(members, bound.isGuess);
        // A class behind an imported module of its own name, or what a barrel passes on untold.
        if (bound.files.length > 0)
          return guess(
            universe
              .named(bound.name)
              .filter((node) => node.family === file.family && fits(node) && bound.files.includes(node.path)),
          );
      }
      // `const serve = require("./serve")`: the module is what it exports.
      if (bound.name === undefined && file.family === "ecma") {
        const whole = this.inFiles(bound.files, "default", fits);
        if (whole.length > 0) return this.withConstructors(certain(whole, bound.isGuess), kind);
      }
      if (bound.external !== undefined) return outside(bound.external);
    }
    const near = inPackage(universe, name, file).filter(fits);
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

  /** `super(…)`, `this(…)`, `cls(…)`: a constructor, or (Ruby) the same method above. */
  private selfCall(name: string, file: FileNode, around: Node): readonly Node[] {
    const owner = this.ownerType(around);
    if (!owner) return [];
    if (!isSuper(name, file.family)) return [owner, ...constructorsOf(this.universe, owner)];
    const isConstructor = around.kind === "constructor" || around.name === owner.name;
    if (!isConstructor) return parentsMembers(this, owner, around.name);
    return parentTypes(this, owner).flatMap((type) => constructorsOf(this.universe, type));
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
    if (isSelf(qualifier, file.family) && owner) {
      const own = membersOf(universe, owner, name).filter(fits);
      if (own.length > 0) return withHeirs(this.universe, certain(own), owner, name, fits);
      const inherited = parentsMembers(this, owner, name).filter(fits);
      if (inherited.length > 0) return withHeirs(this.universe, certain(inherited), owner, name, fits);
      // A parent outside the project may define it; a child inside may.
      const below = membersOfHeirs(this.universe, owner, name, fits);
      return below.length > 0
        ? { certainty: "inferred", targets: below.slice(0, MOST_CANDIDATES), possible: [] }
        : NOTHING;
    }
    if (isSuper(qualifier, file.family) && owner) {
      const inherited = parentsMembers(this, owner, name).filter(fits);
      return inherited.length > 0 ? certain(inherited) : NOTHING;
    }
    if (reference.qualifierType) {
      const types = this.typesNamed(reference.qualifierType, file, around);
      if (types.certainty === "external")
        return types.external === undefined ? this.unknownReceiver(name, file, fits) : types;
      const found = types.targets.flatMap((type) => this.memberOf(type, name, fits));
      if (found.length > 0)
        return withHeirsOfAll(
          this.universe,
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
    if (isSelf(head, file.family) || isSuper(head, file.family) || /[()[\]]/.test(qualifier)) return undefined;
    // A module bound under the whole qualifier (`import os.path`), or under its head.
    for (let length = parts.length; length > 0; length--) {
      const bound = binding(universe, parts.slice(0, length).join("."), file);
      if (!bound) continue;
      const rest = parts.slice(length);
      if (bound.name === undefined) {
        if (bound.external !== undefined) return outside(bound.external);
        const found = this.through(bound.files, rest, name, fits);
        return found.length > 0 ? certain(found, bound.isGuess) : NOTHING;
      }
      const symbols = this.inFiles(bound.files, bound.name, () => true);
      const members = this.descend(symbols, rest, name, fits);
      if (members.length > 0)
        return withHeirsOfAll(this.universe, certain(members, bound.isGuess), symbols, name, fits);
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
        return withHeirsOfAll(
          this.universe,
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
    if (spelt.length > 0) {
      // A namespace or a type has one meaning everywhere, a variable only where it stands: `reply.send` is many things.
      const sure = spelt.filter(
        (node) => this.ownerIsNamed(node) || (node.fileId === file.id && file.family !== "ecma"),
      );
      return sure.length > 0 ? certain(sure) : undefined;
    }
    // A capital where variables have none: some type or module that is not ours.
    if (/^[A-Z]/.test(head) && parts.length === 1 && universe.named(head).length === 0) return outside(qualifier);
    return undefined;
  }

  /** Whether the owner in its qualified name is a type, a module or a namespace of the project. */
  private ownerIsNamed({ owner, family }: Node): boolean {
    return this.universe
      .named(owner.slice(owner.lastIndexOf(".") + 1))
      .some((one) => one.family === family && isType(one) && (one.qualifiedName === owner || one.name === owner));
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

  private inFiles(paths: readonly string[], name: string, fits: Fits): readonly Node[] {
    return unique(paths.flatMap((path) => exportedFrom(this.universe, path, name))).filter(fits);
  }

  /** Nothing but the name is left. */
  private byName(name: string, file: FileNode, fits: Fits): Resolution {
    return guess(this.universe.named(name).filter((node) => node.family === file.family && fits(node)));
  }

  private unknownReceiver(name: string, file: FileNode, fits: Fits): Resolution {
    const found = this.byName(name, file, (node) => fits(node) && (isMethod(node) || this.standsInType(node)));
    return found.certainty === "inferred" && isCommonName(name) ? { ...found, certainty: "ambiguous" } : found;
  }

  /** A function right in a type, a namespace or an object, and not one nested in another function. */
  private standsInType(node: Node): boolean {
    if (node.owner === "") return false;
    const parent = node.parentId === null ? undefined : this.universe.symbol(node.parentId);
    return parent === undefined
      ? node.container !== null
      : isType(parent) || parent.kind === "constant" || parent.kind === "variable";
  }

  /** A member that the known type does not define: an extension or a trait elsewhere may. */
  private extension(name: string, file: FileNode, fits: Fits): Resolution {
    if (!["rust", "dotnet", "swift", "jvm", "dart", "ruby"].includes(file.family ?? "")) return NOTHING;
    const found = this.unknownReceiver(name, file, fits);
    return found.certainty === "external"
      ? NOTHING
      : { ...found, certainty: found.targets.length > 1 ? "ambiguous" : "inferred" };
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
