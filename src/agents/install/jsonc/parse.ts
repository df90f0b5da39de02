/**
 * JSON with comments and trailing commas, as a tree that knows where each value stands in the text.
 * For editing a person's settings in place: it never re-prints anything, and what it can't read it refuses.
 */

export type JsoncNode = ObjectNode | ArrayNode | ScalarNode;

interface Span {
  /** Offset of the first character, in UTF-16 units. */
  readonly start: number;
  /** Offset behind the last character. */
  readonly end: number;
}

export interface ObjectNode extends Span {
  readonly kind: "object";
  readonly members: readonly Member[];
  /** Offset of a comma behind the last member, if the text has one. */
  readonly trailingComma?: number;
}

export interface Member {
  readonly key: string;
  readonly keyStart: number;
  readonly value: JsoncNode;
}

export interface ArrayNode extends Span {
  readonly kind: "array";
  readonly items: readonly JsoncNode[];
  readonly trailingComma?: number;
}

export interface ScalarNode extends Span {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
}

/** Where and why a text is not JSON with comments. */
export class JsoncError extends Error {
  constructor(
    readonly what: string,
    readonly at: number,
  ) {
    super(`${what} at offset ${at}`);
    this.name = "JsoncError";
  }
}

/** Deeper than any settings file, shallower than the stack. */
const MAX_DEPTH = 200;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: readonly (readonly [string, boolean | null])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

/** @throws JsoncError */
export function parseJsonc(text: string): JsoncNode {
  const parser = new Parser(text);
  const node = parser.value(0);
  parser.skip();
  if (parser.at < text.length) throw new JsoncError("text behind the value", parser.at);
  return node;
}

/** The node as plain data; of a key written twice the last counts, as for JSON.parse. */
export function plainValue(node: JsoncNode): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "array":
      return node.items.map(plainValue);
    case "object": {
      const result: Record<string, unknown> = {};
      for (const { key, value } of node.members) {
        // A plain assignment to this one name would set the prototype instead.
        if (key === "__proto__") Object.defineProperty(result, key, { value: plainValue(value), enumerable: true });
        else result[key] = plainValue(value);
      }
      return result;
    }
  }
}

/** The value under a key: the last one, where the key is written twice. */
export function memberOf(node: JsoncNode | undefined, key: string): Member | undefined {
  return node?.kind === "object" ? node.members.findLast((member) => member.key === key) : undefined;
}

/** Offset behind white space and comments that start at `from`. @throws JsoncError for a comment without end */
export function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 9 || code === 10 || code === 13 || code === 0xfeff) at++;
    else if (code === 47 && text[at + 1] === "/") at = endOfLine(text, at);
    else if (code === 47 && text[at + 1] === "*") {
      const end = text.indexOf("*/", at + 2);
      if (end < 0) throw new JsoncError("comment without an end", at);
      at = end + 2;
    } else return at;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

class Parser {
  at = 0;
  constructor(private readonly text: string) {}

  skip(): void {
    this.at = skipBlank(this.text, this.at);
  }

  value(depth: number): JsoncNode {
    if (depth > MAX_DEPTH) throw new JsoncError("too deeply nested", this.at);
    this.skip();
    const char = this.text[this.at];
    if (char === "{") return this.object(depth);
    if (char === "[") return this.array(depth);
    return this.scalar();
  }

  private object(depth: number): ObjectNode {
    const start = this.at++;
    const members: Member[] = [];
    const seen = this.list("}", () => {
      const keyStart = this.at;
      if (this.text[this.at] !== '"') throw new JsoncError("expected a key", this.at);
      const key = this.string();
      this.skip();
      if (this.text[this.at] !== ":") throw new JsoncError("expected a colon", this.at);
      this.at++;
      members.push({ key, keyStart, value: this.value(depth + 1) });
    });
    return { kind: "object", start, end: this.at, members, ...seen };
  }

  private array(depth: number): ArrayNode {
    const start = this.at++;
    const items: JsoncNode[] = [];
    const seen = this.list("]", () => {
      items.push(this.value(depth + 1));
    });
    return { kind: "array", start, end: this.at, items, ...seen };
  }

  /** Elements up to the closing bracket; says where a trailing comma stands. */
  private list(close: string, element: () => void): { trailingComma?: number } {
    let comma: number | undefined;
    let isFirst = true;
    for (;;) {
      this.skip();
      if (this.text[this.at] === close) {
        this.at++;
        return comma === undefined ? {} : { trailingComma: comma };
      }
      if (!isFirst && comma === undefined) throw new JsoncError(`expected a comma or ${close}`, this.at);
      element();
      isFirst = false;
      comma = undefined;
      this.skip();
      if (this.text[this.at] === ",") comma = this.at++;
    }
  }

  private scalar(): ScalarNode {
    const start = this.at;
    if (this.text[start] === '"') {
      const value = this.string();
      return { kind: "scalar", start, end: this.at, value };
    }
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, start)) continue;
      this.at += word.length;
      return { kind: "scalar", start, end: this.at, value };
    }
    NUMBER.lastIndex = start;
    const number = NUMBER.exec(this.text)?.[0];
    if (number === undefined) throw new JsoncError("expected a value", start);
    this.at += number.length;
    return { kind: "scalar", start, end: this.at, value: Number(number) };
  }

  private string(): string {
    const start = this.at;
    for (let at = start + 1; at < this.text.length; at++) {
      const char = this.text[at];
      if (char === "\\") at++;
      else if (char === "\n") break;
      else if (char === '"') {
        this.at = at + 1;
        try {
          return JSON.parse(this.text.slice(start, at + 1)) as string;
        } catch {
          throw new JsoncError("a string with a wrong escape", start);
        }
      }
    }
    throw new JsoncError("a string without an end", start);
  }
}
