/**
 * Words met so far and the terms that they stand for, as numbers. Source repeats itself: nearly every word of a file
 * is found by its hash, without a string being made of it. The hash only says where to look; the word is compared.
 */
import { scanWords, termsOfWord } from "./tokenize.ts";

export class Vocabulary {
  private readonly numberOfTerm = new Map<string, number>();
  private readonly termTexts: string[] = [];
  /** Open addressing, at most half full: 0 is free, else the word's index + 1. */
  private slots = new Int32Array(1 << 14);
  private readonly words: string[] = [];
  private readonly hashes: number[] = [];
  /** The terms of word i stand in `terms` from `starts[i]` to `starts[i + 1]`. */
  private starts = new Int32Array(1 << 13);
  private terms = new Int32Array(1 << 14);

  /** Words and terms: what a caller that keeps it for long bounds. */
  get size(): number {
    return this.words.length + this.termTexts.length;
  }

  termText(term: number): string {
    return this.termTexts[term] ?? "";
  }

  /** Calls `visit` for each word of a text with the place of its terms: `terms[from..to)`. */
  eachWord(text: string, visit: (terms: Int32Array, from: number, to: number) => void): void {
    scanWords(text, (start, end, hash) => {
      const word = this.find(text, start, end, hash);
      visit(this.terms, this.starts[word] as number, this.starts[word + 1] as number);
    });
  }

  private find(text: string, start: number, end: number, hash: number): number {
    const mask = this.slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const word = (this.slots[slot] as number) - 1;
      if (word < 0) return this.learn(text.slice(start, end), hash, slot);
      if (this.hashes[word] === hash && isAt(this.words[word] as string, text, start, end)) return word;
    }
  }

  private learn(slice: string, hash: number, slot: number): number {
    const word = this.words.length;
    // A copy, and its terms are parts of that: a slice would keep the whole file's text alive.
    const text = Buffer.from(slice, "utf16le").toString("utf16le");
    this.words.push(text);
    this.hashes.push(hash);
    this.slots[slot] = word + 1;
    let end = this.starts[word] as number;
    for (const term of termsOfWord(text)) {
      if (end === this.terms.length) this.terms = doubled(this.terms);
      this.terms[end++] = this.numberOf(term);
    }
    if (word + 1 === this.starts.length) this.starts = doubled(this.starts);
    this.starts[word + 1] = end;
    if (this.words.length * 2 > this.slots.length) this.rehash();
    return word;
  }

  private numberOf(term: string): number {
    const known = this.numberOfTerm.get(term);
    if (known !== undefined) return known;
    const number = this.termTexts.push(term) - 1;
    this.numberOfTerm.set(term, number);
    return number;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let word = 0; word < this.words.length; word++) {
      const hash = this.hashes[word] as number;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = word + 1;
    }
    this.slots = slots;
  }
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}

function doubled(from: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(from.length * 2);
  wider.set(from);
  return wider;
}
