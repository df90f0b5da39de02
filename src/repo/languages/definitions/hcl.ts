import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "hcl",
  level: "symbols",
  extensions: ["tf", "hcl", "tfvars", "nomad", "tofu"],
  isCode: true,
  commentPrefixes: ["#", "//"],
  grammar: { name: "hcl", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-hcl.wasm" },
} satisfies LanguageDefinition as LanguageDefinition;
