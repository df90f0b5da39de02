/** A list of words written as text, split when it is first asked: most calls of the hot door ask two of thirty. */
export interface WordList {
  has(word: string): boolean;
}

export function wordList(text: string): WordList {
  let words: ReadonlySet<string> | undefined;
  return {
    has(word) {
      words ??= new Set(text.trim().split(/\s+/));
      return words.has(word);
    },
  };
}
