/** Runs a query over a flat tree and sorts its captures by role. Nothing here knows a language. */
import type { FlatTree } from "./flatten.ts";
import { matchAll } from "./match.ts";
import type { Pattern } from "./pattern.ts";
import { Role, type Roles, referenceKinds } from "./roles.ts";
import type { CompiledQuery } from "./runtime.ts";

/** Offsets are UTF-16 units into the text, end exclusive. */
export type Span = { start: number; end: number };

export type DefinitionSpan = Span & {
  kind: string;
  pattern: number;
  isScope: boolean;
  /** Reaches to the next definition of its kind, whatever the tree says (a Perl package). */
  isOpen?: boolean;
  nameStart: number;
  nameEnd: number;
  receiver?: Span;
};

export type BindingSpan = { name: Span; of: "local" | "field" | "generic"; type?: Span; constructed?: Span };

export type InheritSpan = Span & { kind: string };

/** References as parallel arrays: there are tens of thousands of them in a megabyte. */
export type ReferenceSpans = {
  count: number;
  start: number[];
  end: number[];
  kind: number[];
  qualifierStart: number[];
  qualifierEnd: number[];
};

export type Collected = {
  definitions: DefinitionSpan[];
  /** Comments and attributes. */
  comments: Span[];
  attributes: Span[];
  exports: Span[];
  imports: Span[];
  inherits: InheritSpan[];
  bindings: BindingSpan[];
  references: ReferenceSpans;
};

/** Which reference starts at an offset (index + 1); grows to the longest text seen, cleared after use. */
let slots = new Int32Array(1 << 16);

export function collect(
  tree: FlatTree,
  { matcher, roles }: CompiledQuery,
  text: string,
  shouldStop?: () => boolean,
): Collected | undefined {
  const references: ReferenceSpans = { count: 0, start: [], end: [], kind: [], qualifierStart: [], qualifierEnd: [] };
  const out: Collected = {
    definitions: [],
    comments: [],
    attributes: [],
    exports: [],
    imports: [],
    inherits: [],
    bindings: [],
    references,
  };
  if (slots.length <= text.length) slots = new Int32Array(text.length + (1 << 16));
  const { role, kind, referenceKind } = roles;
  const { start, end } = tree;
  const span = (node: number): Span => ({ start: start[node] ?? 0, end: end[node] ?? 0 });

  const addReference = (reference: number, referenceOf: number, qualifier: number): void => {
    const from = start[reference] ?? 0;
    const slot = slots[from] ?? 0;
    const qualifierStart = qualifier < 0 ? -1 : (start[qualifier] ?? 0);
    const qualifierEnd = qualifier < 0 ? -1 : (end[qualifier] ?? 0);
    if (slot === 0) {
      slots[from] = ++references.count;
      references.start.push(from);
      references.end.push(end[reference] ?? 0);
      references.kind.push(referenceOf);
      references.qualifierStart.push(qualifierStart);
      references.qualifierEnd.push(qualifierEnd);
    } else if (
      referenceOf < (references.kind[slot - 1] ?? 0) ||
      (referenceOf === references.kind[slot - 1] && qualifier >= 0 && references.qualifierStart[slot - 1] === -1)
    ) {
      references.kind[slot - 1] = referenceOf;
      references.end[slot - 1] = end[reference] ?? 0;
      references.qualifierStart[slot - 1] = qualifierStart;
      references.qualifierEnd[slot - 1] = qualifierEnd;
    }
  };

  let isDone = false;
  try {
    isDone = matchAll(
      tree,
      text,
      matcher,
      (pattern, bound) => {
        const plan = plans.get(pattern) ?? planOf(pattern, roles);
        if (plan.isReference) {
          addReference(bound[plan.reference] ?? 0, plan.kind, plan.qualifier < 0 ? -1 : (bound[plan.qualifier] ?? -1));
          return;
        }
        const { index, steps } = pattern;
        let definition = -1;
        let definitionKind = "";
        let isScope = false;
        let name = -1;
        let receiver = -1;
        let reference = -1;
        let referenceOf = 0;
        let qualifier = -1;
        let binding = -1;
        let bindingOf: BindingSpan["of"] = "local";
        let bindType = -1;
        let bindNew = -1;
        let until = -1;
        let isOpen = false;
        for (let i = 0; i < steps.length; i++) {
          const captures = steps[i]?.captures;
          if (captures === undefined || captures.length === 0) continue;
          const node = bound[i] ?? 0;
          for (const capture of captures) {
            switch (role[capture]) {
              case Role.def:
                definition = node;
                definitionKind = kind[capture] ?? "";
                break;
              case Role.scope:
                definition = node;
                isScope = true;
                break;
              case Role.name:
                name = node;
                break;
              case Role.receiver:
                receiver = node;
                break;
              case Role.reference:
                reference = node;
                referenceOf = referenceKind[capture] ?? 0;
                break;
              case Role.qualifier:
                qualifier = node;
                break;
              case Role.comment:
                out.comments.push(span(node));
                break;
              case Role.attr:
                out.attributes.push(span(node));
                break;
              case Role.export:
                out.exports.push(span(node));
                break;
              case Role.import:
                out.imports.push(span(node));
                break;
              case Role.inherit:
                out.inherits.push({ ...span(node), kind: kind[capture] ?? "" });
                break;
              case Role.bind:
                binding = node;
                break;
              case Role.field:
                binding = node;
                bindingOf = "field";
                break;
              case Role.generic:
                binding = node;
                bindingOf = "generic";
                break;
              case Role.bindType:
                bindType = node;
                break;
              case Role.rest:
                isOpen = true;
                break;
              case Role.until:
                until = node;
                break;
              case Role.bindNew:
                bindNew = node;
                break;
            }
          }
        }
        if (reference >= 0) addReference(reference, referenceOf, qualifier);
        if (definition >= 0) {
          out.definitions.push({
            start: start[definition] ?? 0,
            end: end[until < 0 ? definition : until] ?? 0,
            kind: definitionKind,
            isOpen,
            pattern: index,
            isScope,
            nameStart: name < 0 ? -1 : (start[name] ?? 0),
            nameEnd: name < 0 ? -1 : (end[name] ?? 0),
            receiver: receiver < 0 ? undefined : span(receiver),
          });
        }
        if (binding >= 0) {
          out.bindings.push({
            name: span(binding),
            of: bindingOf,
            type: bindType < 0 ? undefined : span(bindType),
            constructed: bindNew < 0 ? undefined : span(bindNew),
          });
        }
      },
      shouldStop,
    );
  } finally {
    // Also when a match threw: the next file starts with a clean board.
    for (const from of references.start) slots[from] = 0;
  }
  return isDone ? out : undefined;
}

/** Most patterns only name a reference, perhaps with what stands before it: known beforehand, done without a loop. */
type Plan = { isReference: boolean; reference: number; kind: number; qualifier: number };
const plans = new WeakMap<Pattern, Plan>();

function planOf(pattern: Pattern, { role, referenceKind }: Roles): Plan {
  const plan: Plan = { isReference: true, reference: -1, kind: 0, qualifier: -1 };
  pattern.steps.forEach(({ captures }, step) => {
    for (const capture of captures) {
      if (role[capture] === Role.reference && plan.reference === -1) {
        plan.reference = step;
        plan.kind = referenceKind[capture] ?? 0;
      } else if (role[capture] === Role.qualifier && plan.qualifier === -1) plan.qualifier = step;
      else if (role[capture] !== Role.none) plan.isReference = false;
    }
  });
  if (plan.reference === -1) plan.isReference = false;
  plans.set(pattern, plan);
  return plan;
}

export const skipKind = referenceKinds.indexOf("skip");
export const tokenKind = referenceKinds.indexOf("token");
export const typeKind = referenceKinds.indexOf("type");
export const elementKind = referenceKinds.indexOf("element");
