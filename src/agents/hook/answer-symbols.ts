/** Where a name is defined, by the symbol table; near names when nothing has that very name. */
import { nearest } from "../../platform/nearest.ts";
import type { SymbolRow } from "../../repo/store/records.ts";
import type { Store } from "../../repo/store/store.ts";
import { isUnchanged } from "./answer-file.ts";
import type { Answered } from "./repo-answers.ts";

const MOST_HITS = 20;
/** Looking for a near name reads every name; a repository with more of them is not searched that way. */
const MOST_NAMES = 200_000;

export function symbolsFrom(store: Store, pattern: string): Answered | undefined {
  const name = pattern.split(/\.|::|#|->/).pop() ?? pattern;
  let rows = store.graph.symbolsNamed(name);
  let lead = "";
  if (rows.length === 0) {
    const near = nearName(store, name);
    if (near === undefined) return undefined;
    rows = store.graph.symbolsNamed(near, true);
    lead = `nothing is named ${name}; near is ${near}:\n`;
  }
  const fresh = freshOnes(store, rows);
  if (fresh.length === 0) return undefined;
  const shown = fresh.slice(0, MOST_HITS);
  const lines = shown.map(({ path, startLine, endLine, kind, signature }) => {
    const text = signature.replace(/\s+/g, " ").trim().slice(0, 160);
    return `${path}:${startLine}-${endLine}: ${text.includes(kind) ? "" : `${kind} `}${text}`;
  });
  if (fresh.length > shown.length) lines.push(`[${fresh.length - shown.length} more: tokenix symbols ${name}]`);
  return { text: lead + lines.join("\n"), hits: fresh.length };
}

function nearName(store: Store, name: string): string | undefined {
  if (store.graph.symbolCount() > MOST_NAMES) return undefined;
  return nearest(name, store.graph.symbolNames());
}

function freshOnes(store: Store, rows: readonly SymbolRow[]): SymbolRow[] {
  const known = new Map<number, boolean>();
  return rows.filter(({ fileId }) => {
    let fresh = known.get(fileId);
    if (fresh === undefined) {
      const file = store.files.byId(fileId);
      fresh = file !== undefined && isUnchanged(store, file);
      known.set(fileId, fresh);
    }
    return fresh;
  });
}
