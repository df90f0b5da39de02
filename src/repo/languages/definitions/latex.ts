import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "latex",
  level: "symbols",
  extensions: ["tex", "sty", "ltx", "dtx", "latex"],
  isCode: false,
  commentPrefixes: ["%"],
  grammar: { name: "latex", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-latex.wasm" },
  signature: "first",
} satisfies LanguageDefinition as LanguageDefinition;
