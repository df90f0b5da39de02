/**
 * Names that look like a given one. A walk over all symbols took 70 ms of a question to 30,000 chunks, so two things
 * that are there anyway narrow it: the name index (equal names, and names that begin alike), and the dictionary of the
 * lexical index, which holds every word that stands in any name, so that what is in no word of it is in no name.
 */
import type { Database } from "bun:sqlite";
import { mayHold, termsEndingWith } from "../search/dictionary.ts";
import { wordsOfLiteral } from "../search/grep-plan.ts";

/** Longer names are headings or data: nobody means a part of one. */
const MOST_CHARS = 120;
/** Shorter ones are a part of nearly everything. */
const LEAST_PART = 3;
const ASCII = /^[\x20-\x7e]+$/;
const WORD = /^\w+$/;

export interface LikeNames {
  /** The first other names that it is a part of, letter case aside, in the order of the alphabet. */
  readonly holding: readonly string[];
  /** What `namesNear` gives. */
  readonly near: readonly string[];
}

/** Both at once: the dictionary is the dear part, and is read once. */
export function namesLike(database: Database, name: string, slips: number, limit: number): LikeNames {
  const words = wordsOfLiteral(name);
  const isHeld = words.map(() => false);
  const terms = new Set<string>();
  for (const dictionary of dictionaries(database)) {
    for (const [at, word] of words.entries()) isHeld[at] ||= mayHold(dictionary, word);
    for (const term of likeEndings(dictionary, name, slips)) terms.add(term);
  }
  const holding = name.length < LEAST_PART || isHeld.includes(false) ? [] : namesHolding(database, name, limit);
  return { holding, near: namesOfShape(database, name, slips, terms) };
}

function namesHolding(database: Database, text: string, limit: number): string[] {
  const wanted = text.toLowerCase();
  const found: string[] = [];
  // LIKE folds the letters of ASCII alone; other names are compared here.
  const pattern = ASCII.test(text) ? `%${text.replace(/[\\%_]/g, "\\$&")}%` : "%";
  const rows = database.query<{ name: string }, [string]>(
    "SELECT DISTINCT name FROM symbols WHERE name LIKE ? ESCAPE '\\'",
  );
  for (const { name } of rows.iterate(pattern)) {
    const folded = name.toLowerCase();
    if (folded === wanted || !folded.includes(wanted)) continue;
    found.push(name);
    if (found.length === limit) break;
  }
  return found;
}

/** Other names of at least `least` characters that are a part of `text`, letter case aside. */
export function namesInside(database: Database, text: string, least: number): string[] {
  const wanted = text.toLowerCase();
  if (wanted.length > MOST_CHARS) return [];
  const parts = new Set<string>();
  for (let size = least; size < wanted.length; size++)
    for (let at = 0; at + size <= wanted.length; at++) parts.add(wanted.slice(at, at + size));
  return namesAmong(database, [...parts], "DISTINCT name");
}

/**
 * Names that a slip of the fingers may have made into `name`: of about its length, with the same first or the same
 * second half, letter case aside. Of the second half only names that are one word: other names begin or end with a
 * word of their own, which the first half finds.
 */
export function namesNear(database: Database, name: string, slips: number): string[] {
  const terms = new Set<string>();
  for (const dictionary of dictionaries(database))
    for (const term of likeEndings(dictionary, name, slips)) terms.add(term);
  return namesOfShape(database, name, slips, terms);
}

/** A name whose halves the indexes can look for. */
function hasPlainHalves(name: string): boolean {
  return name.length > 1 && ASCII.test(name) && WORD.test(name.slice(-Math.floor(name.length / 2)));
}

/** Words of about the length of `name` and with its second half. */
function likeEndings(dictionary: Buffer, name: string, slips: number): string[] {
  if (!hasPlainHalves(name)) return [];
  const tail = name.slice(-Math.floor(name.length / 2)).toLowerCase();
  return termsEndingWith(dictionary, tail, name.length - slips, name.length + slips);
}

function namesOfShape(database: Database, name: string, slips: number, endings: ReadonlySet<string>): string[] {
  if (!hasPlainHalves(name)) return namesNearByWalk(database, name, slips);
  const half = Math.floor(name.length / 2);
  const head = name.slice(0, half).toLowerCase();
  const after = head.slice(0, -1) + String.fromCharCode(head.charCodeAt(half - 1) + 1);
  const beginning = database
    .query(
      `SELECT name FROM symbols WHERE name >= ?1 COLLATE NOCASE AND name < ?2 COLLATE NOCASE
       AND length(name) BETWEEN ?3 AND ?4 AND substr(name, 1, ?5) = ?1 COLLATE NOCASE GROUP BY name COLLATE NOCASE`,
    )
    .values(head, after, name.length - slips, name.length + slips, half) as [string][];
  const ending = namesAmong(database, [...endings], "name", "GROUP BY name COLLATE NOCASE");
  const found = new Map<string, string>();
  for (const one of [...beginning.map((row) => row[0]), ...ending]) {
    const key = one.toLowerCase();
    if (!found.has(key)) found.set(key, one);
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

/**
 * Names among which those are that one slip in the second half of `name` has made: the first half stands, and so does
 * three quarters of it or nearly the last quarter. Few, where a thousand names begin alike; empty where that can't be told.
 */
export function namesBeginningNear(database: Database, name: string): string[] {
  const half = Math.floor(name.length / 2);
  const quarter = Math.ceil(half / 2);
  if (quarter < 2 || !ASCII.test(name)) return [];
  const folded = name.slice(0, half).toLowerCase();
  const after = folded.slice(0, -1) + String.fromCharCode(folded.charCodeAt(half - 1) + 1);
  const rows = database
    .query(
      `SELECT name FROM symbols WHERE name >= ?1 COLLATE NOCASE AND name < ?2 COLLATE NOCASE
       AND length(name) BETWEEN ?3 - 1 AND ?3 + 1
       AND (substr(name, ?4) = ?5 COLLATE NOCASE OR substr(name, 1, ?6) = ?7 COLLATE NOCASE)`,
    )
    .values(
      folded,
      after,
      name.length,
      1 - quarter,
      name.slice(1 - quarter),
      name.length - quarter,
      name.slice(0, name.length - quarter),
    ) as [string][];
  return rows.map((row) => row[0]);
}

function namesNearByWalk(database: Database, name: string, slips: number): string[] {
  const half = Math.floor(name.length / 2);
  const rows = database
    .query(
      `SELECT name FROM symbols WHERE length(name) BETWEEN ?1 AND ?2
       AND (substr(name, 1, ?3) = ?4 COLLATE NOCASE OR substr(name, -?3) = ?5 COLLATE NOCASE)
       GROUP BY name COLLATE NOCASE`,
    )
    .values(name.length - slips, name.length + slips, half, name.slice(0, half), name.slice(-half)) as [string][];
  return rows.map((row) => row[0]);
}

/** Those of `candidates` that are symbols, as they are spelt, in the order of the alphabet. */
function namesAmong(database: Database, candidates: readonly string[], columns: string, tail = ""): string[] {
  if (candidates.length === 0) return [];
  const rows = database
    .query(
      `SELECT ${columns} FROM json_each(?) j CROSS JOIN symbols s ON s.name = j.value COLLATE NOCASE ${tail}
       ORDER BY name COLLATE NOCASE`,
    )
    .values(JSON.stringify(candidates)) as [string][];
  return rows.map((row) => row[0]);
}

function dictionaries(database: Database): Buffer[] {
  const rows = database.query("SELECT CAST(dictionary AS BLOB) FROM segments ORDER BY first_chunk").values();
  return (rows as [Uint8Array][]).map(([bytes]) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
