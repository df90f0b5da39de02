/**
 * The one tokenizer: the lexical index, the embedded model, its trainer and every query cut text into words here.
 * A word is a run of letters, digits and underscores. It yields itself lower-cased, its camel and snake parts, and a
 * crudely stemmed copy of each part; the original is never replaced, so exact names stay findable.
 * It never drops stop words: leaving them out cost 0.008 NDCG in trials.
 */

/** Longer runs are data (base64, hashes): only their head is kept, as one word. */
export const MAX_WORD_CHARS = 80;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const UNDERSCORE = 4;
const WIDE = 5;

const CLASS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if (code >= 97 && code <= 122) CLASS[code] = LOWER;
  else if (code >= 65 && code <= 90) CLASS[code] = UPPER;
  else if (code >= 48 && code <= 57) CLASS[code] = DIGIT;
  else if (code === 95) CLASS[code] = UNDERSCORE;
}

const WIDE_LETTER = /[\p{L}\p{M}\p{N}]/u;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const wideMemo = new Map<number, boolean>();

function isWideLetter(code: number): boolean {
  // Surrogate halves are letters here: what lies beyond the basic plane in source is mostly rare scripts.
  if (code >= 0xd800 && code <= 0xdfff) return true;
  let known = wideMemo.get(code);
  if (known === undefined) {
    known = WIDE_LETTER.test(String.fromCharCode(code));
    wideMemo.set(code, known);
  }
  return known;
}

/** Is this UTF-16 unit part of a word. */
export function isWordCode(code: number): boolean {
  return code < 128 ? CLASS[code] !== OTHER : isWideLetter(code);
}

/** Calls `visit` with the borders of each raw word, in order, and an FNV-1a hash of its UTF-16 units. */
export function scanWords(text: string, visit: (start: number, end: number, hash: number) => void): void {
  const length = text.length;
  let at = 0;
  while (at < length) {
    let code = text.charCodeAt(at);
    if (code < 128 ? CLASS[code] === OTHER : !isWideLetter(code)) {
      at++;
      continue;
    }
    const start = at;
    let hash = 0x811c9dc5;
    do {
      hash = Math.imul(hash ^ code, 0x01000193);
      at++;
      if (at >= length) break;
      code = text.charCodeAt(at);
    } while (code < 128 ? CLASS[code] !== OTHER : isWideLetter(code));
    visit(start, at, hash);
  }
}

/** Calls `onWord` with each raw word, as written, in order. */
export function forEachWord(text: string, onWord: (word: string) => void): void {
  scanWords(text, (start, end) => onWord(text.slice(start, end)));
}

const SUFFIXES = ["ization", "tion", "ing", "ment", "ers", "ies", "ed", "er", "es", "s"] as const;

/** A crude stem, or undefined when the word has none: two spellings of one idea meet, nothing more is promised. */
export function stem(word: string): string | undefined {
  if (word.length <= 4) return undefined;
  for (const suffix of SUFFIXES) {
    if (word.endsWith(suffix) && word.length - suffix.length >= 3) return word.slice(0, -suffix.length);
  }
  return undefined;
}

/** The camel, snake and digit parts of an identifier, lower-cased: `parseHTTPRequest2` is parse, http, request, 2. */
export function splitIdentifier(word: string): string[] {
  const parts: string[] = [];
  const length = word.length;
  let start = 0;
  let previous = OTHER;
  for (let at = 0; at <= length; at++) {
    const code = at < length ? word.charCodeAt(at) : 95;
    const kind = code < 128 ? (CLASS[code] ?? OTHER) : WIDE;
    let cut = false;
    if (at > start) {
      if (kind === UNDERSCORE || kind === OTHER) cut = true;
      else if (kind !== previous) {
        // `Word` keeps its capital; a run of capitals gives its last one to the word that follows: `HTTPRequest`.
        if (previous === UPPER && kind === LOWER) {
          if (at - start > 1) {
            parts.push(word.slice(start, at - 1).toLowerCase());
            start = at - 1;
          }
        } else cut = true;
      }
      if (cut) {
        parts.push(word.slice(start, at).toLowerCase());
        start = at;
      }
    }
    if (kind === UNDERSCORE || kind === OTHER) start = at + 1;
    previous = kind;
  }
  return parts;
}

/** The terms of one raw word: whole, parts, stems. */
export function termsOfWord(word: string): readonly string[] {
  if (word.length > MAX_WORD_CHARS) return [word.slice(0, MAX_WORD_CHARS).toLowerCase()];
  let ascii = true;
  for (let at = 0; at < word.length; at++) {
    if (word.charCodeAt(at) >= 128) {
      ascii = false;
      break;
    }
  }
  if (!ascii) return expandWide(word.normalize("NFC"));
  const whole = word.toLowerCase();
  const first = word.charCodeAt(0);
  // A number, or `0x1f`, `16px`: one word, since its parts say nothing.
  if (first >= 48 && first <= 57) return [whole];
  const parts = splitIdentifier(word);
  const terms = [whole];
  if (parts.length > 1 || (parts.length === 1 && parts[0] !== whole)) terms.push(...parts);
  for (const part of parts) {
    const stemmed = stem(part);
    if (stemmed !== undefined) terms.push(stemmed);
  }
  return terms;
}

/** Scripts written without spaces become pairs of characters, so that a part of a sentence finds the sentence. */
function expandWide(word: string): readonly string[] {
  const whole = word.toLowerCase();
  const terms = [whole];
  const characters = [...whole];
  for (let at = 0; at + 1 < characters.length; at++) {
    const left = characters[at] ?? "";
    const right = characters[at + 1] ?? "";
    if (characters.length > 2 && CJK.test(left) && CJK.test(right)) terms.push(left + right);
  }
  const parts = splitIdentifier(word);
  if (parts.length > 1) terms.push(...parts);
  return terms;
}

/** Every term of a text in order, with repeats. */
export function tokenize(text: string): string[] {
  const terms: string[] = [];
  forEachWord(text, (word) => {
    for (const term of termsOfWord(word)) terms.push(term);
  });
  return terms;
}

/**
 * The words that a path adds to each of its chunks: the file's stem twice and its last three folders
 * (raw BM25 .664 → .682). `/` is the separator, as everywhere in the index.
 */
export function pathWords(path: string): string {
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  const dot = name.lastIndexOf(".");
  const base = dot > 0 ? name.slice(0, dot) : name;
  return `${base} ${base} ${segments.slice(-3).join(" ")}`;
}
