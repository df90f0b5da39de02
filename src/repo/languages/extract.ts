/**
 * One parse of a file: its symbols, imports, references and inheritance, from one tree.
 *
 * A parse that takes too long, or that crashes inside the grammar, is an answer (`gaveUp`), never an exception.
 */
import type { LanguageDefinition } from "./definition.ts";
import { collect } from "./engine/collect.ts";
import { shapeEdges } from "./engine/edges.ts";
import { flatten } from "./engine/flatten.ts";
import { indexLines } from "./engine/lines.ts";
import { type LoadedGrammar, loadedGrammar, loadGrammarOf, queryFor, renewParser, runtime } from "./engine/runtime.ts";
import { shapeSymbols } from "./engine/shape.ts";
import { languages } from "./registry.ts";
import type { Extraction, ExtractOptions, LanguageId, SourceSymbol } from "./types.ts";

export type * from "./types.ts";

const defaultTimeLimitMs = 1000;

/** What the runtime takes of a text at a time: a buffer of 10 KB, in UTF-16. */
const CHUNK_CHARS = 5120;

/** Loads the grammar when there is one; after it, `extractSync` of that language parses. */
export async function loadGrammar(id: LanguageId): Promise<void> {
  await Promise.all([id, ...(languages.get(id)?.embeds ?? [])].map(loadGrammarOf));
}

export function isGrammarLoaded(id: LanguageId): boolean {
  return languages.get(id)?.grammar === undefined || loadedGrammar(id) !== undefined;
}

/** The language that a text of this extension really is: a `.h` file full of classes is C++. */
export function dialectOf(id: LanguageId, text: string): LanguageId {
  return languages.get(id)?.dialect?.(text) ?? id;
}

export async function extract(id: LanguageId, text: string, options: ExtractOptions = {}): Promise<Extraction> {
  const dialect = dialectOf(id, text);
  await loadGrammar(dialect);
  return extractSync(dialect, text, options);
}

/** The same without waiting: a language whose grammar is not loaded yet is read by lines, or not at all. */
export function extractSync(id: LanguageId, text: string, options: ExtractOptions = {}): Extraction {
  const definition = languages.get(id);
  if (definition === undefined || text === "") return nothing();
  const grammar = loadedGrammar(id);
  if (grammar === undefined) return byLines(definition, text);
  try {
    const extraction = parse(definition, grammar, text, options);
    if (extraction && definition.embedded) return withEmbedded(definition, text, extraction, options);
    return extraction ?? byLines(definition, text, "the parser stopped early");
  } catch (error) {
    renewParser();
    const reason = error instanceof Error ? error.message : String(error);
    return byLines(definition, text, `the parser failed: ${reason.split("\n")[0]}`);
  }
}

/** Adds what the script blocks of a page or component hold: each is read in place, all else blanked out. */
function withEmbedded(
  definition: LanguageDefinition,
  text: string,
  extraction: Extraction,
  options: ExtractOptions,
): Extraction {
  const all = { ...extraction };
  for (const { language, start, end } of definition.embedded?.(text) ?? []) {
    if (!isGrammarLoaded(language)) continue;
    const blanked = text.slice(0, start).replace(/[^\n]/g, " ") + text.slice(start, end);
    const inner = extractSync(language, blanked, options);
    const from = all.symbols.length;
    const shift = (index: number | undefined) => (index === undefined ? undefined : index + from);
    all.symbols = [...all.symbols, ...inner.symbols.map((symbol) => ({ ...symbol, parent: shift(symbol.parent) }))];
    all.imports = [...all.imports, ...inner.imports];
    all.references = [...all.references, ...inner.references.map((one) => ({ ...one, inSymbol: shift(one.inSymbol) }))];
    all.inherits = [...all.inherits, ...inner.inherits.map((one) => ({ ...one, inSymbol: shift(one.inSymbol) }))];
  }
  return inPlaceOrder(all);
}

/** Symbols sorted by place again, with every index that points at one. */
function inPlaceOrder(extraction: Extraction): Extraction {
  const { symbols } = extraction;
  const order = symbols.map((_, i) => i);
  const lines = (i: number) => symbols[i] ?? { startLine: 0, endLine: 0 };
  order.sort((a, b) => lines(a).startLine - lines(b).startLine || lines(b).endLine - lines(a).endLine || a - b);
  const place = new Map(order.map((from, to) => [from, to]));
  const moved = (index: number | undefined) => (index === undefined ? undefined : place.get(index));
  return {
    ...extraction,
    symbols: order.flatMap((i) => symbols[i] ?? []).map((symbol) => ({ ...symbol, parent: moved(symbol.parent) })),
    references: extraction.references.map((one) => ({ ...one, inSymbol: moved(one.inSymbol) })),
    inherits: extraction.inherits.map((one) => ({ ...one, inSymbol: moved(one.inSymbol) })),
  };
}

function parse(
  definition: LanguageDefinition,
  grammar: LoadedGrammar,
  text: string,
  options: ExtractOptions,
): Extraction | undefined {
  const current = runtime();
  if (current === undefined) return undefined;
  const refusal = definition.refuses?.(text);
  if (refusal !== undefined) return byLines(definition, text, refusal);
  const withEdges = options.edges !== false && definition.level === "edges";
  const query = queryFor(definition.id, grammar, withEdges);
  const limit = options.timeLimitMs ?? defaultTimeLimitMs;
  const shouldStop = deadline(limit, options.now);
  const { parser } = current;
  parser.setLanguage(grammar.language);
  // The declared type says void; the runtime reads the answer.
  const progressCallback = shouldStop as unknown as (state: unknown) => void;
  // A lexer that reads on to the end of the file at each of its characters asks for progress at none of them, but it
  // has to ask for text: when the time is over, the text is over too.
  const read = (index: number) => (shouldStop() ? undefined : text.slice(index, index + CHUNK_CHARS));
  const tree = parser.parse(read, null, { progressCallback });
  if (tree === null) {
    parser.reset();
    return byLines(definition, text, `parse took longer than ${limit} ms`);
  }
  try {
    if (shouldStop()) return byLines(definition, text, `parse took longer than ${limit} ms`);
    const flat = flatten(current.module, tree, grammar.tables, query.matcher.set.anonymous, shouldStop);
    const collected = flat && collect(flat, query, text, shouldStop);
    if (collected === undefined) return byLines(definition, text, `reading the tree took longer than ${limit} ms`);
    const lines = indexLines(text);
    const { symbols, placed } = shapeSymbols(text, collected, lines, definition);
    const edges = withEdges ? shapeEdges(text, collected, symbols, placed, lines, definition) : noEdges();
    const extraction: Extraction = { symbols, ...edges, parsed: "ast" };
    if (tree.rootNode.hasError) {
      extraction.hasErrors = true;
      return withLines(definition, text, extraction);
    }
    return extraction;
  } finally {
    tree.delete();
  }
}

/**
 * Says when the time is over: the limit is one of computing time, so that a busy machine does not lose symbols;
 * ten times as much by the clock ends it whatever was computed.
 */
function deadline(limitMs: number, now: () => number = performance.now.bind(performance)): () => boolean {
  const started = now();
  const computed = threadTimeMs();
  let isLate = false;
  return () => {
    if (isLate) return true;
    const passed = now() - started;
    if (passed <= limitMs) return false;
    isLate = passed > limitMs * 10 || threadTimeMs() - computed > limitMs;
    return isLate;
  };
}

/** What this thread has computed; the clock where the system doesn't tell. */
function threadTimeMs(): number {
  try {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  } catch {
    return performance.now();
  }
}

/** Where a grammar stumbles over a dialect, what lines can tell is added: nothing is found twice. */
function withLines(definition: LanguageDefinition, text: string, extraction: Extraction): Extraction {
  if (definition.lines === undefined || definition.level === "lines") return extraction;
  const known = new Set(extraction.symbols.map((symbol) => symbol.startLine));
  const found = definition.lines(text).filter((symbol) => !known.has(symbol.startLine));
  if (found.length === 0) return extraction;
  return inPlaceOrder({ ...extraction, symbols: [...extraction.symbols, ...found] });
}

function byLines(definition: LanguageDefinition, text: string, gaveUp?: string): Extraction {
  const symbols: SourceSymbol[] = definition.lines?.(text) ?? [];
  const extraction: Extraction = { symbols, ...noEdges(), parsed: definition.lines ? "lines" : "none" };
  if (gaveUp !== undefined) extraction.gaveUp = gaveUp;
  return extraction;
}

function noEdges(): Pick<Extraction, "imports" | "references" | "inherits"> {
  return { imports: [], references: [], inherits: [] };
}

function nothing(): Extraction {
  return { symbols: [], ...noEdges(), parsed: "none" };
}
