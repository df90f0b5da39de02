/**
 * Reads one bash word: quotes, escapes, expansions, substitutions. It keeps the exact text, the text without quotes,
 * and the value where nothing outside the line takes part in it. Whatever two shells could read in two ways is
 * refused rather than guessed.
 */
import { Char, type Cursor, refuse } from "./cursor.ts";
import type { Word } from "./types.ts";

/** Reads the word at the cursor; refuses when there is none. */
export function readWord(cursor: Cursor): Word {
  const { source } = cursor;
  const start = cursor.pos;
  let text = "";
  let from = start;
  let isStatic = true;
  let openBraces = 0;
  let hasBraceList = false;
  for (;;) {
    cursor.pos = skipPlain(source, cursor.pos, openBraces > 0);
    const code = cursor.peek();
    if (code === Char.SingleQuote || code === Char.DoubleQuote) {
      text += source.slice(from, cursor.pos);
      const quotedFrom = cursor.pos + 1;
      if (code === Char.SingleQuote) {
        skipSingleQuoted(cursor);
        text += source.slice(quotedFrom, cursor.pos - 1);
      } else {
        const inside = readDoubleQuoted(cursor);
        text += inside.text;
        isStatic &&= inside.isStatic;
      }
      from = cursor.pos;
    } else if (code === Char.Backslash) {
      text += source.slice(from, cursor.pos);
      if (cursor.pos + 1 >= source.length) refuse();
      from = cursor.peek(1) === Char.Newline ? cursor.pos + 2 : cursor.pos + 1;
      cursor.pos += 2;
    } else if (code === Char.Dollar) {
      const isExpansion = skipDollar(cursor, false);
      isStatic &&= !isExpansion;
    } else if (code === Char.Backtick) {
      skipBackticks(cursor);
      isStatic = false;
    } else if ((code === Char.Less || code === Char.Greater) && cursor.peek(1) === Char.OpenParen) {
      // `2>(x)` is read differently by shells
      if (cursor.pos > start && /^[0-9]+$/.test(source.slice(start, cursor.pos))) refuse();
      skipSubstitution(cursor);
      isStatic = false;
    } else if (isWordEnd(code)) {
      break;
    } else {
      if (code === Char.Star || code === Char.Question) isStatic = false;
      else if (code === Char.OpenBracket) isStatic &&= isAlone(cursor, start);
      else if (code === Char.Tilde) isStatic &&= cursor.pos > start;
      // zsh: `=ls` is the path of ls
      else if (code === Char.Equals) isStatic &&= cursor.pos > start;
      else if (code === Char.OpenBrace) openBraces++;
      else if (code === Char.CloseBrace) isStatic &&= !(openBraces > 0 && hasBraceList);
      else if (openBraces > 0 && (code === Char.Comma || (code === Char.Dot && cursor.peek(1) === Char.Dot)))
        hasBraceList = true;
      cursor.pos++;
    }
  }
  const end = cursor.pos;
  if (end === start) refuse();
  // digits before `>` belong to it: as a word they would have been read as one too many
  const next = cursor.peek();
  if ((next === Char.Less || next === Char.Greater) && /^[0-9]+(?:\\\n)*$/.test(source.slice(start, end))) refuse();
  if (from > start) text += source.slice(from, end);
  const raw = source.slice(start, end);
  if (from === start) text = raw;
  return { start, end, raw, text, value: isStatic ? text : undefined };
}

/** Past the characters that mean nothing to a shell wherever they stand in a word; commas and dots may, in braces. */
function skipPlain(source: string, from: number, inBraces: boolean): number {
  let at = from;
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at);
    const isPlain =
      code > 126 ||
      (code >= 97 && code <= 122) ||
      (code >= 47 && code <= 58) ||
      (code >= 64 && code <= 90) ||
      code === 45 ||
      code === 95 ||
      (code === 46 && !inBraces);
    if (!isPlain) break;
  }
  return at;
}

/** The characters that end an unquoted word: blanks, newline, `;`, `&`, `|`, `(`, `)`, `<`, `>`, and the end. */
export function isWordEnd(code: number): boolean {
  switch (code) {
    case -1:
    case Char.Space:
    case Char.Tab:
    case Char.Newline:
    case Char.Semicolon:
    case Char.Ampersand:
    case Char.Pipe:
    case Char.OpenParen:
    case Char.CloseParen:
    case Char.Less:
    case Char.Greater:
      return true;
    default:
      return false;
  }
}

/** `[` as the whole word is the test command and no glob. */
function isAlone(cursor: Cursor, start: number): boolean {
  return cursor.pos === start && isWordEnd(cursor.peek(1));
}

function skipSingleQuoted(cursor: Cursor): void {
  const close = cursor.source.indexOf("'", cursor.pos + 1);
  if (close < 0) refuse();
  cursor.pos = close + 1;
}

/** Reads `"…"`; the cursor ends behind the closing quote. */
function readDoubleQuoted(cursor: Cursor): { text: string; isStatic: boolean } {
  const { source } = cursor;
  let text = "";
  let isStatic = true;
  let from = ++cursor.pos;
  for (;;) {
    const code = cursor.peek();
    if (code === -1) refuse();
    if (code === Char.DoubleQuote) break;
    if (code === Char.Backslash) {
      const next = cursor.peek(1);
      if (next === Char.Newline) {
        text += source.slice(from, cursor.pos);
        from = cursor.pos + 2;
      } else if (
        next === Char.Dollar ||
        next === Char.Backtick ||
        next === Char.DoubleQuote ||
        next === Char.Backslash
      ) {
        text += source.slice(from, cursor.pos);
        from = cursor.pos + 1;
      }
      cursor.pos += 2;
    } else if (code === Char.Dollar) {
      const isExpansion = skipDollar(cursor, true);
      isStatic &&= !isExpansion;
    } else if (code === Char.Backtick) {
      skipBackticks(cursor);
      isStatic = false;
    } else cursor.pos++;
  }
  text += source.slice(from, cursor.pos);
  cursor.pos++;
  return { text, isStatic };
}

/** Steps over `$…`. Says whether it was an expansion; a lone `$` is not. */
function skipDollar(cursor: Cursor, inDoubleQuotes: boolean): boolean {
  const next = cursor.peek(1);
  if (next === Char.OpenParen) {
    if (cursor.peek(2) === Char.OpenParen) {
      cursor.pos += 3;
      cursor.enter();
      skipArithmetic(cursor);
      cursor.leave();
    } else skipSubstitution(cursor);
    return true;
  }
  if (next === Char.OpenBrace) {
    cursor.enter();
    skipParameter(cursor, inDoubleQuotes);
    cursor.leave();
    return true;
  }
  // `$[1+2]` is arithmetic in old shells; an escaped newline may or may not part a `$` from its name
  if (next === Char.OpenBracket || (next === Char.Backslash && cursor.peek(2) === Char.Newline)) refuse();
  if (!inDoubleQuotes && next === Char.SingleQuote) {
    cursor.pos++;
    skipAnsiQuoted(cursor);
    return true;
  }
  if (!inDoubleQuotes && next === Char.DoubleQuote) {
    cursor.pos++;
    readDoubleQuoted(cursor);
    return true;
  }
  cursor.pos++;
  if (isNameStart(next)) {
    while (isNameCharacter(cursor.peek())) cursor.pos++;
    return true;
  }
  if (next > 0 && "0123456789@*#?-$!_".includes(String.fromCharCode(next))) {
    cursor.pos++;
    return true;
  }
  return false;
}

/** `$'…'`, where a backslash escapes also the quote. */
function skipAnsiQuoted(cursor: Cursor): void {
  cursor.pos++;
  for (;;) {
    const code = cursor.peek();
    if (code === -1) refuse();
    if (code === Char.SingleQuote) break;
    cursor.pos += code === Char.Backslash ? 2 : 1;
  }
  cursor.pos++;
}

/** `$(…)`, `<(…)`, `>(…)`: one character, a parenthesis, a list. */
function skipSubstitution(cursor: Cursor): void {
  // shells differ in where the body of a heredoc outside begins when a newline comes inside
  if (cursor.owesHeredoc) refuse();
  cursor.hasSubstitution = true;
  cursor.pos += 2;
  // `<((`; `$((` was looked at before
  if (cursor.peek() === Char.OpenParen) refuse();
  cursor.endOperator();
  cursor.enter();
  cursor.readNested(cursor, ")");
  cursor.leave();
  if (cursor.peek() !== Char.CloseParen) refuse();
  cursor.pos++;
}

/** Backticks: up to the next one without a backslash; what is inside must be understood too. */
function skipBackticks(cursor: Cursor): void {
  cursor.hasSubstitution = true;
  let inside = "";
  let from = ++cursor.pos;
  for (;;) {
    const code = cursor.peek();
    if (code === -1) refuse();
    if (code === Char.Backtick) break;
    if (code === Char.Backslash) {
      const next = cursor.peek(1);
      if (next === Char.Dollar || next === Char.Backtick || next === Char.Backslash) {
        inside += cursor.source.slice(from, cursor.pos);
        from = cursor.pos + 1;
      }
      cursor.pos += 2;
    } else cursor.pos++;
  }
  inside += cursor.source.slice(from, cursor.pos);
  cursor.pos++;
  const nested = cursor.inner(inside);
  nested.readNested(nested, undefined);
  if (!nested.atEnd || nested.owesHeredoc) refuse();
  cursor.hasHeredoc ||= nested.hasHeredoc;
}

/** `${…}` up to its own brace. */
function skipParameter(cursor: Cursor, inDoubleQuotes: boolean): void {
  cursor.pos += 2;
  const first = cursor.peek();
  // `${ cmd; }` and `${| cmd; }` run commands in the newest shells
  if (!isNameCharacter(first) && !(first > 0 && "#!@*?$-".includes(String.fromCharCode(first)))) refuse();
  for (;;) {
    const code = cursor.peek();
    switch (code) {
      case -1:
        refuse();
        break;
      case Char.CloseBrace:
        cursor.pos++;
        return;
      case Char.Backslash:
        cursor.pos += 2;
        break;
      case Char.SingleQuote:
        // inside double quotes it depends on the operator whether this is a quote
        if (inDoubleQuotes) refuse();
        skipSingleQuoted(cursor);
        break;
      case Char.DoubleQuote:
        readDoubleQuoted(cursor);
        break;
      case Char.Dollar:
        // `${#$}` and `${$}` name the shell's own variables
        if (cursor.peek(1) === Char.CloseBrace) cursor.pos++;
        else skipDollar(cursor, inDoubleQuotes);
        break;
      case Char.Backtick:
        skipBackticks(cursor);
        break;
      case Char.Less:
      case Char.Greater:
        if (cursor.peek(1) === Char.OpenParen) refuse();
        cursor.pos++;
        break;
      default:
        cursor.pos++;
    }
  }
}

/**
 * Arithmetic from behind `((` to behind `))`; gives the number of semicolons at its top, as a `for` needs them. What
 * would have to be read again as nested subshells is refused.
 */
export function skipArithmetic(cursor: Cursor): number {
  let open = 0;
  let semicolons = 0;
  for (;;) {
    const code = cursor.peek();
    switch (code) {
      case -1:
      case Char.SingleQuote:
      case Char.Backslash:
      case Char.Hash:
        // `16#ff` is a number, every other `#` is doubtful
        if (code !== Char.Hash || !/[0-9]/.test(cursor.source.charAt(cursor.pos - 1))) refuse();
        cursor.pos++;
        break;
      case Char.DoubleQuote:
        readDoubleQuoted(cursor);
        break;
      case Char.Dollar:
        skipDollar(cursor, true);
        break;
      case Char.Backtick:
        skipBackticks(cursor);
        break;
      case Char.OpenParen:
        open++;
        cursor.pos++;
        break;
      case Char.Semicolon:
        if (open === 0) semicolons++;
        cursor.pos++;
        break;
      case Char.CloseParen:
        cursor.pos++;
        if (open > 0) open--;
        else if (cursor.peek() === Char.CloseParen) {
          cursor.pos++;
          return semicolons;
        } else refuse();
        break;
      default:
        cursor.pos++;
    }
  }
}

function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isNameCharacter(code: number): boolean {
  return isNameStart(code) || (code >= 48 && code <= 57);
}
