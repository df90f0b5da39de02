import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "toml",
  level: "symbols",
  extensions: ["toml"],
  filenames: ["Cargo.lock", "poetry.lock", "uv.lock", "Pipfile", "pdm.lock"],
  isCode: false,
  commentPrefixes: ["#"],
  grammar: { name: "toml", file: "@tree-sitter-grammars/tree-sitter-toml/tree-sitter-toml.wasm" },
  signature: "first",
  symbolName: (raw) => raw.replace(/^["']|["']$/g, ""),
  maxKeyDepth: 2,
} satisfies LanguageDefinition as LanguageDefinition;
