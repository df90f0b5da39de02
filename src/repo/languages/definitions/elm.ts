import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "elm",
  level: "symbols",
  extensions: ["elm"],
  isCode: true,
  commentPrefixes: ["--"],
  grammar: { name: "elm", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-elm.wasm" },
  signature: "line",
  mergesEquations: true,
} satisfies LanguageDefinition as LanguageDefinition;
