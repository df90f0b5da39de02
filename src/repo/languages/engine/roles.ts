/**
 * The capture names that query files may use, and the small numbers the hot loop uses for them.
 *
 * Symbols: `@def.KIND` the whole definition (`@def.prototype`: a function without its body), `@name` its name, `@scope` a container that is no symbol itself (a Rust
 * `impl`), `@receiver` a container named by the definition (Go methods), `@until` a later
 * sibling that the definition reaches to (a Dart body), `@rest` beside `@def` one that reaches to the next of its kind, `@comment`, `@attr` (attributes, decorators),
 * `@export` a name that is exported elsewhere in the file.
 * Edges: `@call` `@new` `@type` `@value` `@decorator` `@macro` `@element` (JSX) `@token` (in a macro) on the name, `@qualifier` on what stands before
 * it, `@skip` on a name that is no reference, `@import` a whole import (its text goes to the definition's `imports`),
 * `@inherit.extends` `@inherit.implements` `@inherit.mixin` on the parent's name or path,
 * `@bind` a local name with `@bind.type` (its declared type) or `@bind.new` (what constructs it),
 * `@field` a member name with the same two, `@generic` a type parameter.
 */
import type { InheritKind, ReferenceKind, SymbolKind } from "../types.ts";

export const Role = {
  none: 0,
  def: 1,
  name: 2,
  scope: 3,
  receiver: 4,
  comment: 5,
  attr: 6,
  export: 7,
  reference: 8,
  qualifier: 9,
  import: 10,
  inherit: 11,
  bind: 12,
  field: 13,
  bindType: 14,
  bindNew: 15,
  generic: 16,
  until: 17,
  rest: 18,
} as const;

/** Order is precedence: when two patterns capture the same name, the lower number wins. */
export const referenceKinds = [
  "skip",
  "decorator",
  "new",
  "macro",
  "call",
  "element",
  "token",
  "type",
  "value",
] as const;
export type ReferenceCapture = (typeof referenceKinds)[number];

export type Roles = {
  /** Role of each capture index. */
  role: Uint8Array;
  /** Detail of each capture index: symbol kind, reference kind number or inherit kind. */
  kind: string[];
  referenceKind: Uint8Array;
};

export function readRoles(captureNames: readonly string[]): Roles {
  const role = new Uint8Array(captureNames.length);
  const kind: string[] = [];
  const referenceKind = new Uint8Array(captureNames.length);
  captureNames.forEach((name, i) => {
    const [head = "", detail = ""] = name.split(".");
    kind[i] = detail;
    role[i] = roleOf(head, detail);
    const reference = referenceKinds.indexOf(head as ReferenceCapture);
    if (reference !== -1) {
      role[i] = Role.reference;
      referenceKind[i] = reference;
    }
  });
  return { role, kind, referenceKind };
}

function roleOf(head: string, detail: string): number {
  if (head === "bind") return detail === "type" ? Role.bindType : detail === "new" ? Role.bindNew : Role.bind;
  if (head === "none" || !(head in Role)) return Role.none;
  return Role[head as keyof typeof Role];
}

export function symbolKind(kind: string): SymbolKind {
  return kind as SymbolKind;
}

export function inheritKind(kind: string): InheritKind {
  return kind as InheritKind;
}

/** A call inside a macro's tokens ("token") and a JSX element are calls to whoever asks. */
export function publicReferenceKind(kind: ReferenceCapture): ReferenceKind {
  return kind === "token" || kind === "element" || kind === "skip" ? "call" : kind;
}
