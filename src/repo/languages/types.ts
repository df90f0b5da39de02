/**
 * The vocabulary of the languages room: what a language is, and what one parse of a file yields.
 * Pure types: importing this file costs nothing at run time. Lines are 1-based and inclusive everywhere.
 */

/** The name of a language as the registry knows it: "rust", "typescript", "makefile", "text". */
export type LanguageId = string;

/**
 * How much is known of a language.
 * edges: symbols, imports, references, inheritance. symbols: symbols only. lines: symbols by matching lines.
 * generic: nothing but its name; its files become generic blocks.
 */
export type LanguageLevel = "edges" | "symbols" | "lines" | "generic";

export type SymbolKind =
  | "function"
  | "method"
  | "class"
  | "interface"
  | "struct"
  | "enum"
  | "trait"
  | "type"
  | "constant"
  | "variable"
  | "field"
  | "property"
  | "constructor"
  | "macro"
  | "module"
  | "heading"
  | "key"
  | "selector"
  | "resource"
  | "element"
  | "table"
  | "view"
  | "procedure"
  | "trigger"
  | "index"
  | "test";

/** A named piece of a file. Sorted by place in the file: an outer symbol comes before its inner ones. */
export type SourceSymbol = {
  name: string;
  /** Names of the containers and its own, joined by ".", whatever the language writes: `Class.method`. */
  qualifiedName: string;
  kind: SymbolKind;
  startLine: number;
  endLine: number;
  /** First line of the doc comment, attributes or decorators that belong to it; else `startLine`. */
  docStartLine: number;
  /** What it looks like without its body, on one line, at most 240 characters. */
  signature: string;
  /** Index in `symbols` of the innermost symbol around it. */
  parent?: number;
  /**
   * Qualified name of the container when it is not (only) the parent symbol: the type of a Rust `impl`, the receiver
   * of a Go method, the class of a C++ method that is defined outside of it.
   */
  container?: string;
  /** Visible outside its file or package, as far as the file itself tells. */
  exported?: boolean;
};

/**
 * module: binds a module under a name (`import a.b as c`, `import * as x`, `import "fmt"`); names[0] = {name: "*", alias}.
 * names: binds some names of it. wildcard: binds all of them. reexport: passes names on (`export … from`, `pub use`).
 * include / include-system: C's two forms. effect: runs it, binds nothing. submodule: Rust's `mod x;`.
 * dynamic: `import()` and `require()` inside code. package: what the file says its own package or namespace is.
 */
export type ImportKind =
  | "module"
  | "names"
  | "wildcard"
  | "reexport"
  | "include"
  | "include-system"
  | "effect"
  | "submodule"
  | "dynamic"
  | "package";

export type ImportedName = { name: string; alias?: string };

export type ImportRef = {
  /** As written, quotes removed: `./x.js`, `crate::a::b`, `..pkg.mod`, `java.util.List`, `fmt`. */
  module: string;
  /** A default import is `{name: "default", alias}`, a namespace import `{name: "*", alias}`. */
  names: ImportedName[];
  line: number;
  kind: ImportKind;
};

/** call: `f()`. new: a constructor. type: a type's name in a type position. value: a name used as a value. */
export type ReferenceKind = "call" | "new" | "type" | "value" | "decorator" | "macro";

export type Reference = {
  name: string;
  /** What stands before it, joined by ".": `self`, `this`, `Foo`, `a.b`, `make()`; arguments are left out. */
  qualifier?: string;
  /** The type of a plain variable that stands before it, where the file says so (`t: &Target`, `t = new Target()`). */
  qualifierType?: string;
  kind: ReferenceKind;
  line: number;
  /** Index in `symbols` of the innermost symbol around it; absent at module level. */
  inSymbol?: number;
};

export type InheritKind = "extends" | "implements" | "mixin";

export type Inherit = {
  /** Qualified name of the type that inherits, as in `SourceSymbol.qualifiedName` (it may be defined elsewhere). */
  child: string;
  /** Index in `symbols` of the child, when this file defines it around the clause. */
  inSymbol?: number;
  parent: string;
  qualifier?: string;
  kind: InheritKind;
  line: number;
};

export type Extraction = {
  symbols: SourceSymbol[];
  imports: ImportRef[];
  references: Reference[];
  inherits: Inherit[];
  parsed: "ast" | "lines" | "none";
  /** Why a parse was not finished, in words for the skip report: "parse took longer than 1000 ms". */
  gaveUp?: string;
  /** The tree held syntax errors: what stands around them was still read. */
  hasErrors?: boolean;
};

export type ExtractOptions = {
  /** Computing time of the parse, default 1000; ten times as much by the clock. */
  timeLimitMs?: number;
  /** Also imports, references and inheritance, for languages of level "edges". Default true. */
  edges?: boolean;
  now?: () => number;
};
