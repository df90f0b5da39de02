import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "markdown",
  level: "symbols",
  extensions: ["md", "markdown", "mdown", "mkd", "mdx", "rmd", "qmd", "livemd"],
  isCode: false,
  grammar: { name: "markdown", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-markdown.wasm" },
  signature: "first",
  symbolName: (raw) => raw.replace(/\s+#+\s*$/, "").trim(),
} satisfies LanguageDefinition as LanguageDefinition;
