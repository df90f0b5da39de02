/** The inside of `[[ … ]]`: its operators and words are no commands, and its `<`, `(` and `|` mean other things. */
import { peekReserved } from "./compound.ts";
import { Char, type Cursor, refuse } from "./cursor.ts";
import type { Word } from "./types.ts";
import { wordList } from "./word-list.ts";
import { isWordEnd, readWord } from "./words.ts";

const UNARY = /^-[abcdefghknoprstuvwxzGLNORS]$/;
const BINARY = wordList("= == != =~ -eq -ne -lt -le -gt -ge -nt -ot -ef");

/** Reads one condition, up to the closing `]]` or `)`, which stays. */
export function readCondition(cursor: Cursor): void {
  for (;;) {
    readPrimary(cursor);
    cursor.skipLines();
    const code = cursor.peek();
    if (code !== Char.Ampersand && code !== Char.Pipe) return;
    if (cursor.peek(1) !== code) refuse();
    cursor.pos += 2;
  }
}

function readPrimary(cursor: Cursor): void {
  cursor.skipLines();
  if (peekReserved(cursor) === "!") {
    cursor.pos++;
    cursor.enter();
    readPrimary(cursor);
    cursor.leave();
    return;
  }
  if (cursor.peek() === Char.OpenParen) {
    cursor.pos++;
    cursor.enter();
    readCondition(cursor);
    cursor.leave();
    if (cursor.peek() !== Char.CloseParen) refuse();
    cursor.pos++;
    return;
  }
  const first = readOperand(cursor);
  cursor.skipBlanks();
  if (UNARY.test(first.raw)) {
    readOperand(cursor);
    return;
  }
  const code = cursor.peek();
  if (code === Char.Less || code === Char.Greater) {
    cursor.pos++;
    cursor.skipBlanks();
    readOperand(cursor);
    return;
  }
  // a word alone: is it empty?
  if (isWordEnd(code) || peekReserved(cursor) === "]]") return;
  const operator = readWord(cursor).raw;
  if (!BINARY.has(operator)) refuse();
  cursor.skipBlanks();
  if (operator === "=~") readPattern(cursor);
  else readOperand(cursor);
}

function readOperand(cursor: Cursor): Word {
  if (peekReserved(cursor) === "]]") refuse();
  return readWord(cursor);
}

/** The regex behind `=~`: parentheses and bars belong to it. */
function readPattern(cursor: Cursor): void {
  const start = cursor.pos;
  let open = 0;
  for (;;) {
    const code = cursor.peek();
    if (code === Char.OpenParen) open++;
    else if (code === Char.CloseParen) open--;
    else if (code !== Char.Pipe) {
      if (isWordEnd(code)) break;
      readWord(cursor);
      continue;
    }
    if (open < 0) refuse();
    cursor.pos++;
  }
  if (open !== 0 || cursor.pos === start) refuse();
}
