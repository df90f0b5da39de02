import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "yaml",
  level: "symbols",
  extensions: ["yaml", "yml", "eyaml", "sublime-syntax"],
  filenames: [".clang-format", ".clang-tidy", "CITATION.cff"],
  isCode: false,
  commentPrefixes: ["#"],
  grammar: { name: "yaml", file: "@tree-sitter-grammars/tree-sitter-yaml/tree-sitter-yaml.wasm" },
  signature: "first",
  symbolName: (raw) => raw.replace(/^["']|["']$/g, ""),
  maxKeyDepth: 2,
} satisfies LanguageDefinition as LanguageDefinition;
