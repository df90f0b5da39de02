/** Where a name is defined, by the symbol table; near names when nothing has that very name. */
import { firstOf, kept, mapped } from "../../platform/lists.ts";
import { isOneSlip, nearest } from "../../platform/nearest.ts";
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
  const lines = mapped(shown, ({ path, startLine, endLine, kind, signature }) => {
    const text = signature.replace(/\s+/g, " ").trim().slice(0, 160);
    return `${path}:${startLine}-${endLine}: ${text.includes(kind) ? "" : `${kind} `}${text}`;
  });
  if (fresh.length > shown.length) lines.push(`[${fresh.length - shown.length} more: tokenix symbols ${name}]`);
  return { text: lead + lines.join("\n"), hits: fresh.length };
}

/** A slip of the fingers or two; what is farther away is another name. */
const MOST_SLIPS = 2;

function nearName(store: Store, name: string): string | undefined {
  // What most slips are is found among few names.
  const begun = firstOf(store.graph.namesBeginningNear(name), (one) => isOneSlip(name, one));
  if (begun !== undefined) return begun;
  if (store.graph.symbolCount() > MOST_NAMES) return undefined;
  // Counting letters is a tenth of the cost of comparing words, and leaves a handful.
  const isClose = closeTo(name);
  return nearest(name, store.graph.namesNear(name, MOST_SLIPS).filter(isClose));
}

/** Tells names whose letters, in any order, are all but the same. */
function closeTo(wanted: string): (name: string) => boolean {
  const counts = new Int16Array(128);
  const add = (text: string, at: number, by: number): number => {
    const place = slot(text, at);
    const before = counts[place] ?? 0;
    counts[place] = before + by;
    return before;
  };
  for (let at = 0; at < wanted.length; at++) add(wanted, at, 1);
  return (name) => {
    let common = 0;
    for (let at = 0; at < name.length; at++) if (add(name, at, -1) > 0) common++;
    for (let at = 0; at < name.length; at++) add(name, at, 1);
    return wanted.length + name.length - 2 * common <= 2 * MOST_SLIPS;
  };
}

/** Letters are counted without their case, and everything outside ASCII as one. */
function slot(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90 ? code + 32 : Math.min(code, 127);
}

function freshOnes(store: Store, rows: readonly SymbolRow[]): SymbolRow[] {
  const known = new Map<number, boolean>();
  return kept(rows, ({ fileId }) => {
    let fresh = known.get(fileId);
    if (fresh === undefined) {
      const file = store.files.byId(fileId);
      fresh = file !== undefined && isUnchanged(store, file);
      known.set(fileId, fresh);
    }
    return fresh;
  });
}
