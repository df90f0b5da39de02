/**
 * What the resolver sees of an index: symbols, imports and inheritance, read when asked for and kept for the life of
 * one question. Answers always come from the rows as they are now, so a graph can't be older than its files.
 */
import type { ImportedName, ImportKind } from "../languages/types.ts";
import type { FileRow, SymbolRow } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { type Family, familyOf, type ModuleTarget, type ProjectFacts, resolveModule } from "./modules/index.ts";

/** A symbol with what resolution asks of it again and again. */
export interface Node extends SymbolRow {
  readonly family: Family | undefined;
  readonly language: string;
  /** Qualified name of the type or module that it belongs to; "" at the top. */
  readonly owner: string;
}

export interface ResolvedImport {
  readonly module: string;
  readonly kind: ImportKind;
  readonly names: readonly ImportedName[];
  readonly line: number;
  readonly target: ModuleTarget;
}

export interface Parent {
  readonly name: string;
  readonly qualifier: string | undefined;
  readonly fileId: number;
  readonly kind: string;
  readonly line: number;
}

export interface FileNode {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly family: Family | undefined;
}

const TYPE_KINDS: ReadonlySet<string> = new Set(["class", "interface", "struct", "enum", "trait", "type", "module"]);

export function isType(node: { readonly kind: string }): boolean {
  return TYPE_KINDS.has(node.kind);
}

export class Universe {
  private readonly byName = new Map<string, readonly Node[]>();
  private readonly ofFile = new Map<number, readonly Node[]>();
  private readonly imports = new Map<number, readonly ResolvedImport[]>();
  private readonly texts = new Map<string, string | undefined>();
  private readonly ownedBy = new Map<number, ReadonlyMap<string, readonly Node[]>>();
  private readonly targets = new Map<string, ModuleTarget>();
  private filesById: Map<number, FileNode> | undefined;
  private filesByPath: Map<string, FileNode> | undefined;
  private names: Map<string, string[]> | undefined;
  private folders: Map<string, string[]> | undefined;
  private packages: { byName: Map<string, string[]>; byPath: Map<string, string> } | undefined;
  private parents: Map<string, Parent[]> | undefined;
  private children: Map<string, { name: string; fileId: number }[]> | undefined;
  readonly facts: ProjectFacts = {
    has: (path) => this.paths().has(path),
    withName: (name) => this.baseNames().get(name) ?? [],
    filesIn: (dir) => this.dirs().get(dir) ?? [],
    read: (path) => this.read(path),
    filesOfPackage: (name, family) =>
      (this.declared().byName.get(name) ?? []).filter((path) => this.paths().get(path)?.family === family),
    packageOf: (path) => this.declared().byPath.get(path),
    filesDefining: (name, family) => this.filesDefining(name, family),
  };

  constructor(readonly store: Store) {}

  file(id: number): FileNode | undefined {
    this.paths();
    return this.filesById?.get(id);
  }

  fileAt(path: string): FileNode | undefined {
    return this.paths().get(path);
  }

  allFiles(): IterableIterator<FileNode> {
    return this.paths().values();
  }

  /** Symbols of exactly this name, in every language. */
  named(name: string): readonly Node[] {
    let found = this.byName.get(name);
    if (!found) {
      found = this.store.graph.symbolsNamed(name, true).map((row) => this.node(row));
      this.byName.set(name, found);
    }
    return found;
  }

  symbolsOf(fileId: number): readonly Node[] {
    let found = this.ofFile.get(fileId);
    if (!found) {
      found = this.store.graph.symbolsOfFile(fileId).map((row) => this.node(row));
      this.ofFile.set(fileId, found);
    }
    return found;
  }

  symbol(id: number): Node | undefined {
    const row = this.store.graph.symbolById(id);
    return row ? this.node(row) : undefined;
  }

  /** Symbols of a file by the qualified name of their owner. */
  owned(fileId: number, owner: string): readonly Node[] {
    let map = this.ownedBy.get(fileId);
    if (!map) {
      const grouped = new Map<string, Node[]>();
      for (const node of this.symbolsOf(fileId)) {
        const list = grouped.get(node.owner);
        if (list) list.push(node);
        else grouped.set(node.owner, [node]);
      }
      map = grouped;
      this.ownedBy.set(fileId, map);
    }
    return map.get(owner) ?? [];
  }

  importsOf(fileId: number): readonly ResolvedImport[] {
    let found = this.imports.get(fileId);
    if (found) return found;
    const file = this.file(fileId);
    const family = file?.family;
    found =
      !file || !family
        ? []
        : this.store.graph.importsOfFile(fileId).flatMap((row) => {
            const kind = row.kind as ImportKind;
            if (kind === "package") return [];
            const names = JSON.parse(row.names) as ImportedName[];
            const target = resolveModule(file.path, { module: row.module, names, kind }, family, this.facts);
            return [{ module: row.module, kind, names, line: row.line, target }];
          });
    this.imports.set(fileId, found);
    return found;
  }

  /** The files that a path written inside code means (`crate::a::b` at a call). */
  moduleTarget(file: FileNode, module: string): ModuleTarget {
    const key = `${file.id}\0${module}`;
    let found = this.targets.get(key);
    if (!found) {
      const wanted = { module, names: [], kind: "module" as const };
      found = file.family
        ? resolveModule(file.path, wanted, file.family, this.facts)
        : { kind: "external" as const, name: module };
      this.targets.set(key, found);
    }
    return found;
  }

  /** What the type of this qualified name inherits, as every file that defines (a part of) it says. */
  parentsOf(qualifiedName: string): readonly Parent[] {
    return this.inheritance().parents.get(qualifiedName) ?? [];
  }

  /** Types that name `parent` (its last part) as what they inherit. */
  childrenNaming(parent: string): readonly { readonly name: string; readonly fileId: number }[] {
    return this.inheritance().children.get(parent) ?? [];
  }

  read(path: string): string | undefined {
    if (this.texts.has(path)) return this.texts.get(path);
    const file = this.fileAt(path);
    const text = file ? this.store.files.text(file.id) : undefined;
    this.texts.set(path, text);
    return text;
  }

  private node(row: SymbolRow): Node {
    const file = this.file(row.fileId);
    const dot = row.qualifiedName.length - row.name.length - 1;
    const owner = row.container ?? (dot > 0 ? row.qualifiedName.slice(0, dot) : "");
    return { ...row, family: file?.family, language: file?.language ?? "", owner };
  }

  private paths(): Map<string, FileNode> {
    if (this.filesByPath) return this.filesByPath;
    this.filesById = new Map();
    this.filesByPath = new Map();
    for (const row of this.store.files.stored() as FileRow[]) {
      const language = row.language ?? "";
      const file: FileNode = { id: row.id, path: row.path, language, family: familyOf(language) };
      this.filesById.set(file.id, file);
      this.filesByPath.set(file.path, file);
    }
    return this.filesByPath;
  }

  private baseNames(): Map<string, string[]> {
    this.names ??= grouped(this.paths().keys(), (path) => path.slice(path.lastIndexOf("/") + 1));
    return this.names;
  }

  private dirs(): Map<string, string[]> {
    this.folders ??= grouped(this.paths().keys(), (path) => path.slice(0, Math.max(0, path.lastIndexOf("/"))));
    return this.folders;
  }

  private declared() {
    if (this.packages) return this.packages;
    const byName = new Map<string, string[]>();
    const byPath = new Map<string, string>();
    for (const { path, module } of this.store.graph.packages()) {
      // A file may open several namespaces; the first is its own.
      if (!byPath.has(path)) byPath.set(path, module);
      const list = byName.get(module);
      if (!list) byName.set(module, [path]);
      else if (!list.includes(path)) list.push(path);
    }
    this.packages = { byName, byPath };
    return this.packages;
  }

  private filesDefining(name: string, family: Family): readonly string[] {
    const last = name.slice(name.lastIndexOf(".") + 1);
    const found = this.named(last).filter(
      (node) =>
        node.family === family &&
        (node.qualifiedName === name || (node.owner === "" && last === name) || topOfPackage(node, name)),
    );
    // Elixir names a module in full where it is defined.
    const whole = last === name ? [] : this.named(name).filter((node) => node.family === family);
    return [...new Set([...found, ...whole].map((node) => node.path))];
  }

  private inheritance() {
    if (this.parents && this.children) return { parents: this.parents, children: this.children };
    this.parents = new Map();
    this.children = new Map();
    for (const row of this.store.graph.allInherits()) {
      const last = row.parent.slice(row.parent.lastIndexOf(".") + 1);
      const qualifier = row.qualifier ?? (last === row.parent ? undefined : row.parent.slice(0, -last.length - 1));
      const parent: Parent = { name: last, qualifier, fileId: row.fileId, kind: row.kind, line: row.line };
      push(this.parents, row.child, parent);
      push(this.children, last, { name: row.child, fileId: row.fileId });
    }
    return { parents: this.parents, children: this.children };
  }
}

/** C# and PHP keep a type's namespace out of its qualified name, C++ and Ruby keep it in: both are "at the top". */
function topOfPackage(node: Node, name: string): boolean {
  return node.name === name && isType(node) && !node.parentId;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function grouped(paths: Iterable<string>, keyOf: (path: string) => string): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const path of paths) push(map, keyOf(path), path);
  return map;
}
