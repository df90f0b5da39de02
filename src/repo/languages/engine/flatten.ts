/**
 * A syntax tree as flat arrays, read straight from the parser's memory.
 *
 * Asking web-tree-sitter for nodes costs several calls and objects a node; its queries cost 60 to 200 ms of compiling
 * for each language and process, more than most parses. Reading the tree's own memory costs about 30 ns a node.
 * The layout below is that of web-tree-sitter 0.27.2 (pinned); `test/languages/flatten.test.ts` compares every grammar
 * with the public cursor.
 */
import type { Language, Tree } from "web-tree-sitter";
import type { RuntimeModule } from "./runtime.ts";

/** Nodes in document order, outer before inner. The children of i start at i + 1; `after[i]` is past its last one. */
export type FlatTree = {
  count: number;
  symbol: Uint16Array;
  field: Uint16Array;
  start: Int32Array;
  end: Int32Array;
  after: Int32Array;
};

/** What the walk needs from a grammar's tables, copied out of the parser's memory once. */
export type LanguageTables = {
  /** Of each symbol: the symbol that stands for it in public (several may share a name). */
  publicSymbol: Uint16Array;
  /** 1 where a symbol is a named node; index 65535 (ERROR) is handled apart. */
  isNamed: Uint8Array;
  names: string[];
  /** `[production * width + child]` → alias symbol or 0. */
  aliases: Uint16Array;
  aliasWidth: number;
  /** By production: field of each structural child, or undefined when it has none. */
  fields: (Uint16Array | undefined)[];
  fieldIds: Map<string, number>;
};

const errorSymbol = 65_535;

/** Offsets of the C struct TSLanguage on wasm32. */
const at = {
  symbolCount: 4,
  aliasCount: 8,
  productionCount: 28,
  fieldCount: 32,
  aliasWidth: 36,
  symbolNames: 56,
  fieldNames: 60,
  fieldSlices: 64,
  fieldEntries: 68,
  metadata: 72,
  publicSymbols: 76,
  aliasSequences: 84,
};

export function readTables(module: RuntimeModule, language: Language): LanguageTables {
  const bytes = module.HEAPU8;
  const words = new DataView(bytes.buffer);
  const base = (language as unknown as { 0: number })[0];
  const word = (offset: number) => words.getUint32(base + offset, true);
  const symbolCount = word(at.symbolCount) + word(at.aliasCount);
  const publicSymbol = new Uint16Array(symbolCount);
  const isNamed = new Uint8Array(symbolCount);
  const names: string[] = [];
  for (let i = 0; i < symbolCount; i++) {
    publicSymbol[i] = words.getUint16(word(at.publicSymbols) + i * 2, true);
    isNamed[i] = bytes[word(at.metadata) + i * 3 + 1] ?? 0;
    names.push(readString(bytes, words.getUint32(word(at.symbolNames) + i * 4, true)));
  }
  const productions = word(at.productionCount);
  const aliasWidth = words.getUint16(base + at.aliasWidth, true);
  const sequences = word(at.aliasSequences);
  const aliases = new Uint16Array(productions * aliasWidth);
  if (sequences !== 0) {
    for (let i = 0; i < aliases.length; i++) aliases[i] = words.getUint16(sequences + i * 2, true);
  }
  const fieldIds = new Map<string, number>();
  const fieldCount = word(at.fieldCount);
  for (let i = 1; i <= fieldCount; i++) {
    fieldIds.set(readString(bytes, words.getUint32(word(at.fieldNames) + i * 4, true)), i);
  }
  const fields: (Uint16Array | undefined)[] = new Array(productions).fill(undefined);
  if (fieldCount > 0) {
    for (let production = 0; production < productions; production++) {
      const slice = word(at.fieldSlices) + production * 4;
      const from = words.getUint16(slice, true);
      const length = words.getUint16(slice + 2, true);
      for (let i = from; i < from + length; i++) {
        const entry = word(at.fieldEntries) + i * 4;
        // An inherited field belongs to a child of a hidden child, whose own production names it.
        if (bytes[entry + 3] !== 0) continue;
        const table = fields[production] ?? new Uint16Array(256);
        fields[production] = table;
        const child = bytes[entry + 2] ?? 0;
        if (table[child] === 0) table[child] = words.getUint16(entry, true);
      }
    }
  }
  return { publicSymbol, isNamed, names, aliases, aliasWidth, fields, fieldIds };
}

function readString(bytes: Uint8Array, address: number): string {
  let end = address;
  while (bytes[end] !== 0) end++;
  return new TextDecoder().decode(bytes.subarray(address, end));
}

const flat: FlatTree = {
  count: 0,
  symbol: new Uint16Array(1 << 15),
  field: new Uint16Array(1 << 15),
  start: new Int32Array(1 << 15),
  end: new Int32Array(1 << 15),
  after: new Int32Array(1 << 15),
};

function grow(): void {
  const size = flat.symbol.length * 2;
  const copy = <T extends Uint16Array | Int32Array>(from: T, to: T): T => {
    to.set(from);
    return to;
  };
  flat.symbol = copy(flat.symbol, new Uint16Array(size));
  flat.field = copy(flat.field, new Uint16Array(size));
  flat.start = copy(flat.start, new Int32Array(size));
  flat.end = copy(flat.end, new Int32Array(size));
  flat.after = copy(flat.after, new Int32Array(size));
}

/** Stack of the walk, as parallel arrays: a tree may be deeper than the engine's own stack allows. */
let depthLimit = 1 << 12;
let childAddress = new Int32Array(depthLimit);
let childrenLeft = new Int32Array(depthLimit);
let childIndex = new Int32Array(depthLimit);
let position = new Int32Array(depthLimit);
let production = new Int32Array(depthLimit);
let outerField = new Int32Array(depthLimit);
let openNode = new Int32Array(depthLimit);

function deepen(): void {
  depthLimit *= 2;
  const copy = (from: Int32Array<ArrayBuffer>) => {
    const to = new Int32Array(depthLimit);
    to.set(from);
    return to;
  };
  childAddress = copy(childAddress);
  childrenLeft = copy(childrenLeft);
  childIndex = copy(childIndex);
  position = copy(position);
  production = copy(production);
  outerField = copy(outerField);
  openNode = copy(openNode);
}

/**
 * The named nodes of a tree, and the anonymous ones whose public symbol is in `wanted`. Offsets are UTF-16 units.
 * The result is reused by the next call.
 */
export function flatten(
  module: RuntimeModule,
  tree: Tree,
  tables: LanguageTables,
  wanted: ReadonlySet<number>,
  shouldStop?: () => boolean,
): FlatTree | undefined {
  const bytes = module.HEAPU8;
  const words = module.HEAP32;
  const halves = module.HEAPU16;
  const { publicSymbol, isNamed, aliases, aliasWidth, fields } = tables;
  const root = tree.rootNode as unknown as { id: number; startIndex: number };
  const wantsAnonymous = wanted.size > 0;
  flat.count = 0;

  // A Subtree is 8 bytes: either its own small data, told by its lowest bit, or a pointer to a larger record.
  const rootRecord = words[root.id >> 2] ?? 0;
  if ((rootRecord & 1) === 1) return flat;
  let depth = 0;
  flat.symbol[0] = publicOf(publicSymbol, halves[(rootRecord + 40) >> 1] ?? 0);
  flat.field[0] = 0;
  flat.start[0] = root.startIndex;
  flat.end[0] = root.startIndex + ((words[(rootRecord + 16) >> 2] ?? 0) >> 1);
  flat.count = 1;
  const rootChildren = words[(rootRecord + 36) >> 2] ?? 0;
  childAddress[0] = rootRecord - rootChildren * 8;
  childrenLeft[0] = rootChildren;
  childIndex[0] = 0;
  position[0] = -1;
  production[0] = rootChildren > 0 ? (halves[(rootRecord + 66) >> 1] ?? 0) : 0;
  outerField[0] = 0;
  openNode[0] = 0;
  let steps = 0;

  while (depth >= 0) {
    if (childrenLeft[depth] === 0) {
      const node = openNode[depth] ?? -1;
      if (node >= 0) flat.after[node] = flat.count;
      depth--;
      continue;
    }
    if ((++steps & 0xffff) === 0 && shouldStop?.()) return undefined;
    const address = childAddress[depth] ?? 0;
    childAddress[depth] = address + 8;
    childrenLeft[depth] = (childrenLeft[depth] ?? 0) - 1;
    const first = words[address >> 2] ?? 0;
    let symbol: number;
    let isVisible: boolean;
    let isExtra: boolean;
    let named: boolean;
    let padding: number;
    let size: number;
    let childCount = 0;
    const record = first;
    if ((first & 1) === 1) {
      isVisible = (first & 2) !== 0;
      named = (first & 4) !== 0;
      isExtra = (first & 8) !== 0;
      symbol = (first >> 8) & 0xff;
      padding = (bytes[address + 6] ?? 0) >> 1;
      size = (bytes[address + 7] ?? 0) >> 1;
    } else {
      const flags = bytes[record + 44] ?? 0;
      isVisible = (flags & 1) !== 0;
      named = (flags & 2) !== 0;
      isExtra = (flags & 4) !== 0;
      symbol = halves[(record + 40) >> 1] ?? 0;
      padding = (words[(record + 4) >> 2] ?? 0) >> 1;
      size = (words[(record + 16) >> 2] ?? 0) >> 1;
      childCount = words[(record + 36) >> 2] ?? 0;
    }
    // The first child starts where its parent does; the padding before both belongs to the parent.
    const before = position[depth] ?? -1;
    const parent = openNode[depth] ?? -1;
    const start =
      before < 0 ? -before - 1 + (depth === 0 && parent === 0 ? (flat.start[0] ?? 0) : 0) : before + padding;
    position[depth] = start + size;
    let field = 0;
    let alias = 0;
    if (!isExtra) {
      const index = childIndex[depth] ?? 0;
      childIndex[depth] = index + 1;
      const made = production[depth] ?? 0;
      if (made !== 0 && aliasWidth > 0) alias = aliases[made * aliasWidth + index] ?? 0;
      field = fields[made]?.[index] ?? 0;
      if (field === 0) field = outerField[depth] ?? 0;
    }
    if (alias !== 0) {
      symbol = alias;
      isVisible = true;
      named = isNamed[alias] === 1;
    }
    let node = -1;
    if (isVisible) {
      symbol = publicOf(publicSymbol, symbol);
      if (named || (wantsAnonymous && wanted.has(symbol))) {
        node = flat.count++;
        if (node >= flat.symbol.length) grow();
        flat.symbol[node] = symbol;
        flat.field[node] = field;
        flat.start[node] = start;
        flat.end[node] = start + size;
        if (childCount === 0) flat.after[node] = node + 1;
      }
    }
    if (childCount > 0) {
      depth++;
      if (depth >= depthLimit) deepen();
      childAddress[depth] = record - childCount * 8;
      childrenLeft[depth] = childCount;
      childIndex[depth] = 0;
      position[depth] = -start - 1;
      production[depth] = halves[(record + 66) >> 1] ?? 0;
      // A field on a hidden node is that of the nodes inside it.
      outerField[depth] = isVisible ? 0 : field;
      openNode[depth] = node;
    }
  }
  return flat;
}

function publicOf(publicSymbol: Uint16Array, symbol: number): number {
  return symbol >= publicSymbol.length ? errorSymbol : (publicSymbol[symbol] ?? symbol);
}
