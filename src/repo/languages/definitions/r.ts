import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "r",
  level: "symbols",
  extensions: ["r", "rprofile"],
  filenames: [".Rprofile"],
  shebangs: ["Rscript", "r"],
  isCode: true,
  commentPrefixes: ["#"],
  grammar: { name: "r", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-r.wasm" },
  exported: (symbol) => !symbol.name.startsWith("."),
} satisfies LanguageDefinition as LanguageDefinition;
