import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tree, TreeCursor } from "web-tree-sitter";
import { flatten } from "../../src/repo/languages/engine/flatten.ts";
import { loadGrammarOf, startRuntime } from "../../src/repo/languages/engine/runtime.ts";
import { languageOf, languages } from "../../src/repo/languages/registry.ts";

const folder = join(import.meta.dir, "fixtures");
const samples = [...new Bun.Glob("*/*").scanSync(folder)].filter((path) => !path.endsWith("expected.txt")).sort();

/** The same tree by web-tree-sitter's public cursor: named nodes, with their field and place. */
function byCursor(tree: Tree): string[] {
  const lines: string[] = [];
  const cursor = tree.walk();
  const visit = (at: TreeCursor): void => {
    if (at.nodeIsNamed) lines.push(`${at.currentFieldName ?? ""}:${at.nodeType} ${at.startIndex}-${at.endIndex}`);
    if (!at.gotoFirstChild()) return;
    do visit(at);
    while (at.gotoNextSibling());
    at.gotoParent();
  };
  visit(cursor);
  cursor.delete();
  return lines;
}

async function byMemory(language: string, text: string): Promise<[string[], string[]]> {
  const { module, parser } = await startRuntime();
  const grammar = await loadGrammarOf(language);
  if (grammar === undefined) throw new Error(`${language} has no grammar`);
  parser.setLanguage(grammar.language);
  const tree = parser.parse(text);
  if (tree === null) throw new Error("no tree");
  const { tables } = grammar;
  const flat = flatten(module, tree, tables, new Set());
  if (flat === undefined) throw new Error("stopped");
  const fieldNames = new Map([...tables.fieldIds].map(([name, id]) => [id, name]));
  const lines = Array.from({ length: flat.count }, (_, i) => {
    const type = flat.symbol[i] === 65_535 ? "ERROR" : tables.names[flat.symbol[i] ?? 0];
    return `${fieldNames.get(flat.field[i] ?? 0) ?? ""}:${type} ${flat.start[i]}-${flat.end[i]}`;
  });
  const expected = byCursor(tree);
  tree.delete();
  return [lines, expected];
}

describe("a tree read from the parser's memory is the tree that the public cursor walks", () => {
  for (const path of samples) {
    const text = readFileSync(join(folder, path), "utf8");
    const language = languageOf(path, text.split("\n", 1)[0]) ?? "";
    if (languages.get(language)?.grammar === undefined) continue;
    test(`${path}, whole and broken in the middle`, async () => {
      const [found, expected] = await byMemory(language, text);
      expect(found).toEqual(expected);
      const half = text.length >> 1;
      const [brokenFound, brokenExpected] = await byMemory(
        language,
        `${text.slice(0, half)} )}] ~é€𝒳 ${text.slice(half + 3)}`,
      );
      expect(brokenFound).toEqual(brokenExpected);
    });
  }
});
