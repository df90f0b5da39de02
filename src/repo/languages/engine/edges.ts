/**
 * From captured spans to imports, references and inheritance. Names that are bound inside the function they are used
 * in are left out; what is known about a receiver's type is written beside it.
 */
import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef, Inherit, Reference, SourceSymbol } from "../types.ts";
import { type BindingSpan, type Collected, elementKind, type Span, skipKind, tokenKind, typeKind } from "./collect.ts";
import type { LineIndex } from "./lines.ts";
import { inheritKind, publicReferenceKind, referenceKinds } from "./roles.ts";
import { isCallable, isValue, type Placed, sortSpans, typeName } from "./shape.ts";

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
  const inherits = shapeInherits(text, collected, symbols, placed, lines, definition);
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
      while (owner !== -1 && !holdsBinding(placed[owner]?.kind ?? "", span.of)) {
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

function holdsBinding(kind: string, of: BindingSpan["of"]): boolean {
  return of === "field" ? !isCallable(kind) && !isValue(kind) : isCallable(kind) || kind === "property";
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
  const maker = /^(?:new|init|default|from\w*|with_\w+|try_new|create|of|getInstance|instance)$/.test(last);
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
      /^func\b.*\)\s*\(?(?:\w+ )?([*\w.[\]]+)/.exec(signature)?.[1] ??
      /\bfn\b.*\)\s*(?:\w*!)?([\w.*?]+)$/.exec(signature)?.[1];
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
  { references: spans, definitions }: Collected,
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
  const isInImport = cover(importSpans);
  const isInName = cover(
    sortSpans(
      definitions
        .filter((span) => span.nameStart >= 0)
        .map(({ nameStart, nameEnd }) => ({ start: nameStart, end: nameEnd })),
    ),
  );
  const out: Reference[] = [];
  const seen = new Set<string>();
  let pathEnd = 0;
  for (const i of order) {
    const start = spans.start[i] ?? 0;
    const end = spans.end[i] ?? 0;
    const kindNumber = spans.kind[i] ?? 0;
    if (isInImport(start) || isInName(start) || kindNumber === skipKind || passedOver.has(start)) continue;
    // The names inside a path that was captured whole.
    if (start < pathEnd) continue;
    const kind = referenceKinds[kindNumber] ?? "value";
    let name = text.slice(start, end);
    let qualifier: string | undefined;
    if (kindNumber === tokenKind) {
      if (text.charCodeAt(end) !== 40) continue;
      qualifier = qualifierBefore(text, start);
    } else {
      const from = spans.qualifierStart[i] ?? -1;
      if (from >= 0) {
        qualifier = flattenQualifier(text.slice(from, Math.min(spans.qualifierEnd[i] ?? from, from + 600)));
      }
    }
    // C# and others keep `this` out of the tree's named nodes.
    if (qualifier === undefined && text.charCodeAt(start - 1) === 46) qualifier = qualifierBefore(text, start);
    if (kind !== "macro" && /[^\p{L}\p{N}_$#@?!=]/u.test(name)) {
      const path = flattenQualifier(name.slice(0, 600)).replace(/\[\]|\(\)/g, "");
      const generics = name.search(/[<[(]/);
      pathEnd = start + (generics === -1 ? name.length : generics);
      const dot = path.lastIndexOf(".");
      name = path.slice(dot + 1);
      if (dot > 0) qualifier = qualifier === undefined ? path.slice(0, dot) : `${qualifier}.${path.slice(0, dot)}`;
    }
    // `Store` of `Store.name`, where the grammar has no node for the two.
    if (kind === "value" && qualifier === undefined && /^\.[\p{L}_]/u.test(text.slice(end, end + 2))) continue;
    if (name === "" || definition.builtins?.has(name)) continue;
    if (kindNumber === elementKind && /^[a-z]/.test(name)) continue;
    const owner = around(start);
    if (isOwnMatter(name, qualifier, kind, owner, placed, bindings, definition.bareFields === true)) continue;
    const line = lines.lineAt(start);
    const symbol = kind === "decorator" ? decorated(symbols, line, placed, owner) : symbolAround(placed, owner);
    if (kind === "type" || kind === "value") {
      // The first of many uses of one type in one symbol says it all.
      const key = `${symbol}\0${kind}\0${qualifier ?? ""}\0${name}`;
      if (seen.has(key)) continue;
      seen.add(key);
    }
    const reference: Reference = { name, kind: publicReferenceKind(kind), line };
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

/** Whether offsets, asked for in rising order, lie in one of some sorted spans. */
function cover(spans: readonly Span[]): (offset: number) => boolean {
  let next = 0;
  return (offset) => {
    while (next < spans.length && (spans[next]?.end ?? 0) <= offset) next++;
    return (spans[next]?.start ?? Number.POSITIVE_INFINITY) <= offset;
  };
}

/** Locals, type parameters and plain fields stay inside their function or type. */
function isOwnMatter(
  name: string,
  qualifier: string | undefined,
  kind: string,
  owner: number,
  placed: readonly Placed[],
  bindings: Bindings,
  bareFields: boolean,
): boolean {
  if (qualifier === undefined) {
    if (isLocal(name, owner, placed, bindings)) return true;
    return kind === "value" && bareFields && isFieldOf(name, owner, placed, bindings);
  }
  if (kind !== "value") return false;
  if (selfNames.has(qualifier) || qualifier === "@") return isFieldOf(name, owner, placed, bindings);
  return isOfLocal(qualifier, owner, placed, bindings);
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

function isFieldOf(name: string, from: number, placed: readonly Placed[], bindings: Bindings): boolean {
  const container = containerWithFields(from, placed, bindings);
  return container !== undefined && bindings.fields.get(container)?.has(name) === true;
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
  return type === "" || (type !== undefined && isLocal(type, from, placed, bindings)) ? undefined : type;
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
  let flat = /[([{"'`]/.test(raw) ? withoutArguments(raw) : raw;
  for (let i = 0; i < 4 && flat.includes("<"); i++) {
    const shorter = flat.replace(/(?:::)?<[^<>()]*>/g, "");
    if (shorter === flat) break;
    flat = shorter;
  }
  flat = flat
    .replace(/\s+/g, "")
    .replace(/::|->|\?\.|!!?\.|\\/g, ".")
    .replace(/^(?:await|new|&|\*)/, "")
    .replace(/^\.+|[.?!:]+$/g, "");
  return flat.length > qualifierLimit ? `…${flat.slice(-qualifierLimit)}` : flat;
}

/** What stands inside brackets and strings, taken out. */
function withoutArguments(raw: string): string {
  let out = "";
  let depth = 0;
  for (let i = 0; i < raw.length; i++) {
    const char = raw[i] ?? "";
    if (char === '"' || char === "'" || char === "`") {
      const close = raw.indexOf(char, i + 1);
      // A lone apostrophe is a lifetime or a prime, not a string.
      if (close === -1 || close - i > 400) continue;
      i = close;
      if (depth === 0) out += '""';
    } else if (char === "(" || char === "[" || char === "{") {
      if (depth++ === 0) out += char;
    } else if (char === ")" || char === "]" || char === "}") {
      if (--depth === 0) out += char;
      if (depth < 0) depth = 0;
    } else if (depth === 0) out += char;
  }
  return out;
}

/** Where the tree has no node for what stands before a name, its text is read backwards: `others.map(f)` of `.toList`. */
function qualifierBefore(text: string, start: number): string | undefined {
  let at = start;
  let first = start;
  const floor = Math.max(0, start - 400);
  for (;;) {
    const dots = separatorLength(text, at);
    if (dots === 0) break;
    at = skipBack(text, at - dots, floor);
    if (at < first - dots) first = at;
    else return first === start ? "()" : undefined;
  }
  return first === start ? undefined : flattenQualifier(text.slice(first, start));
}

/** How long the `.`, `?.`, `::` or `->` is that ends at an offset. */
function separatorLength(text: string, end: number): number {
  const last = text[end - 1];
  const two = text.slice(Math.max(0, end - 2), end);
  if (two === "::" || two === "->" || two === "?.") return 2;
  return last === "." && two !== ".." ? 1 : 0;
}

/** Back over one name with its brackets, and the blanks around them. */
function skipBack(text: string, from: number, floor: number): number {
  let at = from;
  while (at > floor && /\s/.test(text[at - 1] ?? "")) at--;
  let depth = 0;
  while (at > floor) {
    const char = text[at - 1] ?? "";
    if (char === ")" || char === "]" || char === "}") depth++;
    else if (char === "(" || char === "[" || char === "{") {
      if (depth === 0) break;
      depth--;
    } else if (depth === 0 && !/[\p{L}\p{N}_$@!?]/u.test(char)) break;
    at--;
  }
  return at;
}

function shapeInherits(
  text: string,
  { inherits }: Collected,
  symbols: readonly SourceSymbol[],
  placed: readonly Placed[],
  lines: LineIndex,
  definition: LanguageDefinition,
): Inherit[] {
  const around = sweep(placed);
  const out: Inherit[] = [];
  let last = -1;
  for (const span of sortSpans(inherits)) {
    // Of two patterns for one name the first in the query file holds.
    if (span.start === last) continue;
    last = span.start;
    const owner = around(span.start);
    const child = placed[owner];
    if (child === undefined) continue;
    const path = typeName(text.slice(span.start, Math.min(span.end, span.start + 300)));
    if (path === "" || definition.builtins?.has(path)) continue;
    const dot = path.lastIndexOf(".");
    const inherit: Inherit = {
      child: child.qualifiedName,
      parent: path.slice(dot + 1),
      kind: definition.inheritKind?.(path.slice(dot + 1)) ?? inheritKind(span.kind),
      line: lines.lineAt(span.start),
    };
    if (dot > 0) inherit.qualifier = path.slice(0, dot);
    if (child.symbol !== -1 && symbols[child.symbol] !== undefined) inherit.inSymbol = child.symbol;
    out.push(inherit);
  }
  return out;
}
