/**
 * The lines that most calls bring: plain words with one blank between them, joined by `&&`, `||` or `|`. They are read
 * here in a few steps, in every detail as the grammar in `bash.ts` reads them; whatever else is left to that. Walking
 * the grammar letter by letter makes the engine compile it, which costs a hook more than its whole decision.
 */
import { isReservedWord } from "./compound.ts";
import { plainLine, plainSegment } from "./plain-command.ts";
import type { CommandLine, Segment, Word } from "./types.ts";

/** No character of these means anything to a shell where it stands here; `=` does at a word's start. */
const PLAIN = /^[\w./:@%+,-][\w./:@%+,=-]*(?: (?:&&|\|\|?|[\w./:@%+,-][\w./:@%+,=-]*))*$/;

export function readPlainLine(source: string): CommandLine | undefined {
  if (!PLAIN.test(source)) return undefined;
  const segments: Segment[] = [];
  let words: Word[] = [];
  for (let start = 0; start <= source.length; ) {
    const blank = source.indexOf(" ", start);
    const end = blank < 0 ? source.length : blank;
    const raw = source.slice(start, end);
    const operator = raw === "&&" || raw === "||" || raw === "|" ? raw : undefined;
    if (operator === undefined) {
      // An assignment, or the beginning of a construct.
      if (words.length === 0 && (raw.includes("=") || isReservedWord(raw))) return undefined;
      words.push({ start, end, raw, text: raw, value: raw });
    }
    if (operator !== undefined || blank < 0) {
      if (words.length === 0) return undefined;
      const piped = operator === "|" || segments[segments.length - 1]?.operator === "|";
      segments.push(plainSegment(source, words, [], operator, piped));
      words = [];
    }
    if (blank < 0 && operator !== undefined) return undefined;
    start = end + 1;
  }
  return plainLine(source, "bash", segments);
}
