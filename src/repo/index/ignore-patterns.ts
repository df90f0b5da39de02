/**
 * The patterns of one ignore file, with git's own semantics: last match wins, `/` anchors, a trailing `/` means folders
 * only, `**` crosses folders, and everything is matched byte by byte (`?` is one byte of a UTF-8 name).
 * A pattern is asked about one path at a time and never about its parents: who is ignored through a parent is the
 * chain's business, since a deeper file may have taken the parent back in. (The `ignore` package looks at parents by
 * itself and folds case, so it disagrees with `git check-ignore` on such trees.)
 */

import { compileGlob, type GlobMatcher } from "./glob.ts";

export interface PatternList {
  /**
   * Index of the last pattern that matches, or -1. `path` is relative to the file's own folder, `name` its last part,
   * both as byte strings (`byteString`).
   */
  match(path: string, name: string, isDir: boolean): number;
  isNegative(index: number): boolean;
  /** The pattern as written, for reasons. */
  text(index: number): string;
  readonly size: number;
}

interface Pattern {
  readonly text: string;
  readonly negative: boolean;
  readonly dirOnly: boolean;
  /** Matched against the name alone, since it has no inner slash. */
  readonly nameOnly: boolean;
  /** A pattern without wildcards is compared, which is most of them. */
  readonly literal: string | undefined;
  /** `*.ext`: compared at the end of the name. */
  readonly suffix: string | undefined;
  readonly glob: GlobMatcher | undefined;
}

/** The most patterns and bytes that one file may bring; the rest is not read. A hostile file must not stop a walk. */
const MAX_PATTERNS = 20_000;
const MAX_PATTERN_BYTES = 4096;

export function parsePatterns(source: string | Uint8Array, options: { ignoreCase?: boolean } = {}): PatternList {
  let text = typeof source === "string" ? byteString(source) : Buffer.from(source).toString("latin1");
  if (text.startsWith("\xef\xbb\xbf")) text = text.slice(3);
  const patterns: Pattern[] = [];
  for (const line of text.split("\n")) {
    if (patterns.length >= MAX_PATTERNS) break;
    const pattern = parseLine(line.endsWith("\r") ? line.slice(0, -1) : line, options.ignoreCase ?? false);
    if (pattern) patterns.push(pattern);
  }
  return new Patterns(patterns, options.ignoreCase ?? false);
}

/** A string with one character a UTF-8 byte: what git compares. ASCII stays as it is. */
export function byteString(text: string): string {
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) > 127) return Buffer.from(text, "utf8").toString("latin1");
  return text;
}

class Patterns implements PatternList {
  /** Names without wildcards that any folder may have (`node_modules`, `.DS_Store`): one look-up for all of them. */
  private readonly names = new Map<string, number[]>();
  private readonly others: number[] = [];

  constructor(
    private readonly patterns: readonly Pattern[],
    private readonly ignoreCase: boolean,
  ) {
    for (let i = 0; i < patterns.length; i++) {
      const pattern = patterns[i] as Pattern;
      if (pattern.nameOnly && pattern.literal !== undefined) {
        const list = this.names.get(pattern.literal);
        if (list) list.push(i);
        else this.names.set(pattern.literal, [i]);
      } else this.others.push(i);
    }
  }

  get size(): number {
    return this.patterns.length;
  }

  match(path: string, name: string, isDir: boolean): number {
    const wantedPath = this.ignoreCase ? foldAscii(path) : path;
    const wantedName = this.ignoreCase ? foldAscii(name) : name;
    let best = -1;
    const named = this.names.get(wantedName);
    if (named)
      for (let i = named.length - 1; i >= 0 && best < 0; i--) {
        const index = named[i] as number;
        if (isDir || !this.patterns[index]?.dirOnly) best = index;
      }
    for (let i = this.others.length - 1; i >= 0; i--) {
      const index = this.others[i] as number;
      if (index < best) break;
      const pattern = this.patterns[index] as Pattern;
      if (pattern.dirOnly && !isDir) continue;
      const subject = pattern.nameOnly ? wantedName : wantedPath;
      const hit =
        pattern.literal !== undefined
          ? subject === pattern.literal
          : pattern.suffix !== undefined
            ? subject.endsWith(pattern.suffix)
            : (pattern.glob?.(subject) ?? false);
      if (hit) {
        best = index;
        break;
      }
    }
    return best;
  }

  isNegative(index: number): boolean {
    return this.patterns[index]?.negative ?? false;
  }

  text(index: number): string {
    return Buffer.from(this.patterns[index]?.text ?? "", "latin1").toString("utf8");
  }
}

function parseLine(line: string, ignoreCase: boolean): Pattern | undefined {
  if (line.startsWith("#")) return undefined;
  const text = trimTrailingSpaces(line);
  if (text === "" || text.length > MAX_PATTERN_BYTES) return undefined;
  let body = text;
  const negative = body.startsWith("!");
  if (negative) body = body.slice(1);
  const dirOnly = body.endsWith("/");
  if (dirOnly) body = body.slice(0, -1);
  const nameOnly = !body.includes("/");
  if (body.startsWith("/")) body = body.slice(1);
  if (body === "") return undefined;
  if (ignoreCase) body = foldAscii(body);
  const base = { text, negative, dirOnly, nameOnly };
  if (!/[*?[\\]/.test(body)) return { ...base, literal: body, suffix: undefined, glob: undefined };
  if (nameOnly && body.startsWith("*") && !/[*?[\\]/.test(body.slice(1)))
    return { ...base, literal: undefined, suffix: body.slice(1), glob: undefined };
  const glob = compileGlob(body, !nameOnly);
  return glob && { ...base, literal: undefined, suffix: undefined, glob };
}

/** Spaces at the end go, unless a backslash keeps them. */
function trimTrailingSpaces(line: string): string {
  let end = line.length;
  let spaces = -1;
  for (let at = 0; at < line.length; at++) {
    const c = line[at];
    if (c === " ") {
      if (spaces < 0) spaces = at;
    } else {
      if (c === "\\") {
        at++;
        if (at >= line.length) return line;
      }
      spaces = -1;
    }
  }
  if (spaces >= 0) end = spaces;
  return line.slice(0, end);
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}
