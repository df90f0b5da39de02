import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "json",
  level: "symbols",
  extensions: [
    "json",
    "jsonc",
    "json5",
    "geojson",
    "webmanifest",
    "code-workspace",
    "topojson",
    "har",
    "jsonld",
    "avsc",
    "ipynb.json",
  ],
  filenames: [".babelrc", ".eslintrc", ".prettierrc", ".swcrc", "composer.lock", ".watchmanconfig", "flake.lock"],
  isCode: false,
  grammar: { name: "json", file: "tree-sitter-json/tree-sitter-json.wasm" },
  signature: "first",
  symbolName: (raw) => raw.replace(/^"|"$/g, ""),
  maxKeyDepth: 2,
} satisfies LanguageDefinition as LanguageDefinition;
