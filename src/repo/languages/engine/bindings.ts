/**
 * What names are bound to inside functions and types: which references stay local, and what type a receiver has,
 * as far as one file tells. Types are names, never resolved here.
 */
import type { SourceSymbol } from "../types.ts";
import type { BindingSpan } from "./collect.ts";
import { isCallable, isValue, type Placed, sweep, typeName } from "./shape.ts";

/** Name → type, "" when it has none that we know. */
type Names = Map<string, string>;

export type Bindings = {
  /** By index in `placed`, -1 for the file. */
  locals: Map<number, Names>;
  /** By the qualified name of a type: a Rust impl and its struct share them. */
  fields: Map<string, Names>;
  /** By index in `placed`: the name in `fields` of the type around it, "" for none. */
  containers: Map<number, string>;
};

export function readBindings(
  text: string,
  spans: readonly BindingSpan[],
  placed: readonly Placed[],
  returned: (path: string) => string | undefined,
): { bindings: Bindings; boundAt: Set<number> } {
  const bindings: Bindings = { locals: new Map(), fields: new Map(), containers: new Map() };
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
export function returnTypes(symbols: readonly SourceSymbol[]): (path: string) => string | undefined {
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

export function isLocal(name: string, from: number, placed: readonly Placed[], bindings: Bindings): boolean {
  for (let at = from; at !== -1; at = placed[at]?.outer ?? -1) if (bindings.locals.get(at)?.has(name)) return true;
  return false;
}

export function isFieldOf(name: string, from: number, placed: readonly Placed[], bindings: Bindings): boolean {
  const container = containerWithFields(from, placed, bindings);
  return container !== undefined && bindings.fields.get(container)?.has(name) === true;
}

/** `row.total` of a local `row`, or of what a call gave: a field of something we can't name, no edge. */
export function isOfLocal(qualifier: string, from: number, placed: readonly Placed[], bindings: Bindings): boolean {
  if (!isPath(qualifier)) return true;
  const dot = qualifier.indexOf(".");
  const root = dot === -1 ? qualifier : qualifier.slice(0, dot);
  if (!isLocal(root, from, placed, bindings)) return false;
  return receiverType(qualifier, from, placed, bindings) === undefined;
}

export const selfNames = new Set(["self", "this", "$this", "Self", "cls"]);

const none: readonly string[] = [];

/** Names and dots: no call, no index, no string in it. */
function isPath(qualifier: string): boolean {
  for (let i = 0; i < qualifier.length; i++) {
    const code = qualifier.charCodeAt(i);
    // ( ) [ ] { } "
    if (code === 40 || code === 41 || code === 91 || code === 93 || code === 123 || code === 125 || code === 34)
      return false;
  }
  return true;
}

/** `t` → the declared type of t; `this.repo`, and `s.repo` of a receiver `s`, → the type of the member. */
export function receiverType(
  qualifier: string,
  from: number,
  placed: readonly Placed[],
  bindings: Bindings,
): string | undefined {
  if (!isPath(qualifier)) return undefined;
  const path = qualifier.startsWith("@") ? `this.${qualifier.replace(/^@@?/, "")}` : qualifier;
  const dot = path.indexOf(".");
  const root = dot === -1 ? path : path.slice(0, dot);
  const members = dot === -1 ? none : path.slice(dot + 1).split(".");
  if (members.length > 3) return undefined;
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

/** The type around a place whose members this file declares; remembered, for it is asked for most names. */
function containerWithFields(from: number, placed: readonly Placed[], bindings: Bindings): string | undefined {
  const known = bindings.containers.get(from);
  if (known !== undefined) return known === "" ? undefined : known;
  let found = "";
  for (let at = from; at !== -1 && found === ""; at = placed[at]?.outer ?? -1) {
    const name = placed[at]?.qualifiedName ?? "";
    const container = name.slice(0, Math.max(0, name.lastIndexOf(".")));
    if (bindings.fields.has(name)) found = name;
    else if (container !== "" && bindings.fields.has(container)) found = container;
  }
  bindings.containers.set(from, found);
  return found === "" ? undefined : found;
}
