/**
 * A question to one or several projects: each index is brought up to date, asked, and the answers are merged. Scores
 * of two indexes do not compare, so each project's are taken relative to its own best, and the projects take turns
 * where they are level.
 */
import { basename } from "node:path";
import { openFresh } from "../index/freshness.ts";
import type { Store } from "../store/store.ts";
import { fitBudget } from "./budget.ts";
import { compileFilters, type FilterOptions } from "./filters.ts";
import { queryVector } from "./query-vector.ts";
import { type Hit, type Mode, search } from "./search.ts";
import { storeSource } from "./store-source.ts";

export interface AskOptions {
  readonly mode: Mode;
  readonly budgetTokens: number;
  readonly limit: number;
  readonly filters: FilterOptions;
}

export interface Answer {
  readonly hits: readonly AnsweredHit[];
  /** Sentences for stderr: what was stale, missing or mistaken. */
  readonly notes: readonly string[];
  /** Hits that were found and did not fit the budget. */
  readonly leftOut: number;
}

export interface AnsweredHit {
  /** The project's label, when several were asked. */
  readonly project: string | undefined;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string | undefined;
  readonly kind: string;
  readonly why: readonly string[];
  /** 1 is the best of its project. */
  readonly score: number;
  readonly text: string;
  readonly linesOmitted: number;
}

interface Found {
  readonly label: string;
  readonly hit: Hit;
  readonly text: string;
  readonly startLine: number;
  readonly symbol: string | undefined;
  readonly kind: string;
  readonly relative: number;
}

/** What finds the hits in one opened index. */
export type Finder = (store: Store, options: AskOptions) => Promise<{ hits: readonly Hit[]; note: string | undefined }>;

export function questionFinder(query: string): Finder {
  return async (store, options) => {
    const wantsVector = options.mode === "hybrid" || options.mode === "semantic";
    const { vector, note } = wantsVector ? await queryVector(store, query) : { vector: undefined, note: undefined };
    const keep = compileFilters(options.filters, () => languagesOf(store));
    const hits = search(storeSource(store), query, { mode: options.mode, limit: options.limit, keep, vector });
    return { hits, note };
  };
}

export function languagesOf(store: Store): string[] {
  return store.files.languages().flatMap((row) => row.language ?? []);
}

export async function ask(roots: readonly string[], find: Finder, options: AskOptions): Promise<Answer> {
  const labels = labelsOf(roots);
  const notes: string[] = [];
  const found: Found[] = [];
  for (const [at, root] of roots.entries()) {
    const fresh = await openFresh(root);
    try {
      const label = labels[at] ?? root;
      const name = roots.length > 1 ? `${label}: ` : "";
      notes.push(...fresh.configProblems.map((problem) => name + problem));
      if (fresh.stale !== undefined) notes.push(name + fresh.stale);
      const { hits, note } = await find(fresh.store, options);
      if (note !== undefined) notes.push(name + note);
      const best = hits[0]?.score || 1;
      for (const hit of hits)
        found.push({
          label,
          hit,
          ...placeOf(hit, fresh.store.chunks.text(hit.head.id) ?? ""),
          relative: hit.score / best,
        });
    } finally {
      fresh.store.close();
    }
  }
  // Stable: level hits keep the order of the projects, and each project its own order.
  const ranked = found.sort((a, b) => b.relative - a.relative).slice(0, options.limit);
  const shown = fitBudget(
    ranked.map((one) => one.text),
    options.budgetTokens,
  );
  const hits = shown.map((part, at): AnsweredHit => {
    const { label, hit, relative, startLine, symbol, kind } = ranked[at] as Found;
    return {
      project: roots.length > 1 ? label : undefined,
      path: hit.head.path,
      startLine,
      endLine: hit.head.endLine,
      symbol,
      kind,
      why: hit.reasons,
      score: Math.round(relative * 1000) / 1000,
      ...part,
    };
  });
  return { hits, notes, leftOut: ranked.length - hits.length };
}

/** A chunk that was found for a definition inside it is shown from that definition on. */
function placeOf({ head, definition }: Hit, text: string): Pick<Found, "text" | "startLine" | "symbol" | "kind"> {
  const { startLine, symbol, kind } = head;
  if (!definition || definition.startLine <= startLine || definition.startLine > head.endLine)
    return { text, startLine, symbol, kind };
  return {
    text: text
      .split("\n")
      .slice(definition.startLine - startLine)
      .join("\n"),
    startLine: definition.startLine,
    symbol: definition.qualifiedName,
    kind: definition.kind,
  };
}

/** The folder's name, with the one above it where two are alike. */
function labelsOf(roots: readonly string[]): string[] {
  const names = roots.map((root) => basename(root));
  return roots.map((root, at) => {
    const name = names[at] ?? root;
    return names.indexOf(name) === names.lastIndexOf(name) ? name : root.split(/[\\/]/).slice(-2).join("/");
  });
}
