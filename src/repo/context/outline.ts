/**
 * The outline of a file: its symbols with their lines, far fewer tokens than its text. Made from the store when the
 * file is as it was indexed, else from the text at hand. `outlineFromStore` opens nothing and parses nothing, since the
 * hook answers a whole Read with it.
 */
import { readFileSync } from "node:fs";
import { lstatIfSeen } from "../../platform/files.ts";
import { countTokens } from "../../platform/tokens.ts";
import type { Store } from "../store/store.ts";

export interface OutlineEntry {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly name: string;
  readonly qualifiedName: string;
  readonly signature: string;
  readonly depth: number;
}

export interface Outline {
  readonly path: string;
  readonly language: string;
  readonly lines: number;
  /** Tokens of the whole file. */
  readonly tokens: number;
  readonly entries: readonly OutlineEntry[];
}

/** What an outline entry is made from; both store rows and fresh extractions have it. */
interface Named {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly signature: string;
}

/**
 * From the index, when the file on the disk still is what was indexed.
 * @returns undefined when the file is unknown, has changed, or has no symbols.
 */
export function outlineFromStore(store: Store, path: string): Outline | undefined {
  const file = store.files.byPath(path);
  if (!file || file.contentHash === null) return undefined;
  const stat = lstatIfSeen(`${store.root}/${path}`);
  const fresh = stat && stat.size === file.size && stat.mtimeMs === file.mtime && stat.ctimeMs === file.ctime;
  // A stamp of -1 was too fresh to be trusted when the file was read; the text itself decides then.
  if (!fresh && !(stat && file.mtime < 0 && stat.size === file.size && sameText(store, file.id, path)))
    return undefined;
  const symbols = store.graph.symbolsOfFile(file.id);
  if (symbols.length === 0) return undefined;
  const depths = new Map<number, number>();
  const entries = symbols.map((symbol) => {
    const depth = symbol.parentId === null ? 0 : (depths.get(symbol.parentId) ?? -1) + 1;
    depths.set(symbol.id, depth);
    return entry(symbol, depth);
  });
  return { path, language: file.language ?? "text", lines: file.lines, tokens: file.tokens, entries };
}

/** From a text, by parsing it now: 10 to 20 ms more than from the store, for the grammar. */
export async function outlineOfText(
  path: string,
  text: string,
  languages: Readonly<Record<string, string>> = {},
): Promise<Outline | undefined> {
  const { extractFile, languageOfFile } = await import("../index/analyse.ts");
  const { language } = languageOfFile(path, text, languages);
  const { symbols } = await extractFile(language, text);
  if (symbols.length === 0) return undefined;
  const depths: number[] = [];
  const entries = symbols.map((symbol, index) => {
    const depth = symbol.parent === undefined ? 0 : (depths[symbol.parent] ?? -1) + 1;
    depths[index] = depth;
    return entry(symbol, depth);
  });
  const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return { path, language, lines, tokens: countTokens(text), entries };
}

export interface RenderOptions {
  /** Deeper and smaller symbols are left out, and counted, until it fits. Default 2,000. */
  readonly maxTokens?: number;
}

/** As an agent reads it: one line a symbol, its lines first, nesting by two blanks. */
export function renderOutline(outline: Outline, options: RenderOptions = {}): string {
  const maxTokens = options.maxTokens ?? 2000;
  const head = `${outline.path} (${outline.language}, ${outline.lines} lines, about ${outline.tokens} tokens)`;
  const width = String(outline.lines).length * 2 + 1;
  const all = outline.entries.map((one) => ({ one, line: renderEntry(one, width) }));
  let shown = all;
  let depth = Math.max(0, ...outline.entries.map((one) => one.depth));
  const fits = () => countTokens(shown.map((one) => one.line).join("\n")) + countTokens(head) + 30 <= maxTokens;
  while (!fits() && depth > 0) {
    depth--;
    shown = all.filter((each) => each.one.depth <= depth);
  }
  if (!fits()) shown = largest(shown, maxTokens - countTokens(head) - 30);
  const left = all.length - shown.length;
  const note =
    left > 0 ? [`... ${left} more symbols are not shown: 'tokenix read ${outline.path} --lines A-B' shows lines`] : [];
  return [head, ...shown.map((each) => each.line), ...note, ""].join("\n");
}

function renderEntry(one: OutlineEntry, width: number): string {
  const range = one.endLine > one.startLine ? `${one.startLine}-${one.endLine}` : String(one.startLine);
  const label = one.signature === "" ? `${one.kind} ${one.name}` : one.signature;
  return `${range.padStart(width)}  ${"  ".repeat(one.depth)}${label}`;
}

/** The longest symbols that fit, in the order of the file. */
function largest<T extends { one: OutlineEntry; line: string }>(entries: readonly T[], maxTokens: number): T[] {
  const bySize = [...entries].sort((a, b) => size(b.one) - size(a.one));
  const kept = new Set<T>();
  let tokens = 0;
  for (const each of bySize) {
    tokens += (each.line.length + 1) / 4;
    if (tokens > maxTokens) break;
    kept.add(each);
  }
  return entries.filter((each) => kept.has(each));
}

function size(one: OutlineEntry): number {
  return one.endLine - one.startLine;
}

function entry(symbol: Named, depth: number): OutlineEntry {
  const { startLine, endLine, kind, name, qualifiedName, signature } = symbol;
  return { startLine, endLine, kind, name, qualifiedName, signature, depth: Math.max(0, depth) };
}

function sameText(store: Store, id: number, path: string): boolean {
  try {
    const stored = store.files.textBytes(id);
    return stored !== undefined && Buffer.compare(readFileSync(`${store.root}/${path}`), stored) === 0;
  } catch {
    return false;
  }
}
