/**
 * Edges between symbols, asked for one hop at a time: callers by the name index, callees by the symbol's own
 * references. Nothing is kept between questions, so there is no graph that could be older than the files.
 */
import type { ReferenceRow } from "../store/graph.ts";
import type { Store } from "../store/store.ts";
import { renamedExports } from "./exports.ts";
import { type Certainty, Resolver } from "./resolve.ts";
import { isType, type Node, Universe } from "./universe.ts";

export type EdgeKind = "call" | "new" | "type" | "value" | "decorator" | "macro" | "inherit";

/** Somebody who depends on a symbol: another symbol, or the top of a file. */
export interface Dependent {
  readonly node: Node | undefined;
  readonly path: string;
  readonly line: number;
  readonly kind: EdgeKind;
  readonly certainty: Exclude<Certainty, "external">;
  /** True for what may run behind an interface or instead of an overridden method. */
  readonly isPossible: boolean;
}

export interface Callee {
  readonly name: string;
  readonly node: Node | undefined;
  /** Outside the project: what it is, when that is known. */
  readonly external: string | undefined;
  readonly line: number;
  readonly kind: EdgeKind;
  readonly certainty: Certainty;
  readonly isPossible: boolean;
}

/** Kinds of use that count as a call; the others are dependencies all the same. */
export const CALL_KINDS: ReadonlySet<string> = new Set(["call", "new", "macro", "decorator"]);

export class Graph {
  readonly universe: Universe;
  readonly resolver: Resolver;
  private readonly aliasCache = new Map<string, readonly string[]>();
  private modulesUnderOneName: readonly { readonly module: string; readonly names: string }[] | undefined;

  constructor(readonly store: Store) {
    this.universe = new Universe(store);
    this.resolver = new Resolver(this.universe);
  }

  /** Every use of these symbols (one thing: overloads, a declaration with its definition), sorted by place. */
  dependents(symbols: readonly Node[], options: { callsOnly?: boolean; inherits?: boolean } = {}): Dependent[] {
    const wanted = new Set(symbols.map((node) => node.id));
    const found = new Map<string, Dependent>();
    for (const name of this.namesFor(symbols))
      for (const reference of this.store.graph.referencesTo(name)) {
        if (options.callsOnly && !CALL_KINDS.has(reference.kind)) continue;
        const hit = this.hit(reference, wanted);
        if (hit) remember(found, reference, hit, this.enclosing(reference));
      }
    if (options.inherits !== false && !options.callsOnly)
      for (const one of this.heirs(symbols)) found.set(`${one.path}:${one.line}:inherit`, one);
    return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  }

  /** What a symbol uses, itself and in what is nested in it, in the order of the text. */
  callees(symbol: Node, options: { callsOnly?: boolean } = {}): Callee[] {
    const found: Callee[] = [];
    const seen = new Set<string>();
    for (const reference of this.referencesIn(symbol)) {
      if (options.callsOnly !== false && !CALL_KINDS.has(reference.kind)) continue;
      const { certainty, targets, possible, external } = this.resolver.resolve(reference);
      const add = (node: Node | undefined, isPossible: boolean): void => {
        const key = node ? `${node.id}` : `${external ?? ""}.${reference.name}`;
        if (seen.has(key) || node?.id === symbol.id) return;
        seen.add(key);
        const written = reference.qualifier ? `${reference.qualifier}.${reference.name}` : reference.name;
        found.push({
          name: node?.qualifiedName ?? written,
          node,
          external: node ? undefined : external,
          line: reference.line,
          kind: reference.kind as EdgeKind,
          certainty: isPossible ? "inferred" : certainty,
          isPossible,
        });
      };
      if (targets.length === 0) add(undefined, false);
      for (const node of targets) add(node, false);
      for (const node of possible) add(node, true);
    }
    return found;
  }

  /** References of a symbol and of all that is nested in it. */
  referencesIn(symbol: Node): readonly ReferenceRow[] {
    const inside = new Set<number>([symbol.id]);
    const nodes = this.universe.symbolsOf(symbol.fileId);
    for (const node of nodes) if (node.parentId !== null && inside.has(node.parentId)) inside.add(node.id);
    return this.store.graph
      .referencesOfFile(symbol.fileId)
      .filter((row) => row.symbolId !== null && inside.has(row.symbolId));
  }

  enclosing(reference: { readonly fileId: number; readonly symbolId: number | null }): Node | undefined {
    if (reference.symbolId === null) return undefined;
    return this.universe.symbolsOf(reference.fileId).find((node) => node.id === reference.symbolId);
  }

  private hit(
    reference: ReferenceRow,
    wanted: ReadonlySet<number>,
  ): { certainty: Exclude<Certainty, "external">; isPossible: boolean } | undefined {
    const { certainty, targets, possible } = this.resolver.resolve(reference);
    if (certainty !== "external" && targets.some((node) => wanted.has(node.id)))
      return { certainty, isPossible: false };
    if (possible.some((node) => wanted.has(node.id))) return { certainty: "inferred", isPossible: true };
    return undefined;
  }

  /** The names that the symbols can be called by: their own, what imports call them, and their class for a constructor. */
  private namesFor(symbols: readonly Node[]): ReadonlySet<string> {
    const names = new Set<string>();
    for (const symbol of symbols) {
      names.add(symbol.name);
      for (const alias of this.aliases(symbol.name)) names.add(alias);
      if (symbol.family === "ecma" && symbol.owner === "") {
        for (const alias of this.aliases("default")) names.add(alias);
        for (const alias of this.aliasesOfModule(symbol.path)) names.add(alias);
        for (const [offered, local] of renamedExports(this.universe, symbol.path))
          if (local === symbol.name) {
            names.add(offered);
            for (const alias of this.aliases(offered)) names.add(alias);
          }
      }
      if (
        symbol.kind === "constructor" ||
        symbol.name === "__init__" ||
        symbol.name === "initialize" ||
        symbol.name === "init"
      ) {
        const owner = symbol.owner.slice(symbol.owner.lastIndexOf(".") + 1);
        if (owner !== "") names.add(owner);
        names.add("new");
      }
      if (isType(symbol)) names.add("new");
    }
    return names;
  }

  /** What imports call a symbol of this name instead. Kept for the question: it is a scan of all imports. */
  private aliases(name: string): readonly string[] {
    let found = this.aliasCache.get(name);
    if (!found) {
      const rows = this.store.graph.aliasesOf(name);
      found = rows.flatMap((row) =>
        (JSON.parse(row.names) as { name: string; alias?: string }[]).flatMap((one) =>
          one.name === name && one.alias !== undefined ? [one.alias] : [],
        ),
      );
      this.aliasCache.set(name, found);
    }
    return found;
  }

  /** What `require` calls a whole module that may be this file: told by the last part of its name, settled by the resolver. */
  private aliasesOfModule(path: string): readonly string[] {
    const [stem = "", folder] = path
      .replace(/\.\w+$/, "")
      .split("/")
      .reverse();
    this.modulesUnderOneName ??= this.store.graph.aliasesOf("*").filter((row) => row.kind === "module");
    return this.modulesUnderOneName.flatMap(({ module, names }) => {
      const last = module.slice(module.lastIndexOf("/") + 1).replace(/\.[cm]?[jt]sx?$/, "");
      if (last !== stem && !(stem === "index" && (last === folder || /^\.*$/.test(last)))) return [];
      return (JSON.parse(names) as { alias?: string }[]).flatMap(({ alias }) => (alias === undefined ? [] : [alias]));
    });
  }

  /** Types that inherit from one of the symbols. */
  private *heirs(symbols: readonly Node[]): Generator<Dependent> {
    for (const symbol of symbols.filter(isType))
      for (const row of this.store.graph.inheritsNaming(symbol.name)) {
        const file = this.universe.file(row.fileId);
        if (!file || file.family !== symbol.family) continue;
        const written = row.qualifier && !row.parent.includes(".") ? `${row.qualifier}.${row.parent}` : row.parent;
        const { certainty, targets } = this.resolver.typesNamed(written, file, undefined);
        if (certainty === "external" || !targets.some((node) => node.id === symbol.id)) continue;
        yield {
          node: this.enclosing(row),
          path: row.path,
          line: row.line,
          kind: "inherit",
          certainty,
          isPossible: false,
        };
      }
  }
}

const STRENGTH = { resolved: 2, ambiguous: 0, inferred: 1 } as const;

/** One line an enclosing symbol, place and kind of use; the surest word stands. */
function remember(
  found: Map<string, Dependent>,
  reference: ReferenceRow,
  hit: { certainty: Exclude<Certainty, "external">; isPossible: boolean },
  node: Node | undefined,
): void {
  const key = `${reference.path}:${reference.line}:${node?.id ?? 0}`;
  const before = found.get(key);
  if (before && STRENGTH[before.certainty] >= STRENGTH[hit.certainty]) return;
  found.set(key, { node, path: reference.path, line: reference.line, kind: reference.kind as EdgeKind, ...hit });
}
