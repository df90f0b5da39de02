/** Definitions by name, and near names when there is none. Never answers for another name. */
import { nearest } from "../../platform/nearest.ts";
import { dottedName, isOneName } from "../graph/spelling.ts";
import type { SymbolRow } from "../store/records.ts";
import type { Store } from "../store/store.ts";

export interface FoundSymbols {
  /** Exact spelling first, then other letter cases; by path and line within each. */
  readonly symbols: readonly SymbolRow[];
  /** Names that exist and look like it; only when `symbols` is empty. */
  readonly near: readonly string[];
}

const NEAR_NAMES = 5;

/** `name`, `Class.name`, `Class::name`, `Class#name` and `Class.prototype.name` are all understood. */
export function findSymbols(
  store: Store,
  name: string,
  options: { kind?: string | undefined; file?: string | undefined } = {},
): FoundSymbols {
  const parts = dottedName(name).split(/[./]/).filter(Boolean);
  const last = parts[parts.length - 1] ?? name;
  const container = parts.slice(0, -1).join(".").toLowerCase();
  const matches = (row: SymbolRow) => {
    if (options.kind !== undefined && row.kind !== options.kind) return false;
    if (options.file !== undefined && !row.path.includes(options.file)) return false;
    if (container === "") return true;
    const qualified = row.qualifiedName.toLowerCase();
    const owner = row.container?.toLowerCase();
    const ending = `${container}.${last.toLowerCase()}`;
    return qualified === ending || qualified.endsWith(`.${ending}`) || owner === container;
  };
  // A name may itself hold a separator (headings, selectors), so the whole is tried as well.
  const whole = parts.length > 1 || last !== name ? store.graph.symbolsNamed(name, true) : [];
  const symbols = [...whole, ...store.graph.symbolsNamed(last).filter(matches)];
  const exact = symbols.filter((row) => row.name === last || row.name === name);
  const others = symbols.filter((row) => row.name !== last && row.name !== name);
  if (symbols.length > 0) return { symbols: [...exact, ...others], near: [] };
  return { symbols: [], near: nearNames(store, last) };
}

/**
 * For what is asked by one name that nothing bears: neither a symbol nor a file.
 * @returns the names near to it, undefined for a question or a name that exists.
 */
export function missingName(store: Store, text: string): readonly string[] | undefined {
  if (!isOneName(text)) return undefined;
  const found = findSymbols(store, text.trim());
  if (found.symbols.length > 0) return undefined;
  const wanted = text.trim().toLowerCase();
  for (const { path } of store.files.all()) {
    const base = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    if (base === wanted || base.replace(/\.[^.]+$/, "") === wanted) return undefined;
  }
  return found.near;
}

function nearNames(store: Store, name: string): string[] {
  const { holding, near: slips } = store.graph.namesLike(name, 2, NEAR_NAMES);
  const inside = store.graph.namesInside(name, 4);
  const near = [...holding, ...inside]
    .map((one) => ({ one, folded: one.toLowerCase() }))
    .sort((a, b) => (a.folded < b.folded ? -1 : a.folded > b.folded ? 1 : 0))
    .slice(0, NEAR_NAMES)
    .map(({ one }) => one);
  const best = nearest(name, new Set(slips).difference(new Set(near)));
  if (best !== undefined) near.unshift(best);
  return near.slice(0, NEAR_NAMES);
}
