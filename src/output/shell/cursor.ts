/**
 * The place of the bash reader in its line, with what both the word scanner and the grammar need: blanks,
 * comments, newlines and the heredoc bodies that begin behind them. Refusing is a throw of one constant, caught at
 * the one entrance; nothing else throws.
 */

/** Thrown for whatever is not understood. Not an Error: no stack is captured on the hot door. */
export const REFUSAL: unique symbol = Symbol("command line not understood");

export function refuse(): never {
  throw REFUSAL;
}

/** Nesting past this is nobody's command line. */
const MAX_DEPTH = 40;

interface PendingHeredoc {
  readonly delimiter: string;
  readonly stripsTabs: boolean;
  readonly isQuoted: boolean;
}

export enum Char {
  Tab = 9,
  Newline = 10,
  Space = 32,
  Bang = 33,
  DoubleQuote = 34,
  Hash = 35,
  Dollar = 36,
  Ampersand = 38,
  SingleQuote = 39,
  OpenParen = 40,
  CloseParen = 41,
  Star = 42,
  Comma = 44,
  Dot = 46,
  Semicolon = 59,
  Less = 60,
  Equals = 61,
  Greater = 62,
  Question = 63,
  OpenBracket = 91,
  Backslash = 92,
  CloseBracket = 93,
  Backtick = 96,
  OpenBrace = 123,
  Pipe = 124,
  CloseBrace = 125,
  Tilde = 126,
}

export class Cursor {
  pos = 0;
  hasHeredoc = false;
  hasSubstitution = false;
  private pending: PendingHeredoc[] = [];

  constructor(
    readonly source: string,
    /** Reads the list inside `$(`, `<(` or backticks, up to the given closing text or the end. */
    readonly readNested: (cursor: Cursor, close: ")" | undefined) => void,
    private depth = 0,
  ) {}

  get atEnd(): boolean {
    return this.pos >= this.source.length;
  }

  peek(ahead = 0): number {
    return this.pos + ahead < this.source.length ? this.source.charCodeAt(this.pos + ahead) : -1;
  }

  /** One level deeper; `leave` goes back. */
  enter(): void {
    if (++this.depth > MAX_DEPTH) refuse();
  }

  leave(): void {
    this.depth--;
  }

  /** A reader for text taken out of backticks. */
  inner(source: string): Cursor {
    if (this.depth >= MAX_DEPTH) refuse();
    return new Cursor(source, this.readNested, this.depth + 1);
  }

  expectHeredoc(heredoc: PendingHeredoc): void {
    this.hasHeredoc = true;
    this.pending.push(heredoc);
  }

  get owesHeredoc(): boolean {
    return this.pending.length > 0;
  }

  /** Blanks and escaped newlines. A comment too, up to its newline: only blanks can stand before one. */
  skipBlanks(): void {
    for (;;) {
      const code = this.peek();
      if (code === Char.Space || code === Char.Tab) this.pos++;
      else if (code === Char.Backslash && this.peek(1) === Char.Newline) this.pos += 2;
      else if (code === Char.Hash && this.atWordStart()) {
        const newline = this.source.indexOf("\n", this.pos);
        this.pos = newline < 0 ? this.source.length : newline;
      } else return;
    }
  }

  /** Behind an operator: an escaped newline must not join it to more of one, as in `&` and `&`. */
  endOperator(): void {
    if (this.peek() !== Char.Backslash) return;
    let at = this.pos;
    while (this.source.startsWith("\\\n", at)) at += 2;
    if (at > this.pos && "&|;<>(-".includes(this.source.charAt(at) || " ")) refuse();
  }

  /** Blanks, comments and newlines. Says whether a newline was among them. */
  skipLines(): boolean {
    let sawNewline = false;
    for (;;) {
      this.skipBlanks();
      if (this.peek() !== Char.Newline) return sawNewline;
      this.newline();
      sawNewline = true;
    }
  }

  /** Steps over a newline and the bodies of the heredocs that were announced before it. */
  newline(): void {
    this.pos++;
    const owed = this.pending;
    if (owed.length === 0) return;
    this.pending = [];
    for (const heredoc of owed) this.skipBody(heredoc);
  }

  private skipBody(heredoc: PendingHeredoc): void {
    for (;;) {
      if (this.atEnd) refuse();
      const newline = this.source.indexOf("\n", this.pos);
      const end = newline < 0 ? this.source.length : newline;
      let line = this.source.slice(this.pos, end);
      this.pos = newline < 0 ? end : end + 1;
      if (heredoc.stripsTabs) line = line.replace(/^\t+/, "");
      if (line === heredoc.delimiter) return;
      // an escaped newline joins lines, and could hide the delimiter
      if (!heredoc.isQuoted && line.endsWith("\\")) refuse();
    }
  }

  private atWordStart(): boolean {
    if (this.pos === 0) return true;
    const before = this.source.charCodeAt(this.pos - 1);
    return (
      before === Char.Space ||
      before === Char.Tab ||
      before === Char.Newline ||
      before === Char.Semicolon ||
      before === Char.Ampersand ||
      before === Char.Pipe ||
      before === Char.OpenParen ||
      before === Char.CloseParen ||
      before === Char.Less ||
      before === Char.Greater
    );
  }
}
