/**
 * Whether a pattern can run away on some text: a proof by its tree, not a measurement, so that the answer is the same on
 * every machine. JavaScript's engine backtracks; what is refused here is exponential text (`(a+)+`) and three or more
 * repeats that can trade the same characters (`.*a.*b.*c`, cubic). Two are allowed: a line is matched in its first
 * 2,048 characters only (`compile.ts`), which bounds the square.
 */

import { translatePattern } from "./regex.ts";
import { type CharSet, isAnchored, overlaps, parseRegex, type RegexNode } from "./regex-tree.ts";

/** A repeat up to this many times is no more than a longer literal. */
const FEW = 16;
/** Ways to choose one option of each choice that are looked at one by one; more than that is refused as too entangled. */
const MOST_PATHS = 512;
const MOST_TRADING = 2;

/** Says in one sentence why the pattern may run away, or undefined. @throws SyntaxError for what is no pattern. */
export function checkLinear(source: string): string | undefined {
  const { pattern, flags } = translatePattern(source);
  const tree = parseRegex(pattern, flags);
  const nested = findExponential(tree);
  if (nested) return nested;
  const paths = expand(tree);
  if (!paths) return "too many choices that contain repeats: split it into several patterns";
  const anchored = isAnchored(tree);
  for (const path of paths) {
    const trading = longestTrade(path, anchored);
    if (trading > MOST_TRADING)
      return `${trading} repeats can trade the same text${anchored ? "" : " (it is not anchored by ^, which counts as one)"}: use narrower classes such as [^:]+ or anchor it`;
  }
  return undefined;
}

type Repeat = Extract<RegexNode, { kind: "repeat" }>;

function asUnbounded(node: RegexNode | undefined): Repeat | undefined {
  return node?.kind === "repeat" && node.max > FEW ? node : undefined;
}

function isUnbounded(node: RegexNode): boolean {
  return asUnbounded(node) !== undefined;
}

function children(node: RegexNode): readonly RegexNode[] {
  if (node.kind === "sequence") return node.items;
  if (node.kind === "choice") return node.options;
  if (node.kind === "repeat" || node.kind === "look") return [node.item];
  return [];
}

function some(node: RegexNode, test: (node: RegexNode) => boolean): boolean {
  return test(node) || children(node).some((child) => some(child, test));
}

/** Every character the node can take part in matching. */
function allSets(node: RegexNode): CharSet {
  if (node.kind === "set") return node.set;
  if (node.kind === "look") return [];
  if (node.kind === "backreference") return [[0, 0x10ffff]];
  return children(node).flatMap((child) => [...allSets(child)]);
}

function isNullable(node: RegexNode): boolean {
  if (node.kind === "set") return false;
  if (node.kind === "sequence") return node.items.every(isNullable);
  if (node.kind === "choice") return node.options.some(isNullable);
  if (node.kind === "repeat") return node.min === 0 || isNullable(node.item);
  return true;
}

/** Whether some text of the node can consist of characters of `set` alone. */
function fits(node: RegexNode, set: CharSet): boolean {
  if (node.kind === "set") return overlaps(node.set, set);
  if (node.kind === "sequence") return node.items.every((item) => fits(item, set));
  if (node.kind === "choice") return node.options.some((option) => fits(option, set));
  if (node.kind === "repeat") return node.min === 0 || fits(node.item, set);
  return true;
}

function findExponential(node: RegexNode): string | undefined {
  const item = asUnbounded(node)?.item;
  if (item) {
    if (isNullable(item) && some(item, isUnbounded)) return "a repeat inside a repeat can match nothing: (a*)*";
    if (isLooping(item, [], [])) return "a repeat inside a repeat can match the same text in many ways: (a+)+";
    if (some(item, (child) => child.kind === "choice" && hasTwins(child.options)))
      return "a repeated choice has options that match the same text: (a|a)*";
  }
  for (const child of children(node)) {
    const problem = findExponential(child);
    if (problem) return problem;
  }
  return undefined;
}

/** An inner repeat that can run on into its own next round: what lies between (after it, and before it) fits its own characters. */
function isLooping(node: RegexNode, before: readonly RegexNode[], after: readonly RegexNode[]): boolean {
  const repeat = asUnbounded(node);
  if (repeat) {
    const set = allSets(repeat.item);
    if ([...after, ...before].every((between) => fits(between, set))) return true;
  }
  if (node.kind === "sequence")
    return node.items.some((item, at) =>
      isLooping(item, [...before, ...node.items.slice(0, at)], [...node.items.slice(at + 1), ...after]),
    );
  if (node.kind === "look") return false;
  return children(node).some((child) => isLooping(child, before, after));
}

function hasTwins(options: readonly RegexNode[]): boolean {
  return options.some((a, at) => options.slice(at + 1).some((b) => isTwin(a, b)));
}

/** Could both options match one text? Position by position for fixed texts, by all their characters otherwise. */
function isTwin(a: RegexNode, b: RegexNode): boolean {
  const left = fixedSets(a);
  const right = fixedSets(b);
  if (left && right) {
    if (left.length !== right.length) {
      const [short, long] = left.length < right.length ? [left, right] : [right, left];
      return short.length > 0 && long.every((set, at) => overlaps(set, short[at % short.length] ?? []));
    }
    return left.length > 0 && left.every((set, at) => overlaps(set, right[at] ?? []));
  }
  return fits(a, allSets(b)) && fits(b, allSets(a)) && overlaps(firstSet(a), firstSet(b));
}

function fixedSets(node: RegexNode): CharSet[] | undefined {
  if (node.kind === "set") return [node.set];
  if (node.kind === "assert" || node.kind === "look") return [];
  if (node.kind !== "sequence") return undefined;
  const out: CharSet[] = [];
  for (const item of node.items) {
    const sets = fixedSets(item);
    if (!sets) return undefined;
    out.push(...sets);
  }
  return out;
}

function firstSet(node: RegexNode): CharSet {
  if (node.kind === "sequence") {
    const out: (readonly [number, number])[] = [];
    for (const item of node.items) {
      out.push(...firstSet(item));
      if (!isNullable(item)) break;
    }
    return out;
  }
  if (node.kind === "repeat") return firstSet(node.item);
  if (node.kind === "choice") return node.options.flatMap((option) => [...firstSet(option)]);
  return allSets(node);
}

/** The pattern as straight lines of nodes: one for each way through the choices that contain repeats. */
function expand(node: RegexNode): RegexNode[][] | undefined {
  if (node.kind === "sequence") {
    let paths: RegexNode[][] = [[]];
    for (const item of node.items) {
      const ways = expand(item);
      if (!ways || paths.length * ways.length > MOST_PATHS) return undefined;
      paths = paths.flatMap((path) => ways.map((way) => [...path, ...way]));
    }
    return paths;
  }
  if (node.kind === "choice" && node.options.some((option) => some(option, isUnbounded))) {
    const paths: RegexNode[][] = [];
    for (const option of node.options) {
      const ways = expand(option);
      if (!ways) return undefined;
      paths.push(...ways);
    }
    return paths.length > MOST_PATHS ? undefined : paths;
  }
  if (node.kind === "repeat" && !isUnbounded(node) && some(node.item, isUnbounded)) {
    const ways = expand(node.item);
    if (!ways) return undefined;
    return node.min === 0 ? [[], ...ways] : ways;
  }
  return [[node]];
}

/** The longest chain of repeats in which each can give characters to the next. */
function longestTrade(path: readonly RegexNode[], anchored: boolean): number {
  const any: RegexNode = { kind: "repeat", item: { kind: "set", set: [[0, 0x10ffff]] }, min: 0, max: Infinity };
  const nodes = anchored ? path : [any, ...path];
  const last = lastThatCanFail(nodes);
  const chain: number[] = [];
  let longest = 0;
  for (let at = 0; at <= last; at++) {
    chain[at] = 0;
    const node = asUnbounded(nodes[at]);
    if (!node) continue;
    const set = allSets(node.item);
    let best = 1;
    for (let from = 0; from < at; from++) {
      const earlier = asUnbounded(nodes[from]);
      if (!earlier) continue;
      const earlierSet = allSets(earlier.item);
      if (!overlaps(set, earlierSet)) continue;
      const between = nodes.slice(from + 1, at);
      if (between.every((item) => fits(item, set) && fits(item, earlierSet)))
        best = Math.max(best, (chain[from] ?? 0) + 1);
    }
    chain[at] = best;
    longest = Math.max(longest, best);
  }
  return longest;
}

/** A repeat at the very end, or `.*$`, always succeeds, so that nothing is tried again because of it. */
function lastThatCanFail(nodes: readonly RegexNode[]): number {
  const last = nodes.length - 1;
  const beforeEnd = asUnbounded(nodes[last - 1]);
  if (nodes[last]?.kind === "assert" && beforeEnd && overlaps(allSets(beforeEnd.item), [[1, 8]])) return last - 2;
  let at = last;
  while (nodes[at]?.kind === "repeat" && isNullable(nodes[at] as RegexNode)) at--;
  const repeat = asUnbounded(nodes[at]);
  return repeat && repeat.min <= 1 ? at - 1 : at;
}
