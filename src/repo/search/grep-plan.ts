/**
 * Which files can match a pattern at all: the words that every match must hold are looked up in the index's
 * dictionary, so that only their files are read. Never too few files; when nothing can be said, all of them.
 */
import { isWordCode } from "./tokenize.ts";

/** A run of word characters that each match holds. An open end may go on in the text. */
export interface RequiredWord {
  readonly text: string;
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

const isWord = (character: string): boolean => isWordCode(character.charCodeAt(0));

/** The words of a literal text: those inside it are whole, those at its ends may be parts of longer ones. */
export function wordsOfLiteral(literal: string): RequiredWord[] {
  const words: RequiredWord[] = [];
  let start = -1;
  for (let at = 0; at <= literal.length; at++) {
    const inside = at < literal.length && isWordCode(literal.charCodeAt(at));
    if (inside && start < 0) start = at;
    if (inside || start < 0) continue;
    words.push(wordOf(literal.slice(start, at), start === 0, at === literal.length));
    start = -1;
  }
  return words;
}

/** As the dictionary spells it. */
function wordOf(raw: string, openStart: boolean, openEnd: boolean): RequiredWord {
  return { text: raw.normalize("NFC").toLowerCase(), openStart, openEnd };
}

/**
 * The words that every match of a regular expression holds, read cautiously: runs of plain characters outside groups,
 * classes and repetitions. A pattern with an alternation at its top level promises nothing.
 */
export function wordsOfPattern(pattern: string): RequiredWord[] {
  const words: RequiredWord[] = [];
  let run = "";
  let runOpensAtStart = true;
  let depth = 0;
  const flush = (openEnd: boolean): void => {
    if (run) words.push(wordOf(run, runOpensAtStart, openEnd));
    run = "";
    runOpensAtStart = true;
  };
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    if (character === "\\") {
      const escaped = pattern[at + 1] ?? "";
      at++;
      if (depth > 0) continue;
      if (/[bB]/.test(escaped)) {
        // A border ends a word without anything between.
        flush(escaped !== "b");
        runOpensAtStart = escaped !== "b";
      } else if (isWord(escaped || "a")) flush(true);
      else {
        flush(repeats(pattern[at + 1]));
        runOpensAtStart = repeats(pattern[at + 1]);
      }
      if (/[xucpPk]/.test(escaped)) return [];
      continue;
    }
    if (character === "[") {
      const end = classEnd(pattern, at);
      if (end < 0) return [];
      if (depth === 0) flush(true);
      at = end;
      continue;
    }
    if (character === "(") {
      if (depth === 0) flush(true);
      depth++;
      continue;
    }
    if (character === ")") {
      depth = Math.max(0, depth - 1);
      continue;
    }
    if (character === "|" && depth === 0) return [];
    if (depth > 0) continue;
    if ("*?{".includes(character)) {
      // The character before may be missing: it is no part of the run, and what came before it may go on.
      run = run.slice(0, -1);
      flush(true);
      if (character === "{") at = Math.max(at, pattern.indexOf("}", at));
      continue;
    }
    if (character === "+") {
      flush(true);
      continue;
    }
    if (isWord(character)) run += character;
    else {
      const open = character === "." || repeats(pattern[at + 1]);
      flush(open);
      runOpensAtStart = open;
    }
  }
  flush(true);
  return words;
}

/** True for a quantifier that lets what stands before it be missing. */
function repeats(next: string | undefined): boolean {
  return next === "*" || next === "?" || next === "{";
}

function classEnd(pattern: string, from: number): number {
  for (let at = from + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]" && at > from + 1) return at;
  }
  return -1;
}
