/**
 * From captured spans to imports, references and inheritance. Names that are bound inside the function they are used
 * in are left out; what is known about a receiver's type is written beside it.
 */
import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef, Inherit, Reference, SourceSymbol } from "../types.ts";
import { type BindingSpan, type Collected, elementKind, type Span, skipKind, tokenKind, typeKind } from "./collect.ts";
import type { LineIndex } from "./lines.ts";
import { inheritKind, publicReferenceKind, referenceKinds } from "./roles.ts";
import { isCallable, type Placed, sortSpans, typeName } from "./shape.ts";

export type Edges = { imports: ImportRef[]; references: Reference[]; inherits: Inherit[] };

/** Name → type, "" when it has none that we know. */
type Names = Map<string, string>;

type Bindings = {
  /** By index in `placed`, -1 for the file. */
  locals: Map<number, Names>;
  /** By the qualified name of a type: a Rust impl and its struct share them. */
  fields: Map<string, Names>;
};

const qualifierLimit = 120;

export function shapeEdges(
  text: string,
  collected: Collected,
  symbols: readonly SourceSymbol[],
  placed: readonly Placed[],
  lines: LineIndex,
  definition: LanguageDefinition,
): Edges {
  const importSpans: Span[] = [];
  const imports: ImportRef[] = [];
  let importedTo = 0;
  for (const span of sortSpans(collected.imports)) {
    if (span.start < importedTo) continue;
    // A query may capture what only might be an import (a call with one string): the definition decides.
    const found = definition.imports?.(text.slice(span.start, span.end), lines.lineAt(span.start)) ?? [];
    if (found.length === 0) continue;
    imports.push(...found);
    importSpans.push(span);
    importedTo = span.end;
  }
  const { bindings, boundAt } = readBindings(text, collected.bindings, placed, returnTypes(symbols));
  const passedOver = namesToPassOver(collected, boundAt);
  const references = shapeReferences(
    text,
    collected,
    symbols,
    placed,
    lines,
    importSpans,
    bindings,
    passedOver,
    definition,
  );
  const inherits = shapeInherits(text, collected, symbols, placed, lines);
  return { imports, references, inherits };
}

/** Finds the innermost placed thing around offsets that are asked for in rising order. */
function sweep(placed: readonly Placed[]): (offset: number) => number {
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

function readBindings(
  text: string,
  spans: readonly BindingSpan[],
  placed: readonly Placed[],
  returned: (path: string) => string | undefined,
): { bindings: Bindings; boundAt: Set<number> } {
  const bindings: Bindings = { locals: new Map(), fields: new Map() };
  const boundAt = new Set<number>();
  const around = sweep(placed);
  for (const span of [...spans].sort((a, b) => a.name.start - b.name.start)) {
    const name = text.slice(span.name.start, span.name.end);
    boundAt.add(span.name.start);
    let owner = around(span.name.start);
    // A member belongs to the type around the function, a local name to the function, a type parameter to whatever.
    if (span.of !== "generic") {
      while (owner !== -1 && isCallable(placed[owner]?.kind ?? "") === (span.of === "field")) {
        owner = placed[owner]?.outer ?? -1;
      }
    }
    const names =
      span.of === "field" ? entry(bindings.fields, ownerName(placed, owner)) : entry(bindings.locals, owner);
    const type = bindingType(text, span, returned);
    if (type !== "" || !names.has(name)) names.set(name, type);
  }
  return { bindings, boundAt };
}

function entry<K>(map: Map<K, Names>, key: K): Names {
  const existing = map.get(key);
  if (existing) return existing;
  const names: Names = new Map();
  map.set(key, names);
  return names;
}

function ownerName(placed: readonly Placed[], owner: number): string {
  return placed[owner]?.qualifiedName ?? "";
}

function bindingType(
  text: string,
  { type, constructed }: BindingSpan,
  returned: (path: string) => string | undefined,
): string {
  if (type) return typeName(text.slice(type.start, Math.min(type.end, type.start + 300)));
  if (!constructed) return "";
  const path = typeName(text.slice(constructed.start, Math.min(constructed.end, constructed.start + 300)));
  const dot = path.lastIndexOf(".");
  const last = path.slice(dot + 1);
  const known = returned(path);
  if (known !== undefined) return known;
  // `x = make()` constructs nothing that its name would tell; these names do, by the custom of their languages.
  const made = /^New(\p{Lu}\w*)$/u.exec(last)?.[1];
  if (made !== undefined) return path.slice(0, dot + 1) + made;
  if (/^\p{Lu}/u.test(last)) return path;
  const maker = /^(?:new|default|from\w*|with_\w+|try_new|create|of|getInstance|instance)$/.test(last);
  return maker && /(?:^|\.)\p{Lu}\w*$/u.test(path.slice(0, Math.max(0, dot))) ? path.slice(0, dot) : "";
}

/** What the functions of this file say they return, for `x = make()`: read from their signatures. */
function returnTypes(symbols: readonly SourceSymbol[]): (path: string) => string | undefined {
  const byPath = new Map<string, string>();
  for (const { kind, qualifiedName, signature, container } of symbols) {
    if (!isCallable(kind) || kind === "macro") continue;
    const raw =
      /->\s*(.+)$/.exec(signature)?.[1] ??
      /\)\s*:\s*(.+?)(?:=>|=)?$/.exec(signature)?.[1] ??
      /^func\b.*\)\s*\(?(?:\w+ )?([*\w.[\]]+)/.exec(signature)?.[1];
    if (raw === undefined) continue;
    const name = typeName(
      raw.replace(/^["']|["']$|\bwhere\b.*$/g, "").replace(/^(?:io::|std::\w+::)?Result\s*<(.*?)(?:,.*)?>$/, "$1"),
    );
    const owner = container ?? qualifiedName.slice(0, Math.max(0, qualifiedName.lastIndexOf(".")));
    const type = name === "Self" || name === "self" || name === "this" ? owner : name;
    byPath.set(qualifiedName, /^\p{Lu}|\./u.test(type) ? type : "");
  }
  return (path) => byPath.get(path);
}

/** Where a captured name starts that is no reference: it defines, binds, or says what a clause already says. */
function namesToPassOver(collected: Collected, boundAt: Set<number>): Set<number> {
  for (const span of collected.definitions) boundAt.add(span.nameStart);
  const { references, inherits } = collected;
  const clauses = new Set<number>();
  for (const span of inherits) clauses.add(span.start).add(-span.end);
  const qualifierEnds = new Set(references.qualifierEnd);
  for (let i = 0; i < references.count; i++) {
    const start = references.start[i] ?? 0;
    const end = references.end[i] ?? 0;
    const isPlain = (references.kind[i] ?? 0) >= typeKind;
    // `os` and `path` of `os.path.join()` are in the qualifier of `join`.
    if (isPlain && (qualifierEnds.has(end) || clauses.has(start) || clauses.has(-end))) boundAt.add(start);
  }
  return boundAt;
}

function shapeReferences(
  text: string,
  { references: spans }: Collected,
  symbols: readonly SourceSymbol[],
  placed: readonly Placed[],
  lines: LineIndex,
  importSpans: readonly Span[],
  bindings: Bindings,
  passedOver: ReadonlySet<number>,
  definition: LanguageDefinition,
): Reference[] {
  const order = Array.from({ length: spans.count }, (_, i) => i);
  if (!isSorted(spans.start)) order.sort((a, b) => (spans.start[a] ?? 0) - (spans.start[b] ?? 0));
  const around = sweep(placed);
  const out: Reference[] = [];
  const seen = new Set<string>();
  let nextImport = 0;
  for (const i of order) {
    const start = spans.start[i] ?? 0;
    const end = spans.end[i] ?? 0;
    const kindNumber = spans.kind[i] ?? 0;
    while (nextImport < importSpans.length && (importSpans[nextImport]?.end ?? 0) <= start) nextImport++;
    const isInImport = (importSpans[nextImport]?.start ?? Number.POSITIVE_INFINITY) <= start;
    if (kindNumber === skipKind || isInImport || passedOver.has(start)) continue;
    const kind = referenceKinds[kindNumber] ?? "value";
    const name = text.slice(start, end);
    if (definition.builtins?.has(name) || (kindNumber === elementKind && /^[a-z]/.test(name))) continue;
    let qualifier: string | undefined;
    if (kindNumber === tokenKind) {
      if (text.charCodeAt(end) !== 40) continue;
      qualifier = qualifierBefore(text, start);
    } else {
      const from = spans.qualifierStart[i] ?? -1;
      if (from >= 0)
        qualifier = flattenQualifier(text.slice(from, Math.min(spans.qualifierEnd[i] ?? from, from + 600)));
    }
    const owner = around(start);
    if (
      qualifier === undefined
        ? isLocal(name, owner, placed, bindings)
        : kind === "value" && isOfLocal(qualifier, owner, placed, bindings)
    )
      continue;
    const symbol =
      kind === "decorator" ? decorated(symbols, lines.lineAt(start), placed, owner) : symbolAround(placed, owner);
    if (kind === "type" || kind === "value") {
      // The first of many uses of one type in one symbol says it all.
      const key = `${symbol}\0${kind}\0${qualifier ?? ""}\0${name}`;
      if (seen.has(key)) continue;
      seen.add(key);
    }
    const reference: Reference = { name, kind: publicReferenceKind(kind), line: lines.lineAt(start) };
    if (qualifier !== undefined && qualifier !== "") {
      reference.qualifier = qualifier;
      const type = receiverType(qualifier, owner, placed, bindings);
      if (type !== undefined) {
        if (kind === "value" && bindings.fields.get(type)?.has(name)) continue;
        reference.qualifierType = type;
      }
    }
    if (symbol !== -1) reference.inSymbol = symbol;
    out.push(reference);
  }
  return out;
}

/** A decorator stands before what it decorates, and belongs to it. */
function decorated(symbols: readonly SourceSymbol[], line: number, placed: readonly Placed[], owner: number): number {
  let low = 0;
  let high = symbols.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((symbols[middle]?.startLine ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return (symbols[low]?.docStartLine ?? Number.POSITIVE_INFINITY) <= line ? low : symbolAround(placed, owner);
}

function isSorted(numbers: readonly number[]): boolean {
  for (let i = 1; i < numbers.length; i++) if ((numbers[i] ?? 0) < (numbers[i - 1] ?? 0)) return false;
  return true;
}

function symbolAround(placed: readonly Placed[], from: number): number {
  for (let at = from; at !== -1; at = placed[at]?.outer ?? -1) {
    const symbol = placed[at]?.symbol ?? -1;
    if (symbol !== -1) return symbol;
  }
  return -1;
}

function isLocal(name: string, from: number, placed: readonly Placed[], bindings: Bindings): boolean {
  for (let at = from; at !== -1; at = placed[at]?.outer ?? -1) if (bindings.locals.get(at)?.has(name)) return true;
  return false;
}

/** `row.total` of a local `row`, or of what a call gave: a field of something we can't name, no edge. */
function isOfLocal(qualifier: string, from: number, placed: readonly Placed[], bindings: Bindings): boolean {
  if (/[()[\]{}"]/.test(qualifier)) return true;
  const root = qualifier.split(".", 1)[0] ?? "";
  if (!isLocal(root, from, placed, bindings)) return false;
  return receiverType(qualifier, from, placed, bindings) === undefined;
}

const selfNames = new Set(["self", "this", "$this", "Self", "cls"]);

/** `t` → the declared type of t; `this.repo`, and `s.repo` of a receiver `s`, → the type of the member. */
function receiverType(
  qualifier: string,
  from: number,
  placed: readonly Placed[],
  bindings: Bindings,
): string | undefined {
  const [root = "", ...members] = qualifier.replace(/^@@?/, "this.").split(".");
  if (members.length > 3 || /[([{]/.test(qualifier)) return undefined;
  let type: string | undefined;
  if (selfNames.has(root)) {
    if (members.length === 0) return undefined;
    type = containerWithFields(from, placed, bindings);
  } else {
    for (let at = from; type === undefined; at = placed[at]?.outer ?? -1) {
      type = bindings.locals.get(at)?.get(root);
      if (at === -1) break;
    }
    // Java, Kotlin, Swift and C# leave out `this`.
    if (type === undefined) {
      const container = containerWithFields(from, placed, bindings);
      if (container !== undefined) type = bindings.fields.get(container)?.get(root);
    }
  }
  for (const member of members) {
    if (type === undefined || type === "") return undefined;
    type =
      bindings.fields.get(type)?.get(member) ??
      (selfNames.has(root) ? bindings.fields.get(type)?.get(`@${member}`) : undefined);
  }
  return type === "" ? undefined : type;
}

function containerWithFields(from: number, placed: readonly Placed[], bindings: Bindings): string | undefined {
  for (let at = from; at !== -1; at = placed[at]?.outer ?? -1) {
    const name = placed[at]?.qualifiedName ?? "";
    if (bindings.fields.has(name)) return name;
    const container = name.slice(0, Math.max(0, name.lastIndexOf(".")));
    if (container !== "" && bindings.fields.has(container)) return container;
  }
  return undefined;
}

/** `a::b` and `a->b` and `a?.b` → `a.b`; arguments and indexes are left out: `make(x)[0].y` → `make()[].y`. */
export function flattenQualifier(raw: string): string {
  let flat = raw;
  if (/[([{<"'`\s]/.test(flat)) {
    flat = flat
      .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""')
      .replace(/::<[^()]*?>(?=\()|<[\w\s,.:&'[\]]*>/g, "");
    for (let i = 0; i < 8 && /\([^()]+\)|\[[^[\]]+\]|\{[^{}]+\}/.test(flat); i++) {
      flat = flat
        .replace(/\([^()]+\)/g, "()")
        .replace(/\[[^[\]]+\]/g, "[]")
        .replace(/\{[^{}]+\}/g, "{}");
    }
    flat = flat.replace(/\s+/g, "");
  }
  flat = flat
    .replace(/::|->|\?\.|!!?\.|\\/g, ".")
    .replace(/[?!]$/, "")
    .replace(/^\.+|\.+$/g, "");
  return flat.length > qualifierLimit ? `…${flat.slice(-qualifierLimit)}` : flat;
}

/** Inside a macro's tokens there is no structure: read the chain of names before a name. */
function qualifierBefore(text: string, start: number): string | undefined {
  const before = text.slice(Math.max(0, start - 160), start);
  const chain = /((?:[\p{L}_][\p{L}\p{N}_]*(?:\(\))?(?:::|\.))*[\p{L}_][\p{L}\p{N}_]*(?:\(\))?)(?:::|\.)$/u.exec(
    before,
  );
  if (chain?.[1] !== undefined) return flattenQualifier(chain[1]);
  return /[.:]$/.test(before) ? "()" : undefined;
}

function shapeInherits(
  text: string,
  { inherits }: Collected,
  symbols: readonly SourceSymbol[],
  placed: readonly Placed[],
  lines: LineIndex,
): Inherit[] {
  const around = sweep(placed);
  const out: Inherit[] = [];
  for (const span of sortSpans(inherits)) {
    const owner = around(span.start);
    const child = placed[owner];
    if (child === undefined) continue;
    const path = typeName(text.slice(span.start, Math.min(span.end, span.start + 300)));
    if (path === "") continue;
    const dot = path.lastIndexOf(".");
    const inherit: Inherit = {
      child: child.qualifiedName,
      parent: path.slice(dot + 1),
      kind: inheritKind(span.kind),
      line: lines.lineAt(span.start),
    };
    if (dot > 0) inherit.qualifier = path.slice(0, dot);
    if (child.symbol !== -1 && symbols[child.symbol] !== undefined) inherit.inSymbol = child.symbol;
    out.push(inherit);
  }
  return out;
}
