import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "solidity",
  level: "symbols",
  extensions: ["sol"],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "solidity", file: "@repomix/tree-sitter-wasms/out/tree-sitter-solidity.wasm" },
} satisfies LanguageDefinition as LanguageDefinition;
