import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "nix",
  level: "symbols",
  extensions: ["nix"],
  shebangs: ["nix-shell", "nix"],
  isCode: true,
  commentPrefixes: ["#"],
  grammar: { name: "nix", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-nix.wasm" },
  signature: "first",
  maxKeyDepth: 2,
} satisfies LanguageDefinition as LanguageDefinition;
