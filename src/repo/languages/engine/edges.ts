/** From captured spans to imports, references and inheritance. */
import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef, Inherit, Reference, SourceSymbol } from "../types.ts";
import { readBindings, returnTypes } from "./bindings.ts";
import type { Collected, Span } from "./collect.ts";
import type { LineIndex } from "./lines.ts";
import { namesToPassOver, shapeReferences } from "./references.ts";
import { inheritKind } from "./roles.ts";
import { type Placed, sortSpans, sweep, typeName } from "./shape.ts";

export type Edges = { imports: ImportRef[]; references: Reference[]; inherits: Inherit[] };

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
    if (child === undefined || child.qualifiedName === "") continue;
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
