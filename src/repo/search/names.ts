/**
 * What names tell: how well a file's name answers a question, and whether a file is called after a symbol. Looks at
 * paths only, never at text.
 */
import { forEachWord, splitIdentifier, stem } from "./tokenize.ts";

/** Words that differ by their ending meet from this length of stem on: below it, strangers do. */
const MIN_STEM = 4;
/** How much a word's rarity among the pool's file names decides; the rest counts every word alike. */
const RARITY = 0.8;

/**
 * For each path, how much of the question's content words its name holds, 0 to 1. A word counts by how few of the
 * `paths` hold it: the project's own name, or that of a folder where all of them lie, tells nothing apart
 * (.006 NDCG on half A).
 */
export function fileNameShares(paths: readonly string[], keywords: readonly string[]): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  if (keywords.length === 0) return shares;
  // Every kind of match begins alike: a name without a word's beginning need not be taken apart.
  const wanted = keywords.map((word) => ({ word, head: word.slice(0, 3), stem: longStem(word) }));
  const holders = new Uint32Array(keywords.length);
  const held = paths.map((path) => {
    const found: number[] = [];
    const texts = nameAndFolder(path);
    const lower = texts.join("/").toLowerCase();
    let parts: ReadonlySet<string> | undefined;
    for (let at = 0; at < wanted.length; at++) {
      const { word, head, stem } = wanted[at] as (typeof wanted)[number];
      if (!lower.includes(head)) continue;
      parts ??= partsOf(texts);
      if (!names(parts, word, stem)) continue;
      found.push(at);
      holders[at] = (holders[at] as number) + 1;
    }
    return found;
  });
  const weights = Array.from(holders, (count) => 1 - RARITY + RARITY * rarity(count, paths.length));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  paths.forEach((path, row) => {
    const share = held[row]?.reduce((sum, at) => sum + (weights[at] ?? 0), 0) ?? 0;
    if (share > 0) shares.set(path, share / total);
  });
  return shares;
}

/** 1 for a word that one or none of the names hold, falling with each that does. */
function rarity(count: number, all: number): number {
  return count === 0 ? 1 : Math.log(1 + all / count) / Math.log(1 + all);
}

/** The stem of a word when it is long enough to stand for it. */
function longStem(word: string): string | undefined {
  const short = stem(word);
  return short !== undefined && short.length >= MIN_STEM ? short : undefined;
}

/** Is a word among the parts of a name: as it is, as a beginning either way, or by its stem (`routing`, `router`). */
function names(parts: ReadonlySet<string>, word: string, wordStem: string | undefined): boolean {
  if (parts.has(word)) return true;
  for (const part of parts) {
    if (part.length >= 3 && word.length >= 3 && (word.startsWith(part) || part.startsWith(word))) return true;
    if (wordStem !== undefined && part.startsWith(wordStem) && (stem(part) ?? part) === wordStem) return true;
  }
  return false;
}

/** A file's name without its ending, and the folder that it lies in. */
function nameAndFolder(path: string): readonly string[] {
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf(".");
  const folder = slash > 0 ? path.slice(path.lastIndexOf("/", slash - 1) + 1, slash) : "";
  return [dot > 0 ? name.slice(0, dot) : name, folder];
}

/** Their words, whole and split. */
function partsOf(texts: readonly string[]): ReadonlySet<string> {
  const parts = new Set<string>();
  for (const text of texts) {
    forEachWord(text, (word) => {
      parts.add(word.toLowerCase());
      for (const part of splitIdentifier(word)) parts.add(part);
    });
  }
  return parts;
}

/** Is the file named after the symbol: `cookie_jar.rs` for `CookieJar`, `cookies.py` for `Cookie`. */
export function isNamedAfter(path: string, symbol: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.indexOf(".", 1);
  const base = (dot > 0 ? name.slice(0, dot) : name).toLowerCase().replace(/[_-]/g, "");
  const wanted = symbol.toLowerCase().replace(/_/g, "");
  return base === wanted || base === `${wanted}s`;
}
