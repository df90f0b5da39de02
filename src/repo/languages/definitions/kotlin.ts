import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const own = /^package\s+([\w.`]+)/.exec(text)?.[1];
  if (own !== undefined) return [{ module: own, names: [], line, kind: "package" }];
  const found = /^import\s+([\w.`]+?)(\.\*)?(?:\s+as\s+(\w+))?\s*;?\s*$/.exec(text);
  if (found?.[1] === undefined) return [];
  if (found[2] !== undefined) return [{ module: found[1], names: [{ name: "*" }], line, kind: "wildcard" }];
  const dot = found[1].lastIndexOf(".");
  const name = found[1].slice(dot + 1);
  return [
    {
      module: found[1].slice(0, Math.max(0, dot)),
      names: [found[3] ? { name, alias: found[3] } : { name }],
      line,
      kind: "names",
    },
  ];
}

export default {
  id: "kotlin",
  level: "edges",
  extensions: ["kt", "kts", "ktm"],
  shebangs: ["kotlin", "kotlinc"],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "kotlin", file: "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm" },
  imports,
  bareFields: true,
  builtins: new Set(
    "it field value this super null true false Unit Any Int Long String Boolean Double Float Char Byte Short Nothing".split(
      " ",
    ),
  ),
  exported: (symbol, head) =>
    /\b(?:private|internal|protected)\b/.test(head) ? false : symbol.parent === undefined ? true : undefined,
} satisfies LanguageDefinition as LanguageDefinition;
