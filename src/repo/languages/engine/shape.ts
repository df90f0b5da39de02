/**
 * From captured spans to symbols: nesting by a stack over sorted spans, qualified names, doc comments, signatures.
 * Never looks at a tree.
 */
import type { LanguageDefinition } from "../definition.ts";
import type { SourceSymbol, SymbolKind } from "../types.ts";
import type { Collected, DefinitionSpan, Span } from "./collect.ts";
import type { LineIndex } from "./lines.ts";
import { isPlainName } from "./qualifier.ts";
import { signatureOf } from "./signature.ts";

/** A symbol or a nameless-in-the-list container (a Rust `impl`), with where it stands in the text. */
export type Placed = Span & {
  /** Index in `symbols`; -1 for a scope. */
  symbol: number;
  /** Index of the placed thing around it; -1 at the top. */
  outer: number;
  qualifiedName: string;
  kind: SymbolKind | "scope";
};

export type Shaped = { symbols: SourceSymbol[]; placed: Placed[] };

const typeLike = new Set<string>(["class", "struct", "interface", "trait", "enum", "type", "scope", "property"]);
const values = new Set<string>(["constant", "variable", "field", "property", "key", "prototype"]);

/** Kinds that are no symbols inside a function. */
export function isValue(kind: string): boolean {
  return values.has(kind);
}

export function isCallable(kind: string): boolean {
  return kind === "function" || kind === "method" || kind === "constructor" || kind === "test" || kind === "macro";
}

export function shapeSymbols(
  text: string,
  collected: Collected,
  lines: LineIndex,
  definition: LanguageDefinition,
): Shaped {
  const attributes = sortSpans(collected.attributes);
  const docs = attachable(text, collected.comments, attributes, lines);
  const spans = dedupe(collected.definitions, text.length);
  const symbols: SourceSymbol[] = [];
  const placed: Placed[] = [];
  const stack: number[] = [];
  let attribute = 0;
  for (const span of spans) {
    while (stack.length > 0 && !holds(placed[stack[stack.length - 1] ?? 0], span)) stack.pop();
    while (attribute < attributes.length && (attributes[attribute]?.start ?? 0) < span.start) attribute++;
    const outer = stack[stack.length - 1] ?? -1;
    const around = placed[outer];
    const raw = text.slice(span.nameStart, span.nameEnd);
    const path = namePath(raw, span, definition);
    if (path === undefined) continue;
    const receiver = span.receiver && receiverName(text.slice(span.receiver.start, span.receiver.end));
    const prefix = [around?.qualifiedName, receiver, ...path.slice(0, -1)].filter(
      (part) => part !== undefined && part !== "",
    );
    const name = path[path.length - 1] ?? "";
    const qualifiedName = [...prefix, name].join(".");
    if (span.isScope) {
      const start = span.start;
      stack.push(placed.push({ start, end: span.end, symbol: -1, outer, qualifiedName, kind: "scope" }) - 1);
      continue;
    }
    if (isValue(span.kind) && insideCallable(placed, outer)) continue;
    if (definition.maxKeyDepth !== undefined && depthOf(placed, outer) >= definition.maxKeyDepth) continue;
    const start = skipAttributes(text, span, attributes, attribute);
    const end = trimmedEnd(text, start, span.end);
    const startLine = lines.lineAt(start);
    const isMember =
      (receiver !== undefined && receiver !== "") ||
      path.length > 1 ||
      (around !== undefined && typeLike.has(around.kind));
    const isFunction = span.kind === "function" || span.kind === "prototype";
    const kind = (isFunction ? (isMember ? "method" : "function") : span.kind) as SymbolKind;
    const symbol: SourceSymbol = {
      name,
      qualifiedName,
      kind,
      startLine,
      endLine: Math.max(startLine, lines.lineAt(end - 1)),
      docStartLine: Math.min(startLine, docs(lines.lineAt(span.start))),
      signature: signatureOf(text, start, { start: span.nameStart, end: span.nameEnd }, end, definition.signature),
    };
    if (definition.keep?.(symbol) === false) continue;
    const parent = innermostSymbol(placed, outer);
    const above = symbols[symbols.length - 1];
    if (definition.mergesEquations && above !== undefined && isNextEquation(above, symbol, symbols[parent ?? -1])) {
      above.endLine = Math.max(above.endLine, symbol.endLine);
      const last = placed[placed.length - 1];
      if (last) last.end = Math.max(last.end, span.end);
      continue;
    }
    if (parent !== undefined) symbol.parent = parent;
    if (prefix.length > 0) {
      const container = prefix.join(".");
      if (parent === undefined || symbols[parent]?.qualifiedName !== container) symbol.container = container;
    }
    const exported = definition.exported?.(symbol, beforeName(symbol));
    if (exported !== undefined) symbol.exported = exported;
    const index = symbols.push(symbol) - 1;
    stack.push(placed.push({ start: span.start, end: span.end, symbol: index, outer, qualifiedName, kind }) - 1);
  }
  markExports(text, collected.exports, symbols);
  return { symbols, placed };
}

/** `one` and `two` of `var one, two = 1, 2` are captured with the same span: neither is in the other. */
function holds(outer: Placed | undefined, inner: Span): boolean {
  return outer !== undefined && outer.end >= inner.end && !(outer.start === inner.start && outer.end === inner.end);
}

/** A type signature and the equations under it are one function. */
function isNextEquation(above: SourceSymbol, symbol: SourceSymbol, parent: SourceSymbol | undefined): boolean {
  const outer = parent?.qualifiedName ?? "";
  return (
    above.qualifiedName === symbol.qualifiedName &&
    above.kind === symbol.kind &&
    isCallable(symbol.kind) &&
    symbol.startLine <= above.endLine + 3 &&
    (outer === "" || above.qualifiedName.startsWith(outer))
  );
}

function beforeName({ name, signature }: SourceSymbol): string {
  const at = signature.indexOf(name);
  return at === -1 ? signature : signature.slice(0, at);
}

/** Outer before inner; of several patterns that name the same thing, the first in the query file. */
function dedupe(definitions: DefinitionSpan[], textLength: number): DefinitionSpan[] {
  const byName = new Map<number, DefinitionSpan>();
  const kept: DefinitionSpan[] = [];
  for (const span of definitions) {
    if (span.nameStart < 0) continue;
    const known = byName.get(span.nameStart);
    if (known === undefined || span.pattern < known.pattern) byName.set(span.nameStart, span);
  }
  for (const span of byName.values()) kept.push(span);
  kept.sort((a, b) => a.start - b.start || b.end - a.end || a.nameStart - b.nameStart);
  const nextOf = new Map<string, number>();
  for (const span of [...kept].reverse()) {
    if (span.isOpen) span.end = nextOf.get(span.kind) ?? textLength;
    nextOf.set(span.kind, span.start);
  }
  return kept;
}

/** `Foo::bar` and `M.sub:run` name a member of what stands before: ["Foo", "bar"]. */
function namePath(raw: string, span: DefinitionSpan, definition: LanguageDefinition): string[] | undefined {
  const name = definition.symbolName ? definition.symbolName(raw, span.kind) : raw;
  if (name === undefined || name === "") return undefined;
  if (!span.isScope && isPlainName(name, 0, name.length)) return [name];
  const flat = name.replace(/\s+/g, " ").slice(0, 300);
  if (span.isScope) return [typeName(flat)];
  if (
    definition.level !== "edges" ||
    definition.plainNames ||
    /^["']/.test(raw) ||
    /^(?:operator|heading)/.test(span.kind === "heading" ? "heading" : flat)
  )
    return [flat];
  const parts = withoutGenerics(flat)
    .split(/::|\.|:/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length > 0 ? parts : [flat];
}

/** `Stack<std::pair<A, B>>::push` → `Stack::push`; an operator's own signs stay. */
function withoutGenerics(path: string): string {
  if (!path.includes("<")) return path;
  const operator = path.search(/\boperator\b/);
  let head = operator === -1 ? path : path.slice(0, operator);
  for (let i = 0; i < 4 && /<[^<>]*>/.test(head); i++) head = head.replace(/<[^<>]*>/g, "");
  return operator === -1 ? head : head + path.slice(operator);
}

/** `*Server` of a Go method; `A.prototype` and `app` of an assigned JavaScript function; not `exports`, not `this`. */
function receiverName(raw: string): string {
  const name = typeName(raw).replace(/\.prototype$/, "");
  return /^(?:module\.)?exports$|^(?:this|self|window|globalThis)\b/.test(name) ? "" : name;
}

/**
 * The plain name of a type expression: `&'a mut dyn crate::Target<T>` → `crate.Target`, `*Server` → `Server`.
 * One wrapper that only holds another (`Box<Foo>`, `Rc<Foo>`, `Optional<Foo>`) is looked through.
 */
export function typeName(raw: string): string {
  let type = raw
    .trim()
    .replace(/^(?:[&*:\s(]|'\w+\b|\b(?:mut|dyn|impl|const|ref|struct|enum|class|readonly|final|typename)\b\s*)+/, "");
  const wrapped =
    /^(?:\w+(?:::|\.))*(?:Box|Rc|Arc|RefCell|Mutex|RwLock|Option|Optional|unique_ptr|shared_ptr|Promise|Type|Final|ClassVar)\s*[<[]\s*(.+)[>\]]$/s.exec(
      type,
    );
  if (wrapped?.[1] !== undefined && raw.length < 200)
    type = wrapped[1].replace(/^(?:[&*\s(]|'\w+\b|\b(?:mut|dyn|impl|const)\b\s*)+/, "");
  const path = /^[\p{L}_$@][\p{L}\p{N}_$]*(?:(?:::|\.|\\)[\p{L}_$][\p{L}\p{N}_$]*)*/u.exec(type);
  return path ? path[0].replace(/::|\\/g, ".") : "";
}

function insideCallable(placed: readonly Placed[], from: number): boolean {
  for (let at = from; at !== -1; at = placed[at]?.outer ?? -1) if (isCallable(placed[at]?.kind ?? "")) return true;
  return false;
}

function depthOf(placed: readonly Placed[], from: number): number {
  let depth = 0;
  for (let at = from; at !== -1; at = placed[at]?.outer ?? -1) depth++;
  return depth;
}

function innermostSymbol(placed: readonly Placed[], from: number): number | undefined {
  for (let at = from; at !== -1; at = placed[at]?.outer ?? -1) {
    const symbol = placed[at]?.symbol ?? -1;
    if (symbol !== -1) return symbol;
  }
  return undefined;
}

/** Attributes that a grammar puts inside the definition (`@Override` in Java) are not its first line. */
function skipAttributes(text: string, span: DefinitionSpan, attributes: readonly Span[], from: number): number {
  let start = span.start;
  for (let i = from; i < attributes.length && attributes[i]?.start === start; i++) {
    start = skipSpace(text, attributes[i]?.end ?? start);
  }
  return start < span.nameStart || start === span.start ? start : span.start;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

/** Some grammars count the line break, or the blank lines after a section, as part of the node. */
function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start + 1 && text.charCodeAt(at - 1) <= 32) at--;
  return at;
}

/**
 * Comments and attributes that stand alone on their lines, by their last line: a doc block is what ends on the line
 * above the definition, and what ends above that, without a blank line between.
 */
function attachable(
  text: string,
  comments: readonly Span[],
  attributes: readonly Span[],
  lines: LineIndex,
): (line: number) => number {
  const firstByLast = new Map<number, number>();
  for (const span of [...comments, ...attributes]) {
    const end = trimmedEnd(text, span.start, span.end);
    const first = lines.lineAt(span.start);
    if (text.slice(lines.startOf(first), span.start).trim() !== "") continue;
    const last = lines.lineAt(end - 1);
    firstByLast.set(last, Math.min(first, firstByLast.get(last) ?? first));
  }
  return (line) => {
    let first = firstByLast.get(line) !== undefined && line > (firstByLast.get(line) ?? line) ? line : line;
    for (let above = firstByLast.get(first - 1); above !== undefined; above = firstByLast.get(first - 1)) first = above;
    return first;
  };
}

function markExports(text: string, exports: readonly Span[], symbols: SourceSymbol[]): void {
  if (exports.length === 0) return;
  const names = new Set(exports.map((span) => text.slice(span.start, span.end)));
  for (const symbol of symbols) if (symbol.parent === undefined && names.has(symbol.name)) symbol.exported = true;
}

export function sortSpans<T extends Span>(spans: readonly T[]): T[] {
  return [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Finds the innermost placed thing around offsets that are asked for in rising order. */
export function sweep(placed: readonly Placed[]): (offset: number) => number {
  const stack: number[] = [];
  let next = 0;
  return (offset) => {
    while (next < placed.length && (placed[next]?.start ?? 0) <= offset) {
      while (stack.length > 0 && (placed[stack[stack.length - 1] ?? 0]?.end ?? 0) <= (placed[next]?.start ?? 0))
        stack.pop();
      stack.push(next++);
    }
    while (stack.length > 0 && (placed[stack[stack.length - 1] ?? 0]?.end ?? 0) <= offset) stack.pop();
    return stack[stack.length - 1] ?? -1;
  };
}
