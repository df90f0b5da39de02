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

/** Loads the grammar when there is one; after it, `extractSync` of that language parses. */
export async function loadGrammar(id: LanguageId): Promise<void> {
  await loadGrammarOf(id);
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
    return parse(definition, grammar, text, options) ?? byLines(definition, text, "the parser stopped early");
  } catch (error) {
    renewParser();
    const reason = error instanceof Error ? error.message : String(error);
    return byLines(definition, text, `the parser failed: ${reason.split("\n")[0]}`);
  }
}

function parse(
  definition: LanguageDefinition,
  grammar: LoadedGrammar,
  text: string,
  options: ExtractOptions,
): Extraction | undefined {
  const current = runtime();
  if (current === undefined) return undefined;
  const withEdges = options.edges !== false && definition.level === "edges";
  const query = queryFor(definition.id, grammar, withEdges);
  const limit = options.timeLimitMs ?? defaultTimeLimitMs;
  const now = options.now ?? performance.now.bind(performance);
  const started = now();
  let isLate = false;
  const shouldStop = () => {
    isLate = isLate || now() - started > limit;
    return isLate;
  };
  const { parser } = current;
  parser.setLanguage(grammar.language);
  // The declared type says void; the runtime reads the answer.
  const progressCallback = shouldStop as unknown as (state: unknown) => void;
  const tree = parser.parse(text, null, { progressCallback });
  if (tree === null) {
    parser.reset();
    return byLines(definition, text, `parse took longer than ${limit} ms`);
  }
  try {
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

/** Where a grammar stumbles over a dialect, what lines can tell is added: nothing is found twice. */
function withLines(definition: LanguageDefinition, text: string, extraction: Extraction): Extraction {
  if (definition.lines === undefined || definition.level === "lines") return extraction;
  const known = new Set(extraction.symbols.map((symbol) => symbol.startLine));
  const found = definition.lines(text);
  if (found.every((symbol) => known.has(symbol.startLine))) return extraction;
  return { ...extraction, symbols: found, parsed: "lines" };
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
