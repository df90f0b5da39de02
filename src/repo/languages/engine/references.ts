/** From captured names to references: what is local, bound, imported or said twice is left out. */
import type { LanguageDefinition } from "../definition.ts";
import type { Reference, SourceSymbol } from "../types.ts";
import { type Bindings, isFieldOf, isLocal, isOfLocal, receiverType, selfNames } from "./bindings.ts";
import { type Collected, elementKind, type Span, skipKind, tokenKind, typeKind } from "./collect.ts";
import type { LineIndex } from "./lines.ts";
import { flattenQualifier, isPlainName, qualifierBefore } from "./qualifier.ts";
import { publicReferenceKind, referenceKinds } from "./roles.ts";
import { type Placed, sortSpans, sweep } from "./shape.ts";

/** Where a captured name starts that is no reference: it defines, binds, or says what a clause already says. */
export function namesToPassOver(collected: Collected, boundAt: Set<number>): Set<number> {
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

export function shapeReferences(
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
  const order = new Int32Array(spans.count).map((_, i) => i);
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
  // The symbol that last used a name: the first of many uses of one type in one symbol says it all.
  const lastUse = { type: new Map<string, number>(), value: new Map<string, number>() };
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
    if (kind !== "macro" && !isPlainName(text, start, end) && /[^\p{L}\p{N}_$#@?!=]/u.test(name)) {
      const path = flattenQualifier(name.slice(0, 600)).replace(/\[\]|\(\)/g, "");
      const generics = name.search(/[<[(]/);
      pathEnd = start + (generics === -1 ? name.length : generics);
      const dot = path.lastIndexOf(".");
      name = path.slice(dot + 1);
      if (dot > 0) qualifier = qualifier === undefined ? path.slice(0, dot) : `${qualifier}.${path.slice(0, dot)}`;
    }
    // `Store` of `Store.name`, where the grammar has no node for the two.
    if (kind === "value" && qualifier === undefined && isQualifier(text, end)) continue;
    if (name === "" || definition.builtins?.has(name)) continue;
    if (kindNumber === elementKind && /^[a-z]/.test(name)) continue;
    const owner = around(start);
    if (isOwnMatter(name, qualifier, kind, owner, placed, bindings, definition.bareFields === true)) continue;
    const line = lines.lineAt(start);
    const symbol = kind === "decorator" ? decorated(symbols, line, placed, owner) : symbolAround(placed, owner);
    if (kind === "type" || kind === "value") {
      const key = qualifier === undefined ? name : `${qualifier}.${name}`;
      if (lastUse[kind].get(key) === symbol) continue;
      lastUse[kind].set(key, symbol);
    }
    let qualifierType: string | undefined;
    if (qualifier !== undefined && qualifier !== "") {
      qualifierType = receiverType(qualifier, owner, placed, bindings);
      if (qualifierType !== undefined && kind === "value" && bindings.fields.get(qualifierType)?.has(name)) continue;
    }
    const reference: Reference = { name, kind: publicReferenceKind(kind), line };
    if (qualifier !== undefined && qualifier !== "") reference.qualifier = qualifier;
    if (qualifierType !== undefined) reference.qualifierType = qualifierType;
    if (symbol !== -1) reference.inSymbol = symbol;
    out.push(reference);
    // `serve.call(…)` calls `serve` too, or what it names.
    if (kind === "call" && qualifier && definition.passesOn?.has(name) && /^[\w$.]+$/.test(qualifier)) {
      const dot = qualifier.lastIndexOf(".");
      const { qualifier: _, qualifierType: __, ...called } = reference;
      called.name = qualifier.slice(dot + 1);
      if (!selfNames.has(called.name)) out.push(dot > 0 ? { ...called, qualifier: qualifier.slice(0, dot) } : called);
    }
  }
  return out;
}

/** Whether `.name` follows. */
function isQualifier(text: string, end: number): boolean {
  return text.charCodeAt(end) === 46 && /[\p{L}_]/u.test(text[end + 1] ?? "");
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
