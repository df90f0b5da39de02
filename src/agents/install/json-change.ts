/** A JsonChange as text in, text out. Checks after each edit that the file then means what it should, and nothing else. */
import { isDeepStrictEqual } from "node:util";
import type { JsonChange, JsonEntry } from "./change.ts";
import {
  appendItem,
  type Insertion,
  insertMember,
  nodeAt,
  type Path,
  removeElement,
  undoInsertion,
} from "./jsonc/edit.ts";
import { type JsoncNode, parseJsonc, plainValue } from "./jsonc/parse.ts";
import { startsOurHook } from "./own-entries.ts";

export type Piece = Pick<Insertion, "piece" | "commaApart">;

/** True when every entry stands in the text just as it would be written now. */
export function hasEntries(text: string, change: JsonChange): boolean {
  const root = plainValue(parseJsonc(text));
  return change.entries.every((entry) => {
    if (entry.how === "need") return valueAt(root, [entry.key]) !== undefined;
    if (entry.how === "set") return isDeepStrictEqual(valueAt(root, [...entry.at, entry.key]), entry.value);
    const list = valueAt(root, entry.at);
    if (!Array.isArray(list)) return false;
    return list.filter(startsOurHook).length === 1 && list.some((item) => isDeepStrictEqual(item, entry.value));
  });
}

/** @throws JsoncError or EditError when the text can't take the entries */
export function addEntries(text: string, change: JsonChange): { text: string; pieces: Piece[] } {
  let current = text;
  const pieces: Piece[] = [];
  for (const entry of change.entries) {
    const made = addEntry(current, entry);
    if (made === undefined) continue;
    current = made.text;
    pieces.push({ piece: made.piece, commaApart: made.commaApart });
  }
  return { text: current, pieces };
}

/**
 * The text without our entries: the recorded pieces first, which gives the bytes back; then whatever of ours is
 * still there, with the lists and objects that became empty by it.
 * @throws JsoncError when the text can't be read
 */
export function dropEntries(text: string, change: JsonChange, pieces: readonly Piece[]): string {
  let current = text;
  for (const piece of [...pieces].reverse()) current = undoInsertion(current, piece) ?? current;
  for (const entry of change.entries) {
    if (entry.how === "set") current = dropAt(current, [...entry.at, entry.key]);
    if (entry.how !== "append") continue;
    for (let index = ourIndex(current, entry.at); index >= 0; index = ourIndex(current, entry.at)) {
      current = dropAt(current, [...entry.at, index]);
    }
  }
  return current;
}

/** True when two texts differ in white space only: comments, order and spelling are the same. */
export function isSameButForSpace(one: string, other: string): boolean {
  return significant(one) === significant(other);
}

function addEntry(text: string, entry: JsonEntry): Insertion | undefined {
  switch (entry.how) {
    case "need":
      return nodeAt(parseJsonc(text), [entry.key]) === undefined
        ? insertMember(text, [], entry.key, entry.value)
        : undefined;
    case "set":
      return insertMember(text, entry.at, entry.key, entry.value);
    case "append":
      return appendItem(text, entry.at, entry.value);
  }
}

function ourIndex(text: string, at: readonly string[]): number {
  const list = nodeAt(parseJsonc(text), at);
  return list?.kind === "array" ? list.items.findIndex((item) => startsOurHook(plainValue(item))) : -1;
}

/** Removes an element, and after it each parent that holds nothing more, not even a comment. */
function dropAt(text: string, path: Path): string {
  let current = removeElement(text, path);
  if (current === undefined) return text;
  for (let depth = path.length - 1; depth > 0; depth--) {
    const parentPath = path.slice(0, depth);
    const parent = nodeAt(parseJsonc(current), parentPath);
    if (parent === undefined || !isEmpty(parent, current)) break;
    current = removeElement(current, parentPath) ?? current;
  }
  return current;
}

function isEmpty(node: JsoncNode, text: string): boolean {
  return node.kind !== "scalar" && text.slice(node.start + 1, node.end - 1).trim() === "";
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined),
    root,
  );
}

/** The text without white space outside of strings and comments. */
function significant(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s+/g, (part) =>
    /^\s/.test(part) ? "" : part.trimEnd(),
  );
}
