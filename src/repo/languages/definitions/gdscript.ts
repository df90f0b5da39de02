import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "gdscript",
  level: "symbols",
  extensions: ["gd"],
  isCode: true,
  commentPrefixes: ["#"],
  grammar: { name: "gdscript", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-gdscript.wasm" },
  signature: "colon",
  exported: (symbol) => !symbol.name.startsWith("_"),
} satisfies LanguageDefinition as LanguageDefinition;
