/**
 * Adds to and takes from a JSON text in place: every byte that is not ours stays where it is, comments, order,
 * indentation and line ends included. What an insertion added can be taken out again to the byte, also after
 * other parts of the text were edited.
 */
import { dominantEol } from "../../../platform/text.ts";
import { type ArrayNode, type JsoncNode, memberOf, type ObjectNode, parseJsonc, skipBlank } from "./parse.ts";

export type Path = readonly (string | number)[];

export interface Insertion {
  /** The text after the insertion. */
  readonly text: string;
  /** What was added as one piece. */
  readonly piece: string;
  /** True when a comma was added apart from the piece, behind the element before it. */
  readonly commaApart: boolean;
}

/** Why an insertion is not possible in this text. */
export class EditError extends Error {
  override readonly name = "EditError";
}

/**
 * Sets a member of the object at `path` (objects on the way are made where they are missing).
 * @throws JsoncError, or EditError when something on the way is not an object or the key is there already
 */
export function insertMember(text: string, path: readonly string[], key: string, value: unknown): Insertion {
  const { node, rest } = descend(parseJsonc(text), path);
  if (node.kind !== "object") throw new EditError(`${path.join(".")} is not an object`);
  if (rest.length === 0 && memberOf(node, key) !== undefined) throw new EditError(`${key} is there already`);
  const [first = key, ...others] = [...rest, key];
  return insertElement(text, node, JSON.stringify(first), nest(others, value));
}

/**
 * Adds an element at the end of the array at `path`; the array and objects on the way are made where missing.
 * @throws JsoncError, or EditError when something on the way has another type
 */
export function appendItem(text: string, path: readonly string[], value: unknown): Insertion {
  const { node, rest } = descend(parseJsonc(text), path);
  const [first, ...others] = rest;
  if (first !== undefined) {
    if (node.kind !== "object") throw new EditError(`${path.join(".")} is not an object`);
    return insertElement(text, node, JSON.stringify(first), nest(others, [value]));
  }
  if (node.kind !== "array") throw new EditError(`${path.join(".")} is not a list`);
  return insertElement(text, node, undefined, value);
}

/** Takes an insertion out again; undefined when the piece is not there as it was added. */
export function undoInsertion(text: string, made: Pick<Insertion, "piece" | "commaApart">): string | undefined {
  const at = text.lastIndexOf(made.piece);
  if (at < 0 || made.piece === "") return undefined;
  const without = text.slice(0, at) + text.slice(at + made.piece.length);
  if (!made.commaApart) return isReadable(without) ? without : undefined;
  const comma = lastCommaBefore(text, at);
  if (comma === undefined) return undefined;
  const result = without.slice(0, comma) + without.slice(comma + 1);
  return isReadable(result) ? result : undefined;
}

/** Takes out the element at `path`, with its comma and, where it had a line of its own, that line. */
export function removeElement(text: string, path: Path): string | undefined {
  const parentPath = path.slice(0, -1);
  const key = path.at(-1);
  const parent = nodeAt(parseJsonc(text), parentPath);
  if (parent === undefined || parent.kind === "scalar" || key === undefined) return undefined;
  const spans = elementSpans(parent);
  const index = parent.kind === "object" ? parent.members.findLastIndex((member) => member.key === key) : Number(key);
  const span = spans[index];
  if (span === undefined) return undefined;
  const before = spans[index - 1];
  const after = spans[index + 1];
  // The comma that goes is the one behind, unless this is the last element: then the one before it.
  if (after !== undefined || parent.trailingComma !== undefined) {
    const comma = after === undefined ? parent.trailingComma : commaFrom(text, span.end);
    const end = comma === undefined ? span.end : comma + 1;
    return cutLines(text, span.start, end);
  }
  const cut = cutLines(text, span.start, span.end);
  if (before === undefined) return cut;
  const comma = commaFrom(text, before.end);
  return comma === undefined ? cut : cut.slice(0, comma) + cut.slice(comma + 1);
}

export function nodeAt(root: JsoncNode, path: Path): JsoncNode | undefined {
  let node: JsoncNode | undefined = root;
  for (const step of path) {
    if (typeof step === "number") node = node?.kind === "array" ? node.items[step] : undefined;
    else node = memberOf(node, step)?.value;
  }
  return node;
}

/** As far along the path as the text goes, and what of the path is missing. */
function descend(root: JsoncNode, path: readonly string[]): { node: JsoncNode; rest: readonly string[] } {
  let node = root;
  for (const [index, key] of path.entries()) {
    if (node.kind !== "object") throw new EditError(`${path.slice(0, index).join(".") || "the file"} is not an object`);
    const next = memberOf(node, key)?.value;
    if (next === undefined) return { node, rest: path.slice(index) };
    node = next;
  }
  return { node, rest: [] };
}

function nest(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function insertElement(
  text: string,
  parent: ObjectNode | ArrayNode,
  key: string | undefined,
  value: unknown,
): Insertion {
  const eol = dominantEol(text);
  const spans = elementSpans(parent);
  const last = spans.at(-1);
  const isOneLine = spans.length > 0 && !text.slice(parent.start, last?.start).includes("\n");
  const prefix = key === undefined ? "" : `${key}: `;
  if (last === undefined) {
    const outer = indentAt(text, parent.start);
    const inside = text.slice(parent.start + 1, parent.end - 1);
    const unit = indentUnit(text);
    const body = print(value, unit, outer + unit, eol);
    // An empty pair of brackets may hold a comment, or a line end: ours goes behind it.
    const lineEnd = inside.lastIndexOf("\n");
    if (lineEnd >= 0) {
      const at = parent.start + 1 + lineEnd + 1;
      return spliced(text, at, `${outer}${unit}${prefix}${body}${eol}`);
    }
    const at = parent.end - 1;
    return spliced(text, at, `${eol}${outer}${unit}${prefix}${body}${eol}${outer}`);
  }
  if (isOneLine) {
    const compact =
      key === undefined ? JSON.stringify(value) : `${key}:${spaceAfterColon(text)}${JSON.stringify(value)}`;
    const gap = spaceAfterComma(text, spans);
    if (parent.trailingComma === undefined) return spliced(text, last.end, `,${gap}${compact}`);
    return spliced(text, parent.trailingComma + 1, `${gap}${compact},`);
  }
  const indent = indentAt(text, last.start);
  const unit = indentUnit(text);
  const line = `${prefix}${print(value, unit, indent, eol)}`;
  if (parent.trailingComma !== undefined) {
    return spliced(text, afterComment(text, parent.trailingComma + 1), `${eol}${indent}${line},`);
  }
  const behind = afterComment(text, last.end);
  if (behind === last.end) return spliced(text, last.end, `,${eol}${indent}${line}`);
  // A comment stands on the last element's line and belongs to it: the comma goes before it, the new line behind.
  const piece = `${eol}${indent}${line}`;
  const withPiece = text.slice(0, behind) + piece + text.slice(behind);
  return { text: `${withPiece.slice(0, last.end)},${withPiece.slice(last.end)}`, piece, commaApart: true };
}

function spliced(text: string, at: number, piece: string): Insertion {
  return { text: text.slice(0, at) + piece + text.slice(at), piece, commaApart: false };
}

interface ElementSpan {
  readonly start: number;
  readonly end: number;
}

function elementSpans(parent: ObjectNode | ArrayNode): ElementSpan[] {
  return parent.kind === "object"
    ? parent.members.map(({ keyStart, value }) => ({ start: keyStart, end: value.end }))
    : parent.items.map(({ start, end }) => ({ start, end }));
}

/** Offset behind the comments that stand on the same line as `from`, or `from` where there is none. */
function afterComment(text: string, from: number): number {
  let at = from;
  let result = from;
  for (;;) {
    while (text[at] === " " || text[at] === "\t") at++;
    if (text.startsWith("//", at)) {
      const end = text.indexOf("\n", at);
      const stop = end < 0 ? text.length : end;
      return text[stop - 1] === "\r" ? stop - 1 : stop;
    }
    if (!text.startsWith("/*", at)) return result;
    const end = text.indexOf("*/", at);
    if (end < 0 || text.slice(at, end).includes("\n")) return result;
    at = end + 2;
    result = at;
  }
}

/** The white space that the line of `at` starts with. */
function indentAt(text: string, at: number): string {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? "";
}

/** One step of indentation, as the file itself has it. */
function indentUnit(text: string): string {
  const first = /\n([ \t]+)["[{]/.exec(text)?.[1];
  if (first === undefined) return "  ";
  return first.startsWith("\t") ? "\t" : first;
}

function spaceAfterColon(text: string): string {
  return /":\S/.test(text) && !/": /.test(text) ? "" : " ";
}

function spaceAfterComma(text: string, spans: readonly ElementSpan[]): string {
  const [first, second] = spans;
  if (first !== undefined && second !== undefined) return /,(\s*)/.exec(text.slice(first.end, second.start))?.[1] ?? "";
  return spaceAfterColon(text);
}

function print(value: unknown, unit: string, indent: string, eol: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${indent}`);
}

function isReadable(text: string): boolean {
  try {
    parseJsonc(text);
    return true;
  } catch {
    return false;
  }
}

function commaFrom(text: string, from: number): number | undefined {
  const at = skipBlank(text, from);
  return text[at] === "," ? at : undefined;
}

/** The comma that stands between the element before `at` and `at`. */
function lastCommaBefore(text: string, at: number): number | undefined {
  const commas: number[] = [];
  const visit = (node: JsoncNode): void => {
    if (node.kind === "scalar") return;
    const children = node.kind === "object" ? node.members.map(({ value }) => value) : node.items;
    for (const child of children) {
      const comma = commaFrom(text, child.end);
      if (comma !== undefined && comma < at) commas.push(comma);
      if (child.start < at) visit(child);
    }
  };
  visit(parseJsonc(text));
  return commas.sort((a, b) => a - b).at(-1);
}

/** Cuts a span; where nothing else stands on its lines, the lines go with it. */
function cutLines(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const isAloneBefore = text.slice(lineStart, start).trim() === "";
  const rest = /^[ \t]*(\r?\n|$)/.exec(text.slice(end));
  if (isAloneBefore && rest !== null && lineStart > 0) {
    // The line end before the element goes, the one behind it stays: it may close the last line.
    const from = text[lineStart - 2] === "\r" ? lineStart - 2 : lineStart - 1;
    return text.slice(0, from) + text.slice(end + rest[0].length - (rest[1]?.length ?? 0));
  }
  const gap = /^[ \t]+/.exec(text.slice(end))?.[0].length ?? 0;
  return text.slice(0, start) + text.slice(end + (isAloneBefore ? 0 : gap));
}
