import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "scss",
  level: "symbols",
  extensions: ["scss"],
  isCode: false,
  commentPrefixes: ["//"],
  grammar: { name: "scss", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-scss.wasm" },
} satisfies LanguageDefinition as LanguageDefinition;
