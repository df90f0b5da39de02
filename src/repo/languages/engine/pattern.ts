/**
 * Reads a tree-sitter query file into patterns for the matcher: the subset that our queries use.
 *
 * Node types, `(_)`, fields, `!field`, anchors, anonymous nodes, alternatives, captures, and the predicates `#eq?`,
 * `#any-of?`, `#match?` and their `#not-` forms inside a pattern's outermost parentheses; no quantifiers, no groups.
 * A type or field that the grammar doesn't have throws, so a grammar update can't silently lose symbols.
 */
import type { LanguageTables } from "./flatten.ts";

/** One node of a pattern; steps stand in document order, the root first. */
export type Step = {
  /** Which symbols match; undefined is any node. */
  symbols: Set<number> | undefined;
  /** The one symbol that matches, told without the set; -1 when any or several do. */
  symbol: number;
  /** 0: any. */
  field: number;
  /** Step index of the parent; -1 for the root. */
  parent: number;
  /** Step index of the sibling before it in the pattern; -1 for the first. */
  previous: number;
  /** Nothing may stand between it and the sibling (or the parent's start) before it. */
  isAnchored: boolean;
  /** Nothing may follow it. */
  isLast: boolean;
  withoutFields: number[];
  captures: number[];
  /** A predicate on the node's text. */
  test?: (text: string) => boolean;
};

export type Pattern = { index: number; steps: Step[] };

export type PatternSet = {
  patterns: Pattern[];
  captureNames: string[];
  /** Public symbols of the anonymous nodes that patterns name. */
  anonymous: Set<number>;
};

type Predicate = { capture: string; test: (text: string) => boolean };

type Tree = {
  type: string;
  predicates?: Predicate[];
  isAnonymous: boolean;
  field?: string;
  children: (Tree | "." | { without: string } | Alternatives)[];
  captures: string[];
};
type Alternatives = { alternatives: Tree[]; field?: string; captures: string[] };

export function readPatterns(source: string, tables: LanguageTables): PatternSet {
  const tokens = tokenize(source);
  let at = 0;
  const peek = () => tokens[at];
  const take = (): string => {
    const token = tokens[at++];
    if (token === undefined) throw new Error("query ends too early");
    return token;
  };

  function captures(): string[] {
    const names: string[] = [];
    while (peek()?.startsWith("@")) names.push(take().slice(1));
    return names;
  }
  function item(): Tree | Alternatives {
    const token = take();
    if (token === "[") {
      const alternatives: Tree[] = [];
      while (peek() !== "]") alternatives.push(...expand(item()));
      take();
      return { alternatives, captures: captures() };
    }
    if (token === "(") {
      const children: Tree["children"] = [];
      if (peek() === "(" || peek() === "[") throw new Error("groups are not supported");
      const type = take();
      const predicates: Predicate[] = [];
      while (peek() !== ")") {
        if (tokens[at + 1]?.startsWith("#")) predicates.push(predicate());
        else children.push(child());
      }
      take();
      return { type, isAnonymous: false, predicates, children, captures: captures() };
    }
    if (token === "_") return { type: "_", isAnonymous: false, children: [], captures: captures() };
    if (token.startsWith('"'))
      return { type: JSON.parse(token), isAnonymous: true, children: [], captures: captures() };
    throw new Error(`unexpected ${token} in query`);
  }
  function predicate(): Predicate {
    take();
    const name = take();
    const capture = take().slice(1);
    const values: string[] = [];
    while (peek() !== ")") values.push(JSON.parse(take()));
    take();
    const isNot = name.startsWith("#not-");
    const kind = name.replace("#not-", "#");
    if (!["#eq?", "#any-of?", "#match?"].includes(kind)) throw new Error(`unknown predicate ${name}`);
    const pattern = kind === "#match?" ? new RegExp(values[0] ?? "", "u") : undefined;
    return { capture, test: (text) => (pattern ? pattern.test(text) : values.includes(text)) !== isNot };
  }
  function child(): Tree["children"][number] {
    const token = peek() ?? "";
    if (token === ".") {
      take();
      return ".";
    }
    if (token.startsWith("!")) return { without: take().slice(1) };
    if (tokens[at + 1] === ":") {
      const field = take();
      take();
      return { ...item(), field };
    }
    return item();
  }

  const set: PatternSet = { patterns: [], captureNames: [], anonymous: new Set() };
  const captureIds = new Map<string, number>();
  let index = 0;
  while (at < tokens.length) {
    for (const tree of expand(item())) set.patterns.push({ index, steps: lower(tree) });
    index++;
  }
  return set;

  function lower(root: Tree): Step[] {
    const steps: Step[] = [];
    add(root, -1, -1, false);
    for (const { capture, test } of root.predicates ?? []) {
      const id = captureIds.get(capture);
      const step = steps.find((candidate) => id !== undefined && candidate.captures.includes(id));
      if (step === undefined) throw new Error(`a predicate asks for @${capture}, which its pattern does not have`);
      const earlier = step.test;
      step.test = earlier ? (text) => earlier(text) && test(text) : test;
    }
    return steps;

    function add(tree: Tree, parent: number, previous: number, isAnchored: boolean): number {
      const self = steps.length;
      const symbols = symbolsOf(tree, tables, set.anonymous);
      const step: Step = {
        symbols,
        symbol: symbols?.size === 1 ? ([...symbols][0] ?? -1) : -1,
        field: tree.field === undefined ? 0 : fieldOf(tree.field, tables),
        parent,
        previous,
        isAnchored,
        isLast: false,
        withoutFields: [],
        captures: tree.captures.map(captureId),
      };
      steps.push(step);
      let last = -1;
      let anchored = false;
      for (const part of tree.children) {
        if (part === ".") anchored = true;
        else if ("without" in part) step.withoutFields.push(fieldOf(part.without, tables));
        else if ("type" in part) {
          last = add(part, self, last, anchored);
          anchored = false;
        }
      }
      const lastStep = steps[last];
      if (anchored && lastStep) lastStep.isLast = true;
      return self;
    }
  }
  function captureId(name: string): number {
    let id = captureIds.get(name);
    if (id === undefined) {
      id = set.captureNames.push(name) - 1;
      captureIds.set(name, id);
    }
    return id;
  }
}

function tokenize(source: string): string[] {
  return (
    source.replace(/^\s*;[^\n]*/gm, "").match(/"(?:[^"\\]|\\.)*"|#[\w-]+\?|@[\w.]+|![\w]+|[\w.]*\w|[()[\]:.]/g) ?? []
  );
}

/** Every way to choose among alternatives, as patterns without them. */
function expand(item: Tree | Alternatives): Tree[] {
  if ("alternatives" in item) {
    return item.alternatives.map((tree) => ({
      ...tree,
      field: item.field ?? tree.field,
      captures: [...tree.captures, ...item.captures],
    }));
  }
  let trees: Tree[] = [{ ...item, children: [] }];
  for (const part of item.children) {
    const options: Tree["children"] =
      part === "." || "without" in part ? [part] : "alternatives" in part ? merge(expand(part)) : expand(part);
    trees = trees.flatMap((tree) => options.map((option) => ({ ...tree, children: [...tree.children, option] })));
  }
  return trees;
}

/** Alternatives without children and with the same captures are one step with several types. */
function merge(trees: Tree[]): Tree[] {
  const [head] = trees;
  if (head === undefined) return trees;
  const same = trees.every(
    (tree) =>
      tree.children.length === 0 &&
      !tree.isAnonymous &&
      tree.captures.join() === head.captures.join() &&
      tree.type !== "_",
  );
  return same ? [{ ...head, type: trees.map((tree) => tree.type).join("|") }] : trees;
}

function symbolsOf(tree: Tree, tables: LanguageTables, anonymous: Set<number>): Set<number> | undefined {
  if (!tree.isAnonymous && tree.type === "_") return undefined;
  const found = new Set<number>();
  for (const type of tree.isAnonymous ? [tree.type] : tree.type.split("|")) {
    const before = found.size;
    if (type === "ERROR") found.add(65_535);
    tables.names.forEach((name, symbol) => {
      if (name === type && (tables.isNamed[symbol] === 1) !== tree.isAnonymous) {
        found.add(tables.publicSymbol[symbol] ?? symbol);
      }
    });
    if (found.size === before) throw new Error(`the grammar has no node "${type}"`);
  }
  if (tree.isAnonymous) for (const symbol of found) anonymous.add(symbol);
  return found;
}

function fieldOf(name: string, tables: LanguageTables): number {
  const id = tables.fieldIds.get(name);
  if (id === undefined) throw new Error(`the grammar has no field "${name}"`);
  return id;
}
