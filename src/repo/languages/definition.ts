/**
 * What a file in `definitions/` says about one language. It is data plus, at most, small text functions:
 * it never imports the parser, so that recognising a file by its name stays cheap.
 */
import type { ImportRef, InheritKind, LanguageId, LanguageLevel, SourceSymbol } from "./types.ts";

export type Grammar = {
  /** Key of the embedded file. */
  name: string;
  /** The `.wasm` inside node_modules that `scripts/generate/grammars.ts` packs. */
  file: string;
  /** Hex bytes to find, exactly once, and what to put there: for a packaged file that the runtime can't call. */
  repairs?: readonly (readonly [find: string, replace: string])[];
};

export type LanguageDefinition = {
  id: LanguageId;
  /** The language that people ask for with `--lang`, when this is only a variant of it (tsx of typescript). */
  family?: LanguageId;
  level: LanguageLevel;
  /** Lower case, without the dot; `d.ts` style double extensions are allowed. */
  extensions?: readonly string[];
  /** Whole file names; compared without regard to case. `Dockerfile` also matches `Dockerfile.dev`. */
  filenames?: readonly string[];
  /** Interpreter names of a `#!` line, without version digits. */
  shebangs?: readonly string[];
  isCode: boolean;
  /** What opens a comment line. */
  commentPrefixes?: readonly string[];
  grammar?: Grammar;
  /** Name of the `.scm` in assets/queries; default: the id. */
  queries?: string;
  /**
   * Where a signature stops: at a `{`, at a `:` that ends a line, at the end of its line (brackets may span several),
   * or of its first line whatever is open. Default "brace".
   */
  signature?: "brace" | "colon" | "line" | "first";
  /** Names that are part of the language, not worth an edge (`string` in Go, `int` in Python). */
  builtins?: ReadonlySet<string>;
  /** A member may be used without `this`: its bare name is no edge. */
  bareFields?: boolean;
  /** Methods of every function that call it, or make one that does: `serve.call(…)` calls `serve`. */
  passesOn?: ReadonlySet<string>;
  /** Turns the text of an `@import` capture into imports; `line` is where it starts. */
  imports?: (text: string, line: number) => ImportRef[];
  /** Whether a symbol is visible outside; `head` is what its signature says before its name. */
  exported?: (symbol: SourceSymbol, head: string) => boolean | undefined;
  /** Rewrites a captured name (quotes off, `Foo::bar` apart); returns undefined to drop the symbol. */
  symbolName?: (raw: string, kind: string) => string | undefined;
  /** Dots and colons are part of a name, not a path (Bash). */
  plainNames?: boolean;
  /** A function is written as a signature and several equations, each a definition to the grammar (Haskell). */
  mergesEquations?: boolean;
  /** Where the syntax doesn't tell a class from an interface, but the custom of naming does. */
  inheritKind?: (name: string) => InheritKind | undefined;
  /** Whether a found symbol is one (`const fs = require("fs")` is an import). */
  keep?: (symbol: SourceSymbol) => boolean;
  /** Another language of the same extension, told by the text (a C header that is C++). */
  dialect?: (text: string) => LanguageId | undefined;
  /** Data files: how deep keys and elements are symbols (1: only the outermost). */
  maxKeyDepth?: number;
  /** Parts in another language (a script block): each is read as a file of its own whose lines are this file's. */
  embedded?: (text: string) => { language: LanguageId; start: number; end: number }[];
  /** What `embedded` may answer: loaded together with the language. */
  embeds?: readonly LanguageId[];
  /** Why the grammar must not see this text: one that writes past its own memory spoils every parse that follows. */
  refuses?: (text: string) => string | undefined;
  /** Symbols found line by line: the whole extraction at level "lines", the way out when a grammar gives up. */
  lines?: (text: string) => SourceSymbol[];
};
