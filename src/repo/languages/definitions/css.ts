import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "css",
  level: "symbols",
  extensions: ["css", "pcss", "postcss"],
  isCode: false,
  grammar: { name: "css", file: "tree-sitter-css/tree-sitter-css.wasm" },
} satisfies LanguageDefinition as LanguageDefinition;
