import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

export function include(text: string, line: number): ImportRef[] {
  const found = /^#\s*(?:include|import|include_next)\s*(?:<([^>]*)>|"([^"]*)"|(\w+))/.exec(text);
  if (found === null) return [];
  const [, system, own, macro] = found;
  return [
    {
      module: system ?? own ?? macro ?? "",
      names: [],
      line,
      kind: system === undefined ? "include" : "include-system",
    },
  ];
}

/** What only C++ writes, at the start of a line. */
const cpp =
  /^[ \t]*(?:template\s*<|namespace\b|class\s+\w+[^;()]*[{:]|using\s+\w|(?:public|private|protected)\s*:|constexpr\b|#\s*include\s*<(?:c?string|vector|map|memory|utility|type_traits|algorithm|functional|iostream|array)>)|\bstd::/m;

export default {
  id: "c",
  level: "edges",
  extensions: ["c", "h"],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "c", file: "tree-sitter-c/tree-sitter-c.wasm" },
  imports: include,
  builtins: new Set(["NULL", "true", "false", "size_t", "defined"]),
  dialect: (text) => (cpp.test(text) ? "cpp" : undefined),
  exported: (symbol, head) => (symbol.kind === "macro" ? undefined : !/\bstatic\b/.test(head)),
} satisfies LanguageDefinition as LanguageDefinition;
