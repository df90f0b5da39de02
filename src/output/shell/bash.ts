/**
 * Bash's grammar of lists, pipelines and simple commands, as far as a command line needs it: where each command
 * begins and ends, what its words are, what joins it to the next. Compound constructs are read to their end
 * (compound.ts) and handed out whole. It accepts less than bash does, and never another reading than bash's.
 */
import { isReservedWord, peekReserved, readCompound, readFunctionBody } from "./compound.ts";
import { Char, Cursor, refuse } from "./cursor.ts";
import type { Assignment, CommandLine, Operator, Redirection, Segment, Word } from "./types.ts";
import { isWordEnd, readWord } from "./words.ts";

/** What ends a list besides the end of the line. */
export interface Stops {
  readonly paren?: boolean;
  /** `;;`, `;&`, `;;&` */
  readonly clause?: boolean;
  /** Reserved words. */
  readonly words?: readonly string[];
}

const TO_END: Stops = {};
const TO_PAREN: Stops = { paren: true };

/** Builtins whose arguments may be array assignments: `declare -a x=(1 2)`. */
const DECLARATIONS: ReadonlySet<string> = new Set(["declare", "typeset", "local", "export", "readonly"]);

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[A-Za-z0-9_@*-]+\])?\+?=/;
const SUBSCRIPT = /^[A-Za-z_][A-Za-z0-9_]*\[/;

/** A segment in the making: what stands behind it is only known later. */
export type Draft = { -readonly [Key in keyof Segment]: Segment[Key] };

/** Reads a whole line; throws `REFUSAL` when any part of it is not understood. */
export function readBashLine(source: string): CommandLine {
  const cursor = new Cursor(source, readNested);
  const segments: Draft[] = [];
  readList(cursor, TO_END, segments);
  if (!cursor.atEnd || cursor.owesHeredoc || segments.length === 0) refuse();
  return {
    source,
    dialect: "bash",
    segments,
    hasHeredoc: cursor.hasHeredoc,
    hasSubstitution: cursor.hasSubstitution,
    hasBackground: segments.some((segment) => segment.operator === "&"),
    isCompound: segments.some(({ compound }) => !!compound && compound !== "test" && compound !== "arithmetic"),
  };
}

function readNested(cursor: Cursor, close: ")" | undefined): void {
  readList(cursor, close ? TO_PAREN : TO_END, []);
}

/**
 * Reads commands up to one of `stops` or the end, and leaves the cursor there.
 * Gives the number of commands read.
 */
export function readList(cursor: Cursor, stops: Stops, out: Draft[]): number {
  let count = 0;
  let mustFollow = false;
  for (;;) {
    cursor.skipLines();
    if (isAtStop(cursor, stops)) {
      if (mustFollow) refuse();
      return count;
    }
    readPipeline(cursor, out);
    count++;
    cursor.skipBlanks();
    const operator = readListOperator(cursor);
    const last = out.at(-1);
    if (!last) refuse();
    if (operator === undefined) {
      // only `)`, `;;`, the end, and a reserved word right behind a compound command can stand here
      const closes = cursor.atEnd || cursor.peek() === Char.CloseParen || cursor.peek() === Char.Semicolon;
      if (!isAtStop(cursor, stops) || !(closes || last.compound)) refuse();
      return count;
    }
    cursor.endOperator();
    last.operator = operator;
    mustFollow = operator === "&&" || operator === "||";
  }
}

function isAtStop(cursor: Cursor, stops: Stops): boolean {
  const code = cursor.peek();
  if (code === -1) return true;
  if (code === Char.CloseParen) return stops.paren === true;
  if (code === Char.Semicolon) {
    return stops.clause === true && (cursor.peek(1) === Char.Semicolon || cursor.peek(1) === Char.Ampersand);
  }
  return stops.words?.includes(peekReserved(cursor)) === true;
}

function readListOperator(cursor: Cursor): Operator | undefined {
  switch (cursor.peek()) {
    case Char.Newline:
      cursor.newline();
      return "\n";
    case Char.Semicolon:
      if (cursor.peek(1) === Char.Semicolon || cursor.peek(1) === Char.Ampersand) return undefined;
      cursor.pos++;
      return ";";
    case Char.Ampersand:
      cursor.pos += cursor.peek(1) === Char.Ampersand ? 2 : 1;
      return cursor.source.charCodeAt(cursor.pos - 2) === Char.Ampersand ? "&&" : "&";
    case Char.Pipe:
      if (cursor.peek(1) !== Char.Pipe) refuse();
      cursor.pos += 2;
      return "||";
    default:
      return undefined;
  }
}

function readPipeline(cursor: Cursor, out: Draft[]): void {
  let negated = false;
  let timed = false;
  for (;;) {
    const reserved = peekReserved(cursor);
    if (reserved === "!") negated = true;
    else if (reserved === "time") timed = true;
    else break;
    cursor.pos += reserved.length;
    cursor.skipBlanks();
    if (reserved === "time" && cursor.source.startsWith("-", cursor.pos)) {
      // any other option makes it the program of that name, in some shells
      if (!/^-p[ \t]/.test(cursor.source.slice(cursor.pos, cursor.pos + 3))) refuse();
      cursor.pos += 2;
      cursor.skipBlanks();
    }
  }
  const first = out.length;
  for (;;) {
    const command = readCommand(cursor);
    out.push(command);
    cursor.skipBlanks();
    if (cursor.peek() !== Char.Pipe || cursor.peek(1) === Char.Pipe) break;
    const operator = cursor.peek(1) === Char.Ampersand ? "|&" : "|";
    cursor.pos += operator.length;
    cursor.endOperator();
    command.operator = operator;
    cursor.skipLines();
    const reserved = peekReserved(cursor);
    if (reserved === "!" || reserved === "time") refuse();
  }
  const piped = out.length - first > 1;
  if (!piped && !negated && !timed) return;
  for (let index = first; index < out.length; index++) {
    const segment = out[index];
    if (segment) Object.assign(segment, { piped, negated, timed });
  }
}

function readCommand(cursor: Cursor): Draft {
  const start = cursor.pos;
  const hadHeredoc = cursor.hasHeredoc;
  const hadSubstitution = cursor.hasSubstitution;
  cursor.hasHeredoc = false;
  cursor.hasSubstitution = false;
  const words: Word[] = [];
  const assignments: Assignment[] = [];
  const redirections: Redirection[] = [];
  cursor.enter();
  let compound = readCompound(cursor);
  cursor.leave();
  // `then`, `done` and their like, where nothing was opened
  if (compound === undefined && peekReserved(cursor) !== "") refuse();
  let end = cursor.pos;
  for (;;) {
    cursor.skipBlanks();
    const redirection = readRedirection(cursor);
    if (redirection) {
      // at the start bash takes some of these for the keyword: `&>if &>x cmd`
      if (words.length === 0 && isReservedWord(redirection.target.raw)) refuse();
      redirections.push(redirection);
      end = redirection.end;
      continue;
    }
    if (cursor.peek() === Char.OpenParen) {
      if (words.length !== 1 || compound || assignments.length > 0 || redirections.length > 0) refuse();
      words.length = 0;
      cursor.enter();
      readFunctionBody(cursor);
      cursor.leave();
      compound = "function";
      end = cursor.pos;
      continue;
    }
    if (isWordEnd(cursor.peek()) && !isProcessSubstitution(cursor)) break;
    if (compound) refuse();
    const word = readCommandWord(cursor, words);
    end = word.end;
    const name = words.length === 0 ? assignedName(word) : undefined;
    if (name === undefined) words.push(word);
    else assignments.push({ start: word.start, end: word.end, raw: word.raw, name });
  }
  if (!compound && words.length + assignments.length + redirections.length === 0) refuse();
  const { hasHeredoc, hasSubstitution } = cursor;
  cursor.hasHeredoc ||= hadHeredoc;
  cursor.hasSubstitution ||= hadSubstitution;
  return {
    start,
    end,
    text: cursor.source.slice(start, end),
    words,
    assignments,
    redirections,
    compound,
    operator: undefined,
    piped: false,
    negated: false,
    timed: false,
    hasHeredoc,
    hasSubstitution,
  };
}

/** The variable that a first word sets; undefined when it is the program. */
function assignedName({ raw }: Word): string | undefined {
  const bare = joinLines(raw);
  if (bare !== raw && isReservedWord(bare)) refuse();
  if (!bare.includes("=") && !bare.includes("[")) return undefined;
  const name = ASSIGNMENT.exec(bare)?.[1];
  if (name === undefined && SUBSCRIPT.test(bare)) refuse();
  return name;
}

/** A word as the shell sees it, which takes escaped newlines out before anything else. */
function joinLines(raw: string): string {
  return raw.includes("\\\n") ? raw.replaceAll("\\\n", "") : raw;
}

function isProcessSubstitution(cursor: Cursor): boolean {
  const code = cursor.peek();
  return (code === Char.Less || code === Char.Greater) && cursor.peek(1) === Char.OpenParen;
}

/** A word, or `name=(…)` where an assignment can stand. */
function readCommandWord(cursor: Cursor, words: readonly Word[]): Word {
  const word = readWord(cursor);
  if (cursor.peek() !== Char.OpenParen || !word.raw.endsWith("=") || !ASSIGNMENT.test(word.raw)) return word;
  if (words.length > 0 && !DECLARATIONS.has(words[0]?.text ?? "")) refuse();
  cursor.pos++;
  for (;;) {
    cursor.skipLines();
    if (cursor.peek() === Char.CloseParen) break;
    readWord(cursor);
  }
  cursor.pos++;
  const raw = cursor.source.slice(word.start, cursor.pos);
  return { start: word.start, end: cursor.pos, raw, text: raw, value: undefined };
}

/** Reads `[n]OP target`; gives undefined and does not move when none starts here. */
export function readRedirection(cursor: Cursor): Redirection | undefined {
  const start = cursor.pos;
  const first = cursor.peek();
  if (first !== Char.Less && first !== Char.Greater && first !== Char.Ampersand && !isDigit(first)) return undefined;
  let at = start;
  while (isDigit(cursor.source.charCodeAt(at))) at++;
  const operator = redirectionOperator(cursor.source, at);
  if (operator === undefined) return undefined;
  if (at > start && operator.startsWith("&")) return undefined;
  const fd = at > start ? Number(cursor.source.slice(start, at)) : undefined;
  cursor.pos = at + operator.length;
  cursor.endOperator();
  cursor.skipBlanks();
  const target = readWord(cursor);
  if (operator === "<<" || operator === "<<-") {
    if (/[$`]/.test(target.raw)) refuse();
    cursor.expectHeredoc({
      delimiter: target.text,
      stripsTabs: operator === "<<-",
      isQuoted: /['"\\]/.test(target.raw),
    });
  }
  return { start, end: cursor.pos, raw: cursor.source.slice(start, cursor.pos), operator, fd, target };
}

function redirectionOperator(source: string, at: number): string | undefined {
  const three = source.slice(at, at + 3);
  if (three === "<<<" || three === "<<-" || three === "&>>") return three;
  const two = three.slice(0, 2);
  if (two === "<(" || two === ">(") return undefined;
  if (two === "&>" || two === ">>" || two === ">|" || two === "<>" || two === "<&" || two === ">&" || two === "<<") {
    return two;
  }
  const one = three.slice(0, 1);
  return one === "<" || one === ">" ? one : undefined;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
