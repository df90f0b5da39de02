/** A file's outline: its symbols with their lines, nested as they are, from the index or from the text itself. */
import { relative } from "node:path";
import { extractFile, languageOfFile } from "../../repo/index/analyse.ts";
import type { Store } from "../../repo/store/store.ts";
import type { Project } from "./project.ts";
import type { Outline } from "./repo-answers.ts";

interface Entry {
  readonly startLine: number;
  readonly endLine: number;
  readonly signature: string;
  readonly depth: number;
}

const MOST_ENTRIES = 400;
const LONGEST_SIGNATURE = 160;
/** An outline of fewer entries tells less than the file's first lines do. */
const FEWEST_ENTRIES = 3;

export async function outlineFrom(
  store: Store,
  project: Project,
  path: string,
  text: string,
): Promise<Outline | undefined> {
  const name = relative(project.root, path).replaceAll("\\", "/");
  if (name.startsWith("../") || name === "") return undefined;
  const row = store.files.byPath(name);
  // A file that the index left out (ignored, generated, too large) is nothing that an outline was ever made of.
  if (!row?.contentHash) return undefined;
  const isSame = plain(store.files.text(row.id) ?? "") === plain(text);
  const entries = isSame ? fromIndex(store, row.id) : await fromText(name, text, project);
  if (entries.length < FEWEST_ENTRIES) return undefined;
  return { text: render(entries), totalLines: row.lines };
}

function fromIndex(store: Store, fileId: number): Entry[] {
  const rows = store.graph.symbolsOfFile(fileId);
  const depths = new Map<number, number>();
  return rows.map(({ id, parentId, startLine, endLine, signature }) => {
    const depth = parentId === null ? 0 : (depths.get(parentId) ?? -1) + 1;
    depths.set(id, depth);
    return { startLine, endLine, signature, depth };
  });
}

/** Edited since it was indexed: the text at hand is the truth, so it is parsed here. */
async function fromText(name: string, text: string, project: Project): Promise<Entry[]> {
  const { language, isCode } = languageOfFile(name, text, project.config.languages);
  if (!isCode) return [];
  const { symbols, gaveUp } = await extractFile(language, text);
  if (gaveUp !== undefined) return [];
  const depths: number[] = [];
  return symbols.map(({ parent, startLine, endLine, signature }, at) => {
    const depth = parent === undefined ? 0 : (depths[parent] ?? -1) + 1;
    depths[at] = depth;
    return { startLine, endLine, signature, depth };
  });
}

function render(entries: readonly Entry[]): string {
  const width = String(entries[entries.length - 1]?.endLine ?? 0).length * 2 + 1;
  // Too many for an outline: the inner ones go first, their count stays.
  let deepest = Math.max(...entries.map(({ depth }) => depth));
  let shown = entries;
  while (shown.length > MOST_ENTRIES && deepest > 0) {
    deepest--;
    shown = entries.filter(({ depth }) => depth <= deepest);
  }
  const kept = shown.slice(0, MOST_ENTRIES);
  const lines = kept.map(({ startLine, endLine, signature, depth }) => {
    const range = startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
    return `${range.padStart(width)}  ${"  ".repeat(depth)}${oneLine(signature)}`;
  });
  const left = entries.length - kept.length;
  if (left > 0) lines.push(`[${left} inner or later symbols not listed]`);
  return lines.join("\n");
}

function oneLine(signature: string): string {
  const text = signature.replace(/\s+/g, " ").trim();
  return text.length > LONGEST_SIGNATURE ? `${text.slice(0, LONGEST_SIGNATURE - 1)}…` : text;
}

/** Agents differ in how they give line ends and the last newline. */
function plain(text: string): string {
  const unix = text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
  const start = unix.charCodeAt(0) === 0xfeff ? 1 : 0;
  return unix.slice(start).replace(/\n+$/, "");
}
