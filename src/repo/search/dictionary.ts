/**
 * A segment's dictionary as it is stored: UTF-8, every term between line feeds, so that parts of words are found by a
 * plain search over bytes. Making a string of it first took a one-shot question longer than the search.
 */
import type { RequiredWord } from "./grep-plan.ts";
import { MAX_WORD_CHARS } from "./tokenize.ts";

const LINE_FEED = 10;

/** The dictionary's terms that hold the word where it may stand. Words that were cut when indexed may hold anything. */
export function termsWith(dictionary: Buffer, word: RequiredWord): string[] {
  const needle = needleOf(word);
  const terms: string[] = [];
  for (let at = dictionary.indexOf(needle); at >= 0; ) {
    const inside = word.openStart ? at : at + 1;
    const start = dictionary.lastIndexOf(LINE_FEED, inside - 1) + 1;
    const end = dictionary.indexOf(LINE_FEED, inside);
    terms.push(dictionary.toString("utf8", start, end));
    at = dictionary.indexOf(needle, end);
  }
  if (word.openStart || isCut(word))
    for (const term of cutTerms(dictionary)) if (!terms.includes(term)) terms.push(term);
  return terms;
}

/** Whether `termsWith` would give any, words that were cut aside. */
export function mayHold(dictionary: Buffer, word: RequiredWord): boolean {
  return dictionary.includes(needleOf(word));
}

/** Terms of ASCII that end so, of a length between the two, both included. */
export function termsEndingWith(dictionary: Buffer, ending: string, shortest: number, longest: number): string[] {
  const needle = Buffer.from(`${ending}\n`);
  const terms: string[] = [];
  for (let at = dictionary.indexOf(needle); at >= 0; at = dictionary.indexOf(needle, at + 1)) {
    const end = at + needle.length - 1;
    // Longer than is wanted, unless it begins within reach.
    let start = at;
    while (end - start <= longest && dictionary[start - 1] !== LINE_FEED) start--;
    if (end - start >= shortest && end - start <= longest) terms.push(dictionary.toString("utf8", start, end));
  }
  return terms;
}

function isCut(word: RequiredWord): boolean {
  return word.text.length >= MAX_WORD_CHARS;
}

function needleOf(word: RequiredWord): Buffer {
  const text = word.text.slice(0, MAX_WORD_CHARS);
  return Buffer.from(`${word.openStart ? "" : "\n"}${text}${word.openEnd || isCut(word) ? "" : "\n"}`);
}

let known: { readonly dictionary: Buffer; readonly terms: readonly string[] } | undefined;

/** The terms that stand for longer words. One pass in long strides, kept for the other words of the same pattern. */
function cutTerms(dictionary: Buffer): readonly string[] {
  if (known?.dictionary === dictionary) return known.terms;
  const terms: string[] = [];
  // From one line feed to the last within reach of a term that is not cut; where there is none, a long term begins.
  for (let at = 0; at + MAX_WORD_CHARS < dictionary.length; ) {
    let next = at + MAX_WORD_CHARS;
    while (dictionary[next] !== LINE_FEED) next--;
    if (next === at) {
      next = dictionary.indexOf(LINE_FEED, at + MAX_WORD_CHARS);
      if (next < 0) break;
      const term = dictionary.toString("utf8", at + 1, next);
      if (term.length >= MAX_WORD_CHARS) terms.push(term);
    }
    at = next;
  }
  known = { dictionary, terms };
  return terms;
}
