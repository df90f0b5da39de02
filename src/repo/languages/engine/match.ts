/** Finds patterns in a flat tree: every way a pattern fits, in document order of its root. */
import type { FlatTree } from "./flatten.ts";
import type { Pattern, PatternSet, Step } from "./pattern.ts";

export type Matcher = {
  /** By public symbol: the patterns whose root it may be. Patterns with any root stand in every list. */
  bySymbol: Map<number, Pattern[]>;
  anyRoot: Pattern[];
  set: PatternSet;
};

export function prepareMatcher(set: PatternSet): Matcher {
  const anyRoot = set.patterns.filter((pattern) => pattern.steps[0]?.symbols === undefined);
  const bySymbol = new Map<number, Pattern[]>();
  for (const pattern of set.patterns) {
    for (const symbol of pattern.steps[0]?.symbols ?? []) {
      const list = bySymbol.get(symbol) ?? [...anyRoot];
      bySymbol.set(symbol, list);
      list.push(pattern);
    }
  }
  return { bySymbol, anyRoot, set };
}

/**
 * Calls `found` with the pattern and the node that each of its steps is bound to; `bound` is reused.
 * Returns false when `shouldStop` said so.
 */
export function matchAll(
  tree: FlatTree,
  text: string,
  matcher: Matcher,
  found: (pattern: Pattern, bound: Int32Array) => void,
  shouldStop?: () => boolean,
): boolean {
  const bound = new Int32Array(64);
  const { symbol, field, start, end: ends, after, count } = tree;
  const bySymbol: (Pattern[] | undefined)[] = [];
  for (const [key, list] of matcher.bySymbol) bySymbol[key] = list;
  const anyRoot = matcher.anyRoot.length > 0 ? matcher.anyRoot : undefined;
  let work = 0;
  let isStopped = false;

  function fits(step: Step, node: number): boolean {
    if (step.field !== 0 && field[node] !== step.field) return false;
    if (step.symbol >= 0) {
      if (symbol[node] !== step.symbol) return false;
    } else if (step.symbols !== undefined && !step.symbols.has(symbol[node] ?? 0)) return false;
    if (step.test !== undefined && !passes(step.test, node)) return false;
    return step.withoutFields.length === 0 || lacks(step.withoutFields, node);
  }
  function passes(test: (text: string) => boolean, node: number): boolean {
    const from = start[node] ?? 0;
    return test(text.slice(from, Math.min(ends[node] ?? from, from + 200)));
  }
  function lacks(fields: readonly number[], node: number): boolean {
    const end = after[node] ?? 0;
    for (let child = node + 1; child < end; child = after[child] ?? end) {
      if (fields.includes(field[child] ?? 0)) return false;
    }
    return true;
  }
  function bind(pattern: Pattern, at: number): void {
    const step = pattern.steps[at];
    if (step === undefined) {
      found(pattern, bound);
      return;
    }
    const parent = bound[step.parent] ?? 0;
    const end = after[parent] ?? 0;
    const first = step.previous === -1 ? parent + 1 : (after[bound[step.previous] ?? 0] ?? end);
    for (let child = first; child < end; child = after[child] ?? end) {
      if ((++work & 0xffff) === 0 && shouldStop?.()) isStopped = true;
      if (isStopped) return;
      if (fits(step, child) && (!step.isLast || after[child] === end)) {
        bound[at] = child;
        bind(pattern, at + 1);
      }
      if (step.isAnchored) return;
    }
  }

  for (let node = 0; node < count && !isStopped; node++) {
    const patterns = bySymbol[symbol[node] ?? 0] ?? anyRoot;
    if (patterns === undefined) continue;
    for (const pattern of patterns) {
      const root = pattern.steps[0];
      if (root === undefined) continue;
      if (root.test !== undefined && !passes(root.test, node)) continue;
      if (root.withoutFields.length > 0 && !lacks(root.withoutFields, node)) continue;
      bound[0] = node;
      if (pattern.steps.length === 1) found(pattern, bound);
      else bind(pattern, 1);
    }
  }
  return !isStopped;
}
