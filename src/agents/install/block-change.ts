/** A BlockChange as text in, text out: lines at the end of the file, between two marks that removal finds again. */
import { parse as parseToml } from "smol-toml";
import { dominantEol } from "../../platform/text.ts";
import type { BlockChange } from "./change.ts";
import { EditError } from "./jsonc/edit.ts";

function marks({ format, id }: BlockChange): readonly [string, string] {
  return format === "toml"
    ? [`# >>> tokenix ${id}`, `# <<< tokenix ${id}`]
    : [`<!-- tokenix ${id}: begin -->`, `<!-- tokenix ${id}: end -->`];
}

export function hasBlock(text: string, change: BlockChange): boolean {
  return text.replaceAll("\r\n", "\n").includes(blockLines(change).join("\n"));
}

/** @throws EditError when the file would not be readable with it */
export function addBlock(text: string, change: BlockChange): { text: string; piece: string } {
  const eol = dominantEol(text);
  const isBlank = text.replace("\uFEFF", "").trim() === "";
  const gap = isBlank ? "" : text.endsWith("\n") ? eol : eol + eol;
  const piece = `${gap}${blockLines(change).join(eol)}${eol}`;
  if (change.format === "toml") check(text, text + piece);
  return { text: text + piece, piece };
}

export function dropBlock(text: string, change: BlockChange, piece: string | undefined): string {
  if (piece !== undefined && text.includes(piece)) {
    const at = text.lastIndexOf(piece);
    return text.slice(0, at) + text.slice(at + piece.length);
  }
  const [begin, end] = marks(change);
  const from = text.indexOf(begin);
  const to = from < 0 ? -1 : text.indexOf(end, from);
  if (to < 0) return text;
  const after = text.slice(to + end.length).replace(/^\r?\n/, "");
  return text.slice(0, from).replace(/(\r?\n)(?:\r?\n)$/, "$1") + after;
}

function blockLines(change: BlockChange): string[] {
  const [begin, end] = marks(change);
  return [begin, ...change.lines, end];
}

function check(before: string, after: string): void {
  const strip = (text: string): string => text.replace(/^\uFEFF/, "");
  try {
    parseToml(strip(before));
  } catch {
    throw new EditError("the file is not TOML");
  }
  try {
    parseToml(strip(after));
  } catch {
    throw new EditError("the same table is there already, or written in a way that can't be added to");
  }
}
