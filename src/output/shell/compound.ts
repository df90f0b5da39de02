/**
 * Loops, branches, groups, subshells, functions: read to their end, so that nothing inside one is taken for a command
 * of the line. Only the kind is kept: a line that holds one is left alone, whatever is inside.
 */
import { readList, type Stops } from "./bash.ts";
import { readCondition } from "./condition.ts";
import { Char, type Cursor, refuse } from "./cursor.ts";
import type { Compound } from "./types.ts";
import { wordList } from "./word-list.ts";
import { isWordEnd, readWord, skipArithmetic } from "./words.ts";

const RESERVED = wordList(
  "if then else elif fi do done case esac while until for select in { } ! [[ ]] time function coproc",
);

const IN_SUBSHELL: Stops = { paren: true };
const IN_GROUP: Stops = { words: ["}"] };
const TO_THEN: Stops = { words: ["then"] };
const IN_BRANCH: Stops = { words: ["elif", "else", "fi"] };
const IN_ELSE: Stops = { words: ["fi"] };
const TO_DO: Stops = { words: ["do"] };
const IN_LOOP: Stops = { words: ["done"] };
const IN_CLAUSE: Stops = { words: ["esac"], clause: true };

export function isReservedWord(text: string): boolean {
  return RESERVED.has(text);
}

/** The reserved word at the cursor, or "". The cursor does not move. */
export function peekReserved(cursor: Cursor): string {
  const first = cursor.peek();
  // a-z, or one of ! [ ] { }
  if (
    !((first >= 97 && first <= 122) || first === 33 || first === 91 || first === 93 || first === 123 || first === 125)
  )
    return "";
  let length = 1;
  while (length <= 9 && !isWordEnd(cursor.peek(length))) length++;
  if (length > 8) return "";
  const word = cursor.source.slice(cursor.pos, cursor.pos + length);
  return RESERVED.has(word) ? word : "";
}

/** Reads the compound command at the cursor; undefined (and no move) when a simple command stands there. */
export function readCompound(cursor: Cursor): Compound | undefined {
  if (cursor.peek() === Char.OpenParen) {
    if (cursor.peek(1) === Char.OpenParen) {
      cursor.pos += 2;
      skipArithmetic(cursor);
      return "arithmetic";
    }
    cursor.pos++;
    cursor.endOperator();
    requireList(cursor, IN_SUBSHELL);
    if (cursor.peek() !== Char.CloseParen) refuse();
    cursor.pos++;
    return "subshell";
  }
  switch (peekReserved(cursor)) {
    case "{":
      take(cursor, "{");
      requireList(cursor, IN_GROUP);
      take(cursor, "}");
      return "group";
    case "if":
      readIf(cursor);
      return "if";
    case "while":
    case "until":
      cursor.pos += 5;
      requireList(cursor, TO_DO);
      readLoopBody(cursor);
      return "loop";
    case "for":
    case "select":
      readFor(cursor);
      return "loop";
    case "case":
      readCase(cursor);
      return "case";
    case "function":
      take(cursor, "function");
      cursor.skipBlanks();
      readWord(cursor);
      cursor.skipBlanks();
      if (cursor.peek() === Char.OpenParen) readFunctionBody(cursor);
      else readBody(cursor);
      return "function";
    case "[[":
      take(cursor, "[[");
      readCondition(cursor);
      take(cursor, "]]");
      return "test";
    default:
      return undefined;
  }
}

/** From the `(` of `name() …` to the end of the body. */
export function readFunctionBody(cursor: Cursor): void {
  cursor.pos++;
  cursor.skipBlanks();
  if (cursor.peek() !== Char.CloseParen) refuse();
  cursor.pos++;
  readBody(cursor);
}

function readBody(cursor: Cursor): void {
  cursor.skipLines();
  cursor.enter();
  const kind = readCompound(cursor);
  if (kind === undefined || kind === "function") refuse();
  cursor.leave();
}

function take(cursor: Cursor, word: string): void {
  if (peekReserved(cursor) !== word) refuse();
  cursor.pos += word.length;
}

function requireList(cursor: Cursor, stops: Stops): void {
  if (readList(cursor, stops, []) === 0) refuse();
}

function readIf(cursor: Cursor): void {
  take(cursor, "if");
  for (;;) {
    requireList(cursor, TO_THEN);
    take(cursor, "then");
    requireList(cursor, IN_BRANCH);
    const next = peekReserved(cursor);
    if (next === "elif") {
      take(cursor, "elif");
      continue;
    }
    if (next === "else") {
      take(cursor, "else");
      requireList(cursor, IN_ELSE);
    }
    take(cursor, "fi");
    return;
  }
}

/** `do list done`, or `{ list }` where `allowsBraces`. */
function readLoopBody(cursor: Cursor, allowsBraces = false): void {
  if (allowsBraces && peekReserved(cursor) === "{") {
    take(cursor, "{");
    requireList(cursor, IN_GROUP);
    take(cursor, "}");
    return;
  }
  take(cursor, "do");
  requireList(cursor, IN_LOOP);
  take(cursor, "done");
}

function readFor(cursor: Cursor): void {
  cursor.pos += peekReserved(cursor).length;
  cursor.skipBlanks();
  if (cursor.peek() === Char.OpenParen) {
    if (cursor.peek(1) !== Char.OpenParen) refuse();
    cursor.pos += 2;
    if (skipArithmetic(cursor) !== 2) refuse();
    cursor.skipBlanks();
    if (cursor.peek() === Char.Semicolon) cursor.pos++;
  } else {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(readWord(cursor).raw)) refuse();
    cursor.skipLines();
    if (peekReserved(cursor) === "in") {
      take(cursor, "in");
      for (;;) {
        cursor.skipBlanks();
        if (cursor.peek() === Char.Semicolon || cursor.peek() === Char.Newline) break;
        readWord(cursor);
      }
      if (cursor.peek() === Char.Semicolon) cursor.pos++;
    } else if (cursor.peek() === Char.Semicolon) cursor.pos++;
  }
  cursor.skipLines();
  readLoopBody(cursor, true);
}

function readCase(cursor: Cursor): void {
  take(cursor, "case");
  cursor.skipBlanks();
  readWord(cursor);
  cursor.skipLines();
  take(cursor, "in");
  for (;;) {
    cursor.skipLines();
    if (peekReserved(cursor) === "esac") break;
    if (cursor.peek() === Char.OpenParen) cursor.pos++;
    for (;;) {
      cursor.skipBlanks();
      readWord(cursor);
      cursor.skipBlanks();
      if (cursor.peek() !== Char.Pipe) break;
      cursor.pos++;
    }
    if (cursor.peek() !== Char.CloseParen) refuse();
    cursor.pos++;
    readList(cursor, IN_CLAUSE, []);
    if (cursor.peek() !== Char.Semicolon) break;
    // `;;`, `;&` or `;;&`
    cursor.pos += cursor.peek(1) === Char.Semicolon && cursor.peek(2) === Char.Ampersand ? 3 : 2;
  }
  take(cursor, "esac");
}
