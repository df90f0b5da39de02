/** Reads a query once: is it a name or prose, which words may match a file name, which kinds of file does it ask for. */
import { tokenize } from "./tokenize.ts";

export interface Question {
  readonly text: string;
  readonly lower: string;
  readonly terms: readonly string[];
  /** The name asked for when the whole query is one: its last part, `Class.method` gives `method`. */
  readonly symbol: string | undefined;
  /** The part before it, `Class`, when qualified. */
  readonly qualifier: string | undefined;
  /** Identifier-shaped words inside prose. */
  readonly embeddedSymbols: readonly string[];
  /** Content words, lower-cased, that may name a file. */
  readonly keywords: readonly string[];
  readonly wants: {
    readonly tests: boolean;
    readonly examples: boolean;
    readonly barrels: boolean;
    readonly types: boolean;
    readonly documents: boolean;
  };
}

/** A qualified name, a name with an inner capital or underscore, `_x`, or one capitalised word. */
const SYMBOL =
  /^(?:[A-Za-z_][\w$]*[!?]?(?:(?:::|\\|->|\.|#)[A-Za-z_][\w$]*[!?]?)+|_\w*|[A-Za-z][A-Za-z0-9]*[A-Z_]\w*[!?]?|[A-Z][A-Za-z0-9]*)(?:\(\))?$/;
const SEPARATOR = /::|\\|->|\.|#/;
/** `router.ts` asks for a file, not for a member `ts`. */
const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|php|kts?|swift|c|h|cc|hh|cpp|hpp|cs|scala|sh|lua|zig|exs?|hs|md|json|ya?ml|toml)$/;
/** A longer question is a pasted text: its head says what it is about. */
const MAX_QUESTION_CHARS = 4000;
const EMBEDDED = /\b(?:[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z][A-Za-z0-9]*_\w+)\b/g;

const STOP = new Set(
  "a an and are as at be by do does for from has have how if in into is it its not of on or that the their this to was what when where which who why with".split(
    " ",
  ),
);

const TESTS = /\b(?:tests?|testing|tested|specs?|fixtures?|mock(?:s|ed|ing)?|assertions?)\b/i;
const EXAMPLES = /\b(?:examples?|samples?|demos?|tutorials?|legacy|compat(?:ibility)?|deprecated)\b/i;
const BARRELS = /\b(?:exports?|re-?exports?|public api|entry ?points?|package|barrel|__init__)\b/i;
const DOCUMENTS =
  /\b(?:docs?|documentation|readme|changelog|guides?|tutorials?|install(?:ation|ing)?|licen[sc]e|contributing|ci|workflows?|ya?ml|json|toml|markdown|html|css|xml|config(?:uration)? files?|release notes?)\b/i;
const TYPES = /\b(?:types?|typings?|declarations?|\.d\.ts)\b/i;

export function readQuestion(text: string): Question {
  const query = text.trim().slice(0, MAX_QUESTION_CHARS);
  const isSymbol = SYMBOL.test(query) && !FILE_NAME.test(query);
  const parts = isSymbol ? query.replace(/\(\)$/, "").split(SEPARATOR).filter(Boolean) : [];
  const keywords = new Set<string>();
  for (const word of query.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []) {
    const lower = word.toLowerCase();
    if ((lower.length > 2 || /\d/.test(lower)) && !STOP.has(lower)) keywords.add(lower);
  }
  return {
    text: query,
    lower: query.toLowerCase(),
    terms: tokenize(query),
    symbol: parts.at(-1),
    qualifier: parts.at(-2),
    embeddedSymbols: isSymbol ? [] : [...new Set(query.match(EMBEDDED) ?? [])],
    keywords: [...keywords],
    wants: {
      tests: TESTS.test(query),
      examples: EXAMPLES.test(query),
      barrels: BARRELS.test(query),
      types: TYPES.test(query),
      documents: DOCUMENTS.test(query),
    },
  };
}
