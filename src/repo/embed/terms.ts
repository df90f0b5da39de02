/** The words of a text as the embedded model sees them: the lexical tokenizer's, without single characters. */
import { pathWords, tokenize } from "../search/tokenize.ts";

export function queryTerms(text: string): string[] {
  return tokenize(text).filter((term) => term.length > 1);
}

/** A document's vector knows where it lies: the words of its path are part of it. */
export function documentTerms(content: string, path: string): string[] {
  const terms = queryTerms(content);
  if (path) for (const term of queryTerms(pathWords(path))) terms.push(term);
  return terms;
}
