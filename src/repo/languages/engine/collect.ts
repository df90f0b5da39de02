/**
 * Runs a query over a tree and sorts its captures by role.
 *
 * Reads the matches straight from the runtime's memory: web-tree-sitter would build three objects a capture, which
 * on a megabyte of source costs more than the parse. Nothing here knows a language.
 */
import type { Tree } from "web-tree-sitter";
import { Role, referenceKinds } from "./roles.ts";
import { addressOf, type CompiledQuery, type Runtime } from "./runtime.ts";

/** Offsets are UTF-16 units into the text, end exclusive. */
export type Span = { start: number; end: number };

export type DefinitionSpan = Span & {
  kind: string;
  pattern: number;
  isScope: boolean;
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
  { module, transferBuffer }: Runtime,
  { query, roles }: CompiledQuery,
  tree: Tree,
  textLength: number,
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
  if (slots.length <= textLength) slots = new Int32Array(textLength + (1 << 16));

  const treeAddress = addressOf(tree);
  const cell = transferBuffer >> 2;
  const root = tree.rootNode as unknown as { id: number; startIndex: number; 0: number; startPosition: Point };
  writeNode(module.HEAP32, cell, root);
  let stopped = false;
  if (shouldStop) {
    module.currentQueryProgressCallback = () => {
      stopped = stopped || shouldStop();
      return stopped;
    };
  }
  module._ts_query_matches_wasm(
    addressOf(query),
    treeAddress,
    ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    // More than this many unfinished matches at once only happens in hostile nesting.
    16_384,
    4_294_967_295,
  );
  module.currentQueryProgressCallback = null;
  const heap = module.HEAP32;
  const matchCount = heap[cell] ?? 0;
  const address = heap[cell + 1] ?? 0;
  if (stopped) {
    module._free(address);
    return undefined;
  }

  const { role, kind, referenceKind } = roles;
  const endOf = (at: number): number => {
    heap.copyWithin(cell, at, at + 5);
    return module._ts_node_end_index_wasm(treeAddress);
  };
  let at = address >> 2;
  for (let m = 0; m < matchCount; m++) {
    const pattern = heap[at] ?? 0;
    const captureCount = heap[at + 1] ?? 0;
    at += 2;
    let definition = 0;
    let definitionKind = "";
    let isScope = false;
    let name = 0;
    let receiver = 0;
    let reference = 0;
    let referenceOf = 0;
    let qualifier = 0;
    let binding = 0;
    let bindingOf: BindingSpan["of"] = "local";
    let bindType = 0;
    let bindNew = 0;
    for (let c = 0; c < captureCount; c++, at += 6) {
      const capture = heap[at] ?? 0;
      const node = at + 1;
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
          out.comments.push({ start: heap[node + 1] ?? 0, end: endOf(node) });
          break;
        case Role.attr:
          out.attributes.push({ start: heap[node + 1] ?? 0, end: endOf(node) });
          break;
        case Role.export:
          out.exports.push({ start: heap[node + 1] ?? 0, end: endOf(node) });
          break;
        case Role.import:
          out.imports.push({ start: heap[node + 1] ?? 0, end: endOf(node) });
          break;
        case Role.inherit:
          out.inherits.push({ start: heap[node + 1] ?? 0, end: endOf(node), kind: kind[capture] ?? "" });
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
        case Role.bindNew:
          bindNew = node;
          break;
      }
    }
    if (reference !== 0) {
      const start = heap[reference + 1] ?? 0;
      const slot = slots[start] ?? 0;
      if (slot === 0) {
        slots[start] = ++references.count;
        references.start.push(start);
        references.end.push(endOf(reference));
        references.kind.push(referenceOf);
        references.qualifierStart.push(qualifier === 0 ? -1 : (heap[qualifier + 1] ?? 0));
        references.qualifierEnd.push(qualifier === 0 ? -1 : endOf(qualifier));
      } else if (
        referenceOf < (references.kind[slot - 1] ?? 0) ||
        (referenceOf === references.kind[slot - 1] && qualifier !== 0 && references.qualifierStart[slot - 1] === -1)
      ) {
        references.kind[slot - 1] = referenceOf;
        references.end[slot - 1] = endOf(reference);
        references.qualifierStart[slot - 1] = qualifier === 0 ? -1 : (heap[qualifier + 1] ?? 0);
        references.qualifierEnd[slot - 1] = qualifier === 0 ? -1 : endOf(qualifier);
      }
    }
    if (definition !== 0) {
      out.definitions.push({
        start: heap[definition + 1] ?? 0,
        end: endOf(definition),
        kind: definitionKind,
        pattern,
        isScope,
        nameStart: name === 0 ? -1 : (heap[name + 1] ?? 0),
        nameEnd: name === 0 ? -1 : endOf(name),
        receiver: receiver === 0 ? undefined : { start: heap[receiver + 1] ?? 0, end: endOf(receiver) },
      });
    }
    if (binding !== 0) {
      out.bindings.push({
        name: { start: heap[binding + 1] ?? 0, end: endOf(binding) },
        of: bindingOf,
        type: bindType === 0 ? undefined : { start: heap[bindType + 1] ?? 0, end: endOf(bindType) },
        constructed: bindNew === 0 ? undefined : { start: heap[bindNew + 1] ?? 0, end: endOf(bindNew) },
      });
    }
  }
  module._free(address);
  for (const start of references.start) slots[start] = 0;
  return out;
}

type Point = { row: number; column: number };

function writeNode(
  heap: Int32Array,
  cell: number,
  node: { id: number; startIndex: number; startPosition: Point; 0: number },
): void {
  heap[cell] = node.id;
  heap[cell + 1] = node.startIndex;
  heap[cell + 2] = node.startPosition.row;
  heap[cell + 3] = node.startPosition.column;
  heap[cell + 4] = node[0];
}

export const skipKind = referenceKinds.indexOf("skip");
export const tokenKind = referenceKinds.indexOf("token");
export const typeKind = referenceKinds.indexOf("type");
export const elementKind = referenceKinds.indexOf("element");
