/**
 * The lines that most calls bring: words that are plain or quoted as a whole, with one blank between them, `2>&1` or
 * `2>/dev/null`, joined by `&&`, `||` or `|`. They are read here in a few steps, in every detail as the grammar in
 * `bash.ts` reads them; whatever else is left to that. Walking the grammar letter by letter makes the engine compile it,
 * which costs a hook more than its whole decision.
 */
import { isReservedWord } from "./compound.ts";
import { plainLine, plainSegment } from "./plain-command.ts";
import type { CommandLine, Redirection, Segment, Word } from "./types.ts";

/** One part and the blank behind it. No character of these means anything to a shell where it stands here. */
const PART = /(2>(?:&1|\/dev\/null)|&&|\|\|?|'[^'\n]*'|"[^"$`\\!\n]*"|[\w./:@%+,-][\w./:@%+,=-]*)(?: (?!$)|$)/y;

export function readPlainLine(source: string): CommandLine | undefined {
  const segments: Segment[] = [];
  let words: Word[] = [];
  let redirections: Redirection[] = [];
  for (let start = 0; start < source.length; ) {
    PART.lastIndex = start;
    const raw = PART.exec(source)?.[1];
    if (raw === undefined) return undefined;
    const end = start + raw.length;
    const isLast = end === source.length;
    const operator = raw === "&&" || raw === "||" || raw === "|" ? raw : undefined;
    if (raw.startsWith("2>")) {
      if (words.length === 0) return undefined;
      redirections.push(redirectionOf(raw, start, end));
    } else if (operator === undefined) {
      // An assignment, or the beginning of a construct.
      if (words.length === 0 && (raw.includes("=") || isReservedWord(raw))) return undefined;
      const isQuoted = raw.startsWith("'") || raw.startsWith('"');
      const text = isQuoted ? raw.slice(1, -1) : raw;
      words.push({ start, end, raw, text, value: text });
    }
    if (operator !== undefined || isLast) {
      if (words.length === 0 || (operator !== undefined && isLast)) return undefined;
      const piped = operator === "|" || segments[segments.length - 1]?.operator === "|";
      segments.push(plainSegment(source, words, redirections, operator, piped));
      words = [];
      redirections = [];
    }
    start = end + 1;
  }
  return segments.length === 0 ? undefined : plainLine(source, "bash", segments);
}

function redirectionOf(raw: string, start: number, end: number): Redirection {
  const toStdout = raw === "2>&1";
  const from = start + (toStdout ? 3 : 2);
  const name = raw.slice(from - start);
  const target = { start: from, end, raw: name, text: name, value: name };
  return { start, end, raw, operator: toStdout ? ">&" : ">", fd: 2, target };
}
