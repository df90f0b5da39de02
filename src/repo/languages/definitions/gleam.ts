import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "gleam",
  level: "symbols",
  extensions: ["gleam"],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "gleam", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-gleam.wasm" },
  exported: (symbol, head) => (symbol.kind === "constructor" ? undefined : /^pub\b/.test(head)),
} satisfies LanguageDefinition as LanguageDefinition;
