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

/**
 * Stack of the walk, `frame` numbers a level: a tree may be deeper than the engine's own stack allows.
 * Next child's address, children left, index of the next child that is no extra, position, production, field that a
 * hidden node passes to its children, node that is open at this level or -1.
 */
const frame = 7;
let stack = new Int32Array(frame << 12);

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
  let { symbol: symbols, field: fieldsOf, start: starts, end: ends, after } = flat;
  let levels = stack;
  symbols[0] = publicOf(publicSymbol, halves[(rootRecord + 40) >> 1] ?? 0);
  fieldsOf[0] = 0;
  starts[0] = root.startIndex;
  ends[0] = root.startIndex + ((words[(rootRecord + 16) >> 2] ?? 0) >> 1);
  let count = 1;
  const rootChildren = words[(rootRecord + 36) >> 2] ?? 0;
  levels[0] = rootRecord - rootChildren * 8;
  levels[1] = rootChildren;
  levels[2] = 0;
  // A first child starts where its parent does: a position below zero says so.
  levels[3] = -root.startIndex - 1;
  levels[4] = rootChildren > 0 ? (halves[(rootRecord + 66) >> 1] ?? 0) : 0;
  levels[5] = 0;
  levels[6] = 0;
  let steps = 0;

  for (let top = 0; top >= 0; ) {
    const left = levels[top + 1] ?? 0;
    if (left === 0) {
      const node = levels[top + 6] ?? -1;
      if (node >= 0) after[node] = count;
      top -= frame;
      continue;
    }
    if ((++steps & 0xffff) === 0 && shouldStop?.()) return undefined;
    const address = levels[top] ?? 0;
    levels[top] = address + 8;
    levels[top + 1] = left - 1;
    const record = words[address >> 2] ?? 0;
    let symbol: number;
    let isVisible: boolean;
    let isExtra: boolean;
    let named: boolean;
    let padding: number;
    let size: number;
    let childCount = 0;
    if ((record & 1) === 1) {
      isVisible = (record & 2) !== 0;
      named = (record & 4) !== 0;
      isExtra = (record & 8) !== 0;
      symbol = (record >> 8) & 0xff;
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
    const before = levels[top + 3] ?? -1;
    const start = before < 0 ? -before - 1 : before + padding;
    levels[top + 3] = start + size;
    let field = 0;
    if (!isExtra) {
      const index = levels[top + 2] ?? 0;
      levels[top + 2] = index + 1;
      const made = levels[top + 4] ?? 0;
      const alias = made !== 0 && aliasWidth > 0 ? (aliases[made * aliasWidth + index] ?? 0) : 0;
      if (alias !== 0) {
        symbol = alias;
        isVisible = true;
        named = isNamed[alias] === 1;
      }
      field = fields[made]?.[index] ?? 0;
      if (field === 0) field = levels[top + 5] ?? 0;
    }
    let node = -1;
    if (isVisible) {
      symbol = publicOf(publicSymbol, symbol);
      if (named || (wantsAnonymous && wanted.has(symbol))) {
        node = count++;
        if (node >= symbols.length) {
          grow();
          ({ symbol: symbols, field: fieldsOf, start: starts, end: ends, after } = flat);
        }
        symbols[node] = symbol;
        fieldsOf[node] = field;
        starts[node] = start;
        ends[node] = start + size;
        if (childCount === 0) after[node] = node + 1;
      }
    }
    if (childCount > 0) {
      top += frame;
      if (top + frame > levels.length) levels = deepen();
      levels[top] = record - childCount * 8;
      levels[top + 1] = childCount;
      levels[top + 2] = 0;
      levels[top + 3] = -start - 1;
      levels[top + 4] = halves[(record + 66) >> 1] ?? 0;
      levels[top + 5] = isVisible ? 0 : field;
      levels[top + 6] = node;
    }
  }
  flat.count = count;
  return flat;
}

function deepen(): Int32Array<ArrayBuffer> {
  const deeper = new Int32Array(stack.length * 2);
  deeper.set(stack);
  stack = deeper;
  return deeper;
}

function publicOf(publicSymbol: Uint16Array, symbol: number): number {
  return symbol >= publicSymbol.length ? errorSymbol : (publicSymbol[symbol] ?? symbol);
}
