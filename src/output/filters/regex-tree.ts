/**
 * A pattern as a tree, for the two questions asked of patterns before they run: which words can a match begin with
 * (`leads`), and can it backtrack without bound (`linear.ts`). Reads the JavaScript spelling that `regex.ts` makes
 * and over-approximates what it need not know exactly.
 */

/** Inclusive code point ranges. */
export type CharSet = readonly (readonly [number, number])[];

export type RegexNode =
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "sequence"; readonly items: readonly RegexNode[] }
  | { readonly kind: "choice"; readonly options: readonly RegexNode[] }
  | { readonly kind: "repeat"; readonly item: RegexNode; readonly min: number; readonly max: number }
  | { readonly kind: "assert"; readonly what: "start" | "end" | "boundary" | "not-boundary" }
  | { readonly kind: "look"; readonly item: RegexNode; readonly negative: boolean; readonly behind: boolean }
  | { readonly kind: "backreference" };

const LAST = 0x10ffff;
export const ANY: CharSet = [[0, LAST]];
const NOT_NEWLINE: CharSet = [
  [0, 9],
  [11, 12],
  [14, LAST],
];
const DIGIT: CharSet = [[48, 57]];
const WORD: CharSet = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const SPACE: CharSet = [
  [9, 13],
  [32, 32],
  [160, 160],
  [5760, 5760],
  [8192, 8202],
  [8232, 8233],
  [8239, 8239],
  [8287, 8287],
  [12288, 12288],
  [65279, 65279],
];

export function invert(set: CharSet): CharSet {
  const out: [number, number][] = [];
  let next = 0;
  for (const [from, to] of [...set].sort((a, b) => a[0] - b[0])) {
    if (from > next) out.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= LAST) out.push([next, LAST]);
  return out;
}

export function overlaps(a: CharSet, b: CharSet): boolean {
  return a.some(([from, to]) => b.some(([low, high]) => from <= high && low <= to));
}

/** @param flags of the whole pattern: `i` folds ASCII letters, `s` lets `.` match a line end. */
export function parseRegex(pattern: string, flags = ""): RegexNode {
  return new Parser(pattern, flags.includes("i"), flags.includes("s")).parse();
}

class Parser {
  private at = 0;

  constructor(
    private readonly text: string,
    private fold: boolean,
    private dotAll: boolean,
  ) {}

  parse(): RegexNode {
    const node = this.choice();
    if (this.at < this.text.length) throw new SyntaxError("unbalanced ')'");
    return node;
  }

  private choice(): RegexNode {
    const options = [this.sequence()];
    while (this.text[this.at] === "|") {
      this.at++;
      options.push(this.sequence());
    }
    const [only] = options;
    return options.length === 1 && only ? only : { kind: "choice", options };
  }

  private sequence(): RegexNode {
    const items: RegexNode[] = [];
    while (this.at < this.text.length && this.text[this.at] !== "|" && this.text[this.at] !== ")") {
      items.push(this.quantified(this.atom()));
    }
    const [only] = items;
    return items.length === 1 && only ? only : { kind: "sequence", items };
  }

  private quantified(item: RegexNode): RegexNode {
    let node = item;
    for (;;) {
      const rest = this.text.slice(this.at, this.at + 24);
      const braces = /^\{(\d+)(,(\d*))?\}/.exec(rest);
      let min = 0;
      let max = Number.POSITIVE_INFINITY;
      if (rest[0] === "*") this.at++;
      else if (rest[0] === "+") {
        min = 1;
        this.at++;
      } else if (rest[0] === "?") {
        max = 1;
        this.at++;
      } else if (braces) {
        min = Number(braces[1]);
        max = braces[2] === undefined ? min : braces[3] ? Number(braces[3]) : Number.POSITIVE_INFINITY;
        this.at += braces[0].length;
      } else return node;
      if (this.text[this.at] === "?") this.at++;
      node = { kind: "repeat", item: node, min, max };
    }
  }

  private atom(): RegexNode {
    const char = this.text[this.at];
    if (char === "(") return this.group();
    if (char === "[") return { kind: "set", set: this.class() };
    if (char === "\\") return this.escape();
    const code = this.text.codePointAt(this.at) ?? 0;
    this.at += code > 0xffff ? 2 : 1;
    if (char === ".") return { kind: "set", set: this.dotAll ? ANY : NOT_NEWLINE };
    if (char === "^") return { kind: "assert", what: "start" };
    if (char === "$") return { kind: "assert", what: "end" };
    return { kind: "set", set: this.folded([[code, code]]) };
  }

  private group(): RegexNode {
    const rest = this.text.slice(this.at, this.at + 64);
    const look = /^\(\?(<?)([=!])/.exec(rest);
    const modifiers = /^\(\?([ims]*)(?:-([ims]+))?:/.exec(rest);
    const named = /^\(\?<[^>]+>/.exec(rest);
    const saved = [this.fold, this.dotAll] as const;
    this.at += look?.[0].length ?? modifiers?.[0].length ?? named?.[0].length ?? 1;
    if (modifiers) {
      if (modifiers[1]?.includes("i")) this.fold = true;
      if (modifiers[1]?.includes("s")) this.dotAll = true;
      if (modifiers[2]?.includes("i")) this.fold = false;
      if (modifiers[2]?.includes("s")) this.dotAll = false;
    }
    const item = this.choice();
    if (this.text[this.at] !== ")") throw new SyntaxError("a group is not closed");
    this.at++;
    [this.fold, this.dotAll] = saved;
    return look ? { kind: "look", item, negative: look[2] === "!", behind: look[1] === "<" } : item;
  }

  private escape(): RegexNode {
    const next = this.text[this.at + 1] ?? "";
    if (next === "b" || next === "B") {
      this.at += 2;
      return { kind: "assert", what: next === "b" ? "boundary" : "not-boundary" };
    }
    if (/[1-9]/.test(next) || next === "k") {
      this.at += next === "k" ? this.text.indexOf(">", this.at) - this.at + 1 : 2;
      return { kind: "backreference" };
    }
    return { kind: "set", set: this.folded(this.escapedSet()) };
  }

  /** The set of an escape, inside a class or outside; moves past it. */
  private escapedSet(): CharSet {
    const rest = this.text.slice(this.at, this.at + 12);
    const next = rest[1] ?? "";
    const hex = /^\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\})/.exec(rest);
    if (hex) {
      this.at += hex[0].length;
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? "0", 16);
      return [[code, code]];
    }
    if (next === "p" || next === "P") {
      const end = this.text.indexOf("}", this.at);
      this.at = end < 0 ? this.text.length : end + 1;
      return ANY;
    }
    this.at += 2;
    const classes: Record<string, CharSet> = {
      d: DIGIT,
      D: invert(DIGIT),
      w: WORD,
      W: invert(WORD),
      s: SPACE,
      S: invert(SPACE),
    };
    const known = classes[next];
    if (known) return known;
    const control = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0, b: 8 }[next];
    const code = control ?? next.codePointAt(0) ?? 0;
    return [[code, code]];
  }

  private class(): CharSet {
    this.at++;
    const negative = this.text[this.at] === "^";
    if (negative) this.at++;
    const set: [number, number][] = [];
    while (this.at < this.text.length && this.text[this.at] !== "]") {
      const from = this.member();
      if (this.text[this.at] === "-" && this.text[this.at + 1] !== "]" && from.length === 1) {
        const start = from[0]?.[0] ?? 0;
        this.at++;
        const to = this.member();
        set.push([start, to[0]?.[1] ?? start]);
      } else for (const [low, high] of from) set.push([low, high]);
    }
    this.at++;
    const folded = this.folded(set);
    return negative ? invert(folded) : folded;
  }

  private member(): CharSet {
    if (this.text[this.at] === "\\") return this.escapedSet();
    const code = this.text.codePointAt(this.at) ?? 0;
    this.at += code > 0xffff ? 2 : 1;
    return [[code, code]];
  }

  private folded(set: CharSet): CharSet {
    if (!this.fold) return set;
    const out: [number, number][] = set.map(([low, high]) => [low, high]);
    for (const [low, high] of set) {
      for (const [first, last, shift] of [
        [65, 90, 32],
        [97, 122, -32],
      ] as const) {
        const from = Math.max(low, first);
        const to = Math.min(high, last);
        if (from <= to) out.push([from + shift, to + shift]);
      }
    }
    return out;
  }
}

/** More first words than this from one pattern are as good as any word. */
const MOST_WORDS = 64;
/** With their second words: past this the second word is not asked for. */
const MOST_LEADS = 400;

/** How a command begins that a pattern matches. */
export interface Lead {
  readonly first: string;
  /** Undefined: any second word, or none. */
  readonly second?: string;
  /** The second word may go on behind its letters and digits: `test-all` for `test\b`. */
  readonly goesOn?: boolean;
}

/**
 * The first two words a command matched by the pattern can have (`^(?:yarn|pnpm)\s+test\b` → yarn test, pnpm test), or
 * undefined when the first can't be listed. Over-approximates: a listed lead need not match, but no other can.
 */
export function leads(node: RegexNode): readonly Lead[] | undefined {
  const done: Done = new Map();
  const walked = walk([node], [""], done);
  if (!walked) return undefined;
  // Where the pattern ends, the command may go on.
  for (const prefix of walked) anySecond(prefix, done);
  const found = [...done.values()];
  return done.has("") || new Set(found.map(({ first }) => first)).size > MOST_WORDS ? undefined : found;
}

type Done = Map<string, Lead>;

function anySecond(prefix: string, done: Done): void {
  const first = firstOf(prefix);
  done.set(first, { first });
}

function firstOf(prefix: string): string {
  const space = prefix.indexOf(" ");
  return space < 0 ? prefix : prefix.slice(0, space);
}

/**
 * Extends each prefix (a word, or a word, one space and what is known of the second) by the nodes; leads that are whole
 * go to `done`. Undefined when the pattern may match anywhere or any word.
 */
function walk(nodes: readonly RegexNode[], prefixes: string[], done: Done): string[] | undefined {
  let open = prefixes;
  for (const node of nodes) {
    if (open.length === 0) return open;
    const next = open.length + done.size > MOST_LEADS ? giveUp(open, done) : extend(node, open, done);
    if (!next) return undefined;
    open = next;
  }
  return open;
}

function extend(node: RegexNode, open: string[], done: Done): string[] | undefined {
  if (node.kind === "sequence") return walk(node.items, open, done);
  if (node.kind === "look") return open;
  if (node.kind === "assert") {
    if (node.what === "start") return open;
    if (node.what === "not-boundary") return giveUp(open, done);
    // Every prefix is whole here: a boundary after a letter, or the end.
    for (const prefix of open) whole(prefix, node.what === "boundary", done);
    return [];
  }
  if (node.kind === "choice") {
    const out: string[] = [];
    for (const option of node.options) {
      const branch = extend(option, open, done);
      if (!branch) return undefined;
      out.push(...branch);
    }
    return [...new Set(out)];
  }
  if (node.kind === "set") {
    const chars = members(node.set);
    if (!chars) return onlySpace(node.set) ? spaced(open, done) : giveUp(open, done);
    const letters = chars.filter((char) => !/\s/.test(char));
    const out = letters.length < chars.length ? spaced(open, done) : [];
    return [...out, ...open.flatMap((prefix) => letters.map((char) => prefix + char))];
  }
  if (node.kind === "repeat") {
    if (node.item.kind === "set" && onlySpace(node.item.set)) {
      const behind = spaced(open, done);
      return node.min === 0 ? [...new Set([...open, ...behind])] : behind;
    }
    if (node.max > 2) return giveUp(open, done);
    let current = open;
    const out = node.min === 0 ? [...open] : [];
    for (let round = 1; round <= node.max; round++) {
      const next = extend(node.item, current, done);
      if (!next) return undefined;
      if (round >= node.min) out.push(...next);
      current = next;
    }
    return [...new Set(out)];
  }
  return giveUp(open, done);
}

/** What comes next can't be listed: in a second word that leaves its first. */
function giveUp(open: readonly string[], done: Done): string[] | undefined {
  if (open.some((prefix) => !prefix.includes(" "))) return undefined;
  for (const prefix of open) anySecond(prefix, done);
  return [];
}

/** Behind white space: a first word waits for its second, a second one is whole. */
function spaced(open: readonly string[], done: Done): string[] {
  const out: string[] = [];
  for (const prefix of open) {
    if (prefix === "" || (prefix.includes(" ") && !prefix.endsWith(" "))) whole(prefix, false, done);
    else out.push(prefix.endsWith(" ") ? prefix : `${prefix} `);
  }
  return out;
}

function whole(prefix: string, goesOn: boolean, done: Done): void {
  const first = firstOf(prefix);
  const second = prefix.slice(first.length + 1);
  if (second === "") anySecond(prefix, done);
  else if (goesOn) done.set(`${prefix} `, { first, second, goesOn });
  else done.set(prefix, { first, second });
}

function onlySpace(set: CharSet): boolean {
  return set.every(([low, high]) => SPACE.some(([from, to]) => low >= from && high <= to));
}

function members(set: CharSet): string[] | undefined {
  let count = 0;
  for (const [low, high] of set) count += high - low + 1;
  if (count > 8) return undefined;
  return set.flatMap(([low, high]) =>
    Array.from({ length: high - low + 1 }, (_, at) => String.fromCodePoint(low + at)),
  );
}

/** Whether every match begins at the start of the text. */
export function isAnchored(node: RegexNode): boolean {
  if (node.kind === "assert") return node.what === "start";
  if (node.kind === "choice") return node.options.every(isAnchored);
  if (node.kind === "sequence") {
    for (const item of node.items) {
      if (isAnchored(item)) return true;
      if (item.kind !== "look" && item.kind !== "assert") return false;
    }
  }
  return false;
}
