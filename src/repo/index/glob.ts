/**
 * A glob as git reads it, over byte strings. Ignore files come with strangers' repositories, so matching is bounded:
 * a glob with up to two wildcards of open length becomes a regular expression, any other one is simulated state by
 * state, in time of its length times the path's, where backtracking could take for ever.
 */

export type GlobMatcher = (subject: string) => boolean;

type Token =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "set"; readonly source: string; readonly regex: RegExp }
  /** `*`: anything but a slash. */
  | { readonly kind: "star" }
  /** `**` at the end, or `*` in a name: anything. */
  | { readonly kind: "all" }
  /** A `**` with its slash: any number of folders, none included. */
  | { readonly kind: "dirs" };

/** @returns undefined when git would never match the glob (an open bracket, a backslash at its end). */
export function compileGlob(glob: string, hasPath: boolean): GlobMatcher | undefined {
  const tokens = tokensOf(glob, hasPath);
  if (!tokens) return undefined;
  const open = tokens.filter((token) => token.kind === "star" || token.kind === "all" || token.kind === "dirs").length;
  if (open > 2) return (subject) => simulate(tokens, subject, hasPath);
  const regex = new RegExp(`^${tokens.map((token) => sourceOf(token, hasPath)).join("")}$`);
  return (subject) => regex.test(subject);
}

function tokensOf(glob: string, hasPath: boolean): Token[] | undefined {
  const tokens: Token[] = [];
  // Git compares what stands before the first wildcard by itself and begins the glob after it, so `ab**/c` means
  // what `**/c` would mean there.
  const firstSpecial = glob.search(/[*?[\\]/);
  let at = 0;
  while (at < glob.length) {
    const c = glob[at] as string;
    if (c === "*") {
      let end = at;
      while (glob[end] === "*") end++;
      const opensPart = at === firstSpecial || glob[at - 1] === "/";
      const escapedSlash = glob[end] === "\\" && glob[end + 1] === "/";
      const closesPart = end === glob.length || glob[end] === "/" || escapedSlash;
      const crosses = hasPath && end - at >= 2 && opensPart && closesPart;
      if (crosses && glob[end] === "/") {
        // Twice the same says nothing more.
        if (tokens[tokens.length - 1]?.kind !== "dirs") tokens.push({ kind: "dirs" });
        end++;
      } else tokens.push({ kind: !hasPath || crosses ? "all" : "star" });
      at = end;
    } else if (c === "?") {
      tokens.push({ kind: "any" });
      at++;
    } else if (c === "[") {
      const set = bracket(glob, at, hasPath);
      if (!set) return undefined;
      tokens.push({ kind: "set", source: set.source, regex: new RegExp(`^${set.source}$`) });
      at = set.end;
    } else {
      const char = c === "\\" ? glob[at + 1] : c;
      if (char === undefined) return undefined;
      tokens.push({ kind: "char", char });
      at += c === "\\" ? 2 : 1;
    }
  }
  return tokens;
}

function sourceOf(token: Token, hasPath: boolean): string {
  switch (token.kind) {
    case "char":
      return escapeRegex(token.char);
    case "any":
      return hasPath ? "[^/]" : "[\\s\\S]";
    case "set":
      return token.source;
    case "star":
      return "[^/]*";
    case "all":
      return "[\\s\\S]*";
    case "dirs":
      return "(?:[\\s\\S]*/)?";
  }
}

/** State `i` stands before token `i`; `inside[i]` is a `dirs` token that has begun and waits for its slash. */
function simulate(tokens: readonly Token[], subject: string, hasPath: boolean): boolean {
  const count = tokens.length;
  let states = new Uint8Array(count + 1);
  let inside = new Uint8Array(count + 1);
  states[0] = 1;
  skipOptional(tokens, states);
  for (let at = 0; at < subject.length; at++) {
    const char = subject[at] as string;
    const nextStates = new Uint8Array(count + 1);
    const nextInside = new Uint8Array(count + 1);
    let alive = false;
    for (let i = 0; i < count; i++) {
      const token = tokens[i] as Token;
      if (token.kind === "dirs") {
        if (!states[i] && !inside[i]) continue;
        nextInside[i] = 1;
        if (char === "/") nextStates[i + 1] = 1;
        alive = true;
      } else if (states[i]) {
        const stays = token.kind === "all" || (token.kind === "star" && char !== "/");
        if (stays) nextStates[i] = 1;
        else if (takes(token, char, hasPath)) nextStates[i + 1] = 1;
        else continue;
        alive = true;
      }
    }
    if (!alive) return false;
    skipOptional(tokens, nextStates);
    states = nextStates;
    inside = nextInside;
  }
  return states[count] === 1;
}

function skipOptional(tokens: readonly Token[], states: Uint8Array): void {
  for (let i = 0; i < tokens.length; i++) {
    const kind = tokens[i]?.kind;
    if (states[i] && (kind === "star" || kind === "all" || kind === "dirs")) states[i + 1] = 1;
  }
}

function takes(token: Token, char: string, hasPath: boolean): boolean {
  if (token.kind === "char") return token.char === char;
  if (token.kind === "any") return !hasPath || char !== "/";
  return token.kind === "set" && token.regex.test(char);
}

const CLASSES: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "a-z",
  print: "\\x20-\\x7e",
  punct: "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
  space: " \\t\\n\\x0b\\f\\r",
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
};

/** One bracket expression from `start` on. A slash is never in it when paths are matched. */
function bracket(glob: string, start: number, hasPath: boolean): { source: string; end: number } | undefined {
  let at = start + 1;
  const negated = glob[at] === "!" || glob[at] === "^";
  if (negated) at++;
  let body = "";
  let previous = "";
  for (let first = true; ; first = false) {
    let c = glob[at];
    if (c === undefined) return undefined;
    if (c === "]" && !first) break;
    if (c === "-" && previous !== "" && glob[at + 1] !== undefined && glob[at + 1] !== "]") {
      at++;
      c = glob[at] as string;
      if (c === "\\") {
        at++;
        if (glob[at] === undefined) return undefined;
        c = glob[at] as string;
      }
      // A range that runs backwards holds nothing but is no error; its first end has been added already.
      if (previous <= c) body += `${hex(previous)}-${hex(c)}`;
      previous = "";
      at++;
      continue;
    }
    if (c === "[" && glob[at + 1] === ":") {
      const close = glob.indexOf("]", at + 2);
      if (close < 0) return undefined;
      if (close > at + 2 && glob[close - 1] === ":") {
        const named = CLASSES[glob.slice(at + 2, close - 1)];
        if (named === undefined) return undefined;
        body += named;
        previous = "";
        at = close + 1;
        continue;
      }
    }
    if (c === "\\") {
      at++;
      if (glob[at] === undefined) return undefined;
      c = glob[at] as string;
    }
    body += hex(c);
    previous = c;
    at++;
  }
  const end = at + 1;
  const guard = hasPath ? "(?!/)" : "";
  if (body === "") return { source: negated ? `${guard}[^]` : "(?!)", end };
  return { source: `${guard}[${negated ? "^" : ""}${body}]`, end };
}

function hex(c: string): string {
  return `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

function escapeRegex(c: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(c) ? `\\${c}` : c;
}
