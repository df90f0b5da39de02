/**
 * `context` and `explore`: what an agent should read for a task, in one answer inside a strict budget. One list of hits
 * from names, words and meaning is widened by the graph (who calls them, what they call), then told in three parts:
 * entry points, how they hang together, and source, grouped by file. Whatever is left out is counted.
 */
import { redactCredentials } from "../../platform/redact.ts";
import { isTestPath } from "../graph/blast.ts";
import type { Graph } from "../graph/graph.ts";
import type { Node } from "../graph/universe.ts";
import { BudgetedText, type Part } from "./budget.ts";
import type { Note } from "./memory.ts";
import { isSecretFile } from "./secret-files.ts";

export const CONTEXT_MODES = ["plan", "debug", "audit", "security", "review"] as const;
export type ContextMode = (typeof CONTEXT_MODES)[number];

/** A place that search found, best first. */
export interface Place {
  readonly chunk: number;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string | undefined;
  readonly score: number;
  readonly why: string;
}

export interface ContextOptions {
  readonly mode: ContextMode;
  readonly budgetTokens: number;
  readonly maxFiles: number;
  /** `explore`: more of the relationships, less of the source. */
  readonly explore: boolean;
  readonly notes: readonly Note[];
  /** Files of an uncommitted change; reviewed first. */
  readonly changed: ReadonlySet<string>;
  /** The question is one name that nothing bears: the names near to it. */
  readonly missing?: readonly string[] | undefined;
}

export interface Context {
  readonly text: string;
  readonly tokens: number;
  readonly files: readonly string[];
  readonly leftOut: number;
  readonly breakdown: readonly Part[];
}

/** Shares of the budget: the list of entry points, the map of relationships; source takes what is left. */
const SHARES: Readonly<Record<ContextMode, { entries: number; map: number }>> = {
  plan: { entries: 0.4, map: 0.2 },
  debug: { entries: 0.25, map: 0.25 },
  audit: { entries: 0.4, map: 0.15 },
  security: { entries: 0.35, map: 0.2 },
  review: { entries: 0.3, map: 0.3 },
};

/** Neighbours of the best hits only: a step from the twentieth leads anywhere. */
const WIDENED = 6;
const NEIGHBOURS = 8;
const MAP_LINES = 40;

export function makeContext(graph: Graph, question: string, found: readonly Place[], options: ContextOptions): Context {
  const share = SHARES[options.mode];
  const out = new BudgetedText(options.budgetTokens, Math.min(60, Math.floor(options.budgetTokens / 5)));
  const hits = ordered(
    found.filter((hit) => !isSecretFile(hit.path)),
    options,
  );
  const symbols = hits.slice(0, WIDENED).flatMap((hit) => symbolOf(graph, hit) ?? []);
  const relations = relationships(graph, symbols, options.explore ? NEIGHBOURS * 3 : NEIGHBOURS);
  const places = widened(hits, relations, options);

  out.section("head").add(`# ${question.replaceAll("\n", " ").slice(0, 120)}`);
  if (options.missing) {
    const near = options.missing.length > 0 ? ` (near: ${options.missing.join(", ")})` : "";
    const rest = hits.length > 0 ? "What follows was found by words and meaning." : "Nothing else was found.";
    out.add(`There is no symbol '${question.trim().slice(0, 120)}'${near}. ${rest}`.slice(0, 240));
  }
  if (options.notes.length > 0)
    out.section("notes").addLines(["Notes:", ...options.notes.map((note) => `- ${note.text.replaceAll("\n", " ")}`)]);

  const files = new Set<string>();
  const entriesEnd = out.tokens + Math.floor(options.budgetTokens * share.entries);
  out.section("entry points").add("Entry points:");
  let listed = 0;
  for (const place of places) {
    if (files.size >= options.maxFiles && !files.has(place.path)) continue;
    const line = `- ${place.path}:${place.startLine}-${place.endLine}${place.symbol ? ` ${place.symbol}` : ""}  (${place.why})`;
    if (out.tokens + line.length / 4 > entriesEnd || !out.add(line)) break;
    files.add(place.path);
    listed++;
  }
  const told = relations.map(relationLine);
  const mapEnd = out.tokens + Math.floor(options.budgetTokens * share.map * (options.explore ? 1.6 : 1));
  let mapped = 0;
  if (told.length > 0 && out.section("relationships").add("Relationships:"))
    for (const line of told.slice(0, MAP_LINES)) {
      if (out.tokens + line.length / 4 > mapEnd || !out.add(line)) break;
      mapped++;
    }
  const shown = addSource(
    out.section("source"),
    graph,
    places.filter((place) => files.has(place.path)),
  );
  const left = [
    places.length > listed ? `${places.length - listed} more places` : "",
    told.length > mapped ? `${told.length - mapped} more relationships` : "",
    shown < listed ? `source of ${listed - shown} places` : "",
  ].filter(Boolean);
  out
    .section("close")
    .close(
      left.length > 0
        ? `Left out: ${left.join(", ")}. More: --budget N, tokenix read PATH --lines A-B, tokenix callers NAME`
        : "Nothing was left out.",
    );
  return {
    text: out.toString(),
    tokens: out.tokens,
    files: [...files],
    leftOut: places.length - listed,
    breakdown: out.breakdown(),
  };
}

/** A review looks at what changed first, a hunt for a fault at code before its tests, an audit at all alike. */
function ordered(hits: readonly Place[], { mode, changed }: ContextOptions): readonly Place[] {
  const weight = (hit: Place): number => {
    let score = hit.score;
    if (changed.has(hit.path)) score *= mode === "review" ? 3 : 1.2;
    if (isTestPath(hit.path) && mode !== "review") score *= 0.8;
    return score;
  };
  return [...hits].sort((a, b) => weight(b) - weight(a));
}

interface Relation {
  readonly from: Node | undefined;
  readonly fromPath: string;
  readonly line: number;
  readonly to: Node;
  readonly isGuess: boolean;
}

function symbolOf(graph: Graph, place: Place): Node | undefined {
  const file = graph.universe.fileAt(place.path);
  if (!file?.family) return undefined;
  const nodes = graph.universe.symbolsOf(file.id);
  const named = nodes.find(
    (node) => node.qualifiedName === place.symbol && node.endLine >= place.startLine && node.startLine <= place.endLine,
  );
  return named ?? nodes.find((node) => node.startLine >= place.startLine && node.startLine <= place.endLine);
}

function relationships(graph: Graph, symbols: readonly Node[], each: number): Relation[] {
  const found = new Map<string, Relation>();
  const add = (relation: Relation): void => {
    const key = `${relation.from?.id ?? relation.fromPath}>${relation.to.id}`;
    if (!found.has(key)) found.set(key, relation);
  };
  for (const symbol of symbols) {
    const callers = graph.dependents([symbol], { callsOnly: true }).filter((one) => one.certainty !== "ambiguous");
    for (const one of callers.slice(0, each))
      add({
        from: one.node,
        fromPath: one.path,
        line: one.line,
        to: symbol,
        isGuess: one.certainty !== "resolved" || one.isPossible,
      });
    const callees = graph.callees(symbol).filter((one) => one.node && one.certainty !== "ambiguous");
    for (const one of callees.slice(0, each))
      if (one.node)
        add({
          from: symbol,
          fromPath: symbol.path,
          line: one.line,
          to: one.node,
          isGuess: one.certainty !== "resolved" || one.isPossible,
        });
  }
  return [...found.values()].sort((a, b) => Number(a.isGuess) - Number(b.isGuess));
}

function relationLine({ from, fromPath, line, to, isGuess }: Relation): string {
  return `- ${from?.qualifiedName ?? "(top of file)"} (${fromPath}:${line}) → ${to.qualifiedName} (${to.path}:${to.startLine})${isGuess ? "  guess" : ""}`;
}

/** The hits, then the places that the graph leads to and search did not find. */
function widened(hits: readonly Place[], relations: readonly Relation[], options: ContextOptions): readonly Place[] {
  const seen = new Set(hits.map((hit) => hit.path));
  const extra: Place[] = [];
  for (const { from, to, isGuess } of relations)
    for (const node of [from, to]) {
      if (!node || isGuess || seen.has(node.path) || isSecretFile(node.path)) continue;
      seen.add(node.path);
      extra.push({
        chunk: node.chunkId,
        path: node.path,
        startLine: node.startLine,
        endLine: node.endLine,
        symbol: node.qualifiedName,
        score: 0,
        why: "graph",
      });
    }
  // Between the best hits and the long tail: a neighbour of the best says more than the twentieth by words.
  const head = options.explore ? 5 : 8;
  return [
    ...hits.slice(0, head),
    ...extra.slice(0, options.explore ? 12 : 4),
    ...hits.slice(head),
    ...extra.slice(options.explore ? 12 : 4),
  ];
}

/** Source by file, in the order of the places; a chunk whole, or its first lines with a count of the rest. */
function addSource(out: BudgetedText, graph: Graph, places: readonly Place[]): number {
  let shown = 0;
  const byFile = new Map<string, Place[]>();
  for (const place of places) {
    const list = byFile.get(place.path);
    if (list) list.push(place);
    else byFile.set(place.path, [place]);
  }
  for (const [path, list] of byFile) {
    if (out.left < 30) break;
    let opened = false;
    for (const place of list.sort((a, b) => a.startLine - b.startLine)) {
      const text = graph.store.chunks.text(place.chunk);
      if (text === undefined) continue;
      const body = redactCredentials(text.replace(/\n+$/, ""));
      const head = `${opened ? "" : `\n## ${path}\n`}@ ${place.startLine}-${place.endLine}`;
      if (out.add(`${head}\n${body}`)) {
        opened = true;
        shown++;
        continue;
      }
      const cut = firstLines(body, out.left * 4 - head.length - 40);
      if (cut && out.add(`${head}\n${cut}`)) shown++;
      return shown;
    }
  }
  return shown;
}

function firstLines(text: string, characters: number): string | undefined {
  if (characters < 80) return undefined;
  const lines = text.split("\n");
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > characters) break;
    kept.push(line);
  }
  return kept.length < 2 ? undefined : `${kept.join("\n")}\n… ${lines.length - kept.length} more lines`;
}
