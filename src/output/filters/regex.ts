/**
 * Patterns of filter files: JavaScript regexes that also take the inline forms of other engines (`(?i)`, `(?m)`, `(?s)`,
 * `(?P<name>…)`, `\A`, `\z`, `[[:alpha:]]`), since filter authors know those. Never runs a pattern; see `linear.ts` for
 * what may run without a time limit.
 */

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "A-Za-z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  blank: " \\t",
  punct: "!-\\/:-@\\[-`{-~",
  xdigit: "0-9A-Fa-f",
  word: "\\w",
  cntrl: "\\x00-\\x1f\\x7f",
};

/** Letters that mean something after a backslash; another one would silently match itself, so it is an error. */
const KNOWN_ESCAPES = /[dDwWsSbBnrtfv0-9xuUpPkcAzZh]/;

/** Whatever JavaScript would read in another way; most patterns have none of it. */
const NEEDS_TRANSLATION = /\(\?(?:[a-zA-Z-]|>)|\\[AzZhxpPu]|\[\^?[\][]|[\ud800-\udfff]|[+*?}]\+|^\(\?/;

/** @throws SyntaxError that says what is wrong with the pattern. */
export function compilePattern(source: string): RegExp {
  if (!NEEDS_TRANSLATION.test(source)) return new RegExp(source);
  const { pattern, flags } = translatePattern(source);
  return new RegExp(pattern, flags);
}

/** The JavaScript spelling of a pattern. @throws SyntaxError for what has no JavaScript form. */
export function translatePattern(source: string): { pattern: string; flags: string } {
  let flags = "";
  let body = source;
  const leading = /^\(\?([a-zA-Z]+)\)/.exec(body);
  if (leading?.[1]) {
    for (const flag of leading[1]) {
      if (!"imsuU".includes(flag)) throw new SyntaxError(`inline flag '${flag}' is not supported`);
      if (flag !== "U" && flag !== "u" && !flags.includes(flag)) flags += flag;
    }
    body = body.slice(leading[0].length);
  }
  let out = "";
  let inClass = false;
  let openedModifiers: number[] = [];
  let depth = 0;
  let unicode = false;
  for (let at = 0; at < body.length; at++) {
    const char = body[at] as string;
    const code = char.charCodeAt(0);
    if (code >= 0xd800 && code <= 0xdfff) unicode = true;
    if (char === "\\") {
      const next = body[++at];
      if (next === undefined) throw new SyntaxError("the pattern ends in a lone backslash");
      if (/[A-Za-z0-9]/.test(next) && !KNOWN_ESCAPES.test(next)) throw new SyntaxError(`unknown escape '\\${next}'`);
      if (next === "A") out += "(?<![\\s\\S])";
      else if (next === "z" || next === "Z") out += "(?![\\s\\S])";
      else if (next === "h") out += inClass ? " \\t" : "[ \\t]";
      else if (next === "x" && body[at + 1] === "{") {
        unicode = true;
        out += "\\u";
      } else {
        if (next === "p" || next === "P" || (next === "u" && body[at + 1] === "{")) unicode = true;
        out += `\\${next}`;
      }
      continue;
    }
    if (inClass) {
      const posix = char === "[" ? /^\[:(\^?)([a-z]+):\]/.exec(body.slice(at, at + 16)) : null;
      if (posix) {
        const members = POSIX_CLASSES[posix[2] ?? ""];
        if (members === undefined || posix[1]) throw new SyntaxError(`unknown class '${posix[0]}'`);
        out += members;
        at += posix[0].length - 1;
        continue;
      }
      if (char === "]") inClass = false;
      out += char === "[" ? "\\[" : char;
      continue;
    }
    if (char === "[") {
      inClass = true;
      out += char;
      // A `]` that stands first is a member in other engines and would close an empty class in JavaScript.
      if (body[at + 1] === "^") {
        out += "^";
        at++;
      }
      if (body[at + 1] === "]") {
        out += "\\]";
        at++;
      }
      continue;
    }
    if (char === "(") {
      const rest = body.slice(at, at + 24);
      const inline = /^\(\?(-?[imsu]+(?:-[imsu]+)?)\)/.exec(rest);
      if (inline) {
        // `a(?i)b` holds to the end of its group: the same as `a(?i:b)`.
        out += `(?${inline[1]}:`;
        openedModifiers.push(depth);
        at += inline[0].length - 1;
        continue;
      }
      if (rest.startsWith("(?P<")) {
        out += "(?<";
        at += 3;
      } else if (rest.startsWith("(?x")) {
        throw new SyntaxError("inline flag 'x' is not supported");
      } else if (rest.startsWith("(?>")) {
        throw new SyntaxError("atomic groups are not supported");
      } else out += char;
      depth++;
      continue;
    }
    if (char === ")") {
      while (openedModifiers.at(-1) === depth) {
        openedModifiers.pop();
        out += ")";
      }
      depth--;
      out += char;
      continue;
    }
    // Possessive quantifiers would be read as a quantifier on a quantifier.
    if (char === "+" && /[*+?}]/.test(body[at - 1] ?? "") && body[at - 2] !== "\\" && body[at - 1] !== "?")
      throw new SyntaxError("possessive quantifiers are not supported");
    out += char;
  }
  if (inClass) throw new SyntaxError("a character class is not closed");
  while (openedModifiers.length > 0) {
    openedModifiers.pop();
    out += ")";
  }
  openedModifiers = [];
  return { pattern: out, flags: unicode ? `${flags}u` : flags };
}

/** What is wrong with a pattern, or undefined. */
export function patternProblem(source: string): string | undefined {
  try {
    const { pattern, flags } = translatePattern(source);
    new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll("\n", " ") : String(error);
  }
}
