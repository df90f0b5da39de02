/** A segment's dictionary as text: every term of it between line feeds, so that parts of words are found by a plain search. */
import type { RequiredWord } from "./grep-plan.ts";
import { MAX_WORD_CHARS } from "./tokenize.ts";

/** The dictionary's terms that hold the word where it may stand. Words that were cut when indexed may hold anything. */
export function termsWith(dictionary: string, word: RequiredWord): string[] {
  const needle = needleOf(word);
  const terms: string[] = [];
  for (let at = dictionary.indexOf(needle); at >= 0; ) {
    const inside = word.openStart ? at : at + 1;
    const start = dictionary.lastIndexOf("\n", inside - 1) + 1;
    const end = dictionary.indexOf("\n", inside);
    terms.push(dictionary.slice(start, end));
    at = dictionary.indexOf(needle, end);
  }
  if (word.openStart || isCut(word))
    for (const term of cutTerms(dictionary)) if (!terms.includes(term)) terms.push(term);
  return terms;
}

/** Whether `termsWith` would give any, words that were cut aside. */
export function mayHold(dictionary: string, word: RequiredWord): boolean {
  return dictionary.includes(needleOf(word));
}

/** Terms that end so, of a length between the two, both included. */
export function termsEndingWith(dictionary: string, ending: string, shortest: number, longest: number): string[] {
  const needle = `${ending}\n`;
  const terms: string[] = [];
  for (let at = dictionary.indexOf(needle); at >= 0; at = dictionary.indexOf(needle, at + 1)) {
    const start = dictionary.lastIndexOf("\n", at) + 1;
    const size = at + ending.length - start;
    if (size >= shortest && size <= longest) terms.push(dictionary.slice(start, start + size));
  }
  return terms;
}

function isCut(word: RequiredWord): boolean {
  return word.text.length >= MAX_WORD_CHARS;
}

function needleOf(word: RequiredWord): string {
  const text = word.text.slice(0, MAX_WORD_CHARS);
  return `${word.openStart ? "" : "\n"}${text}${word.openEnd || isCut(word) ? "" : "\n"}`;
}

let known: { readonly dictionary: string; readonly terms: readonly string[] } | undefined;

/** The terms that stand for longer words. One pass over line feeds, kept for the other words of the same pattern. */
function cutTerms(dictionary: string): readonly string[] {
  if (known?.dictionary === dictionary) return known.terms;
  const terms: string[] = [];
  for (let at = 0, next = dictionary.indexOf("\n", 1); next >= 0; at = next, next = dictionary.indexOf("\n", at + 1))
    if (next - at > MAX_WORD_CHARS) terms.push(dictionary.slice(at + 1, next));
  known = { dictionary, terms };
  return terms;
}
