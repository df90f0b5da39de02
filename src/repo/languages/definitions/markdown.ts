import type { LanguageDefinition } from "../definition.ts";

/** What a line opens before its text: quotes and list items, with the blanks between them. */
const OPENERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+[ \t]*/gm;
/** The grammar keeps four bytes for each open quote or list item in 1,024 that it never measures. */
const MOST_NESTING = 100;

/** How deep quotes and lists may be nested in a text, at most: each level is written out, or stands for two blanks. */
function nestingBound(text: string): number {
  let deepest = 0;
  for (const [prefix] of text.matchAll(OPENERS)) {
    if (prefix.length <= MOST_NESTING) continue;
    const blanks = prefix.length - prefix.replace(/[ \t]/g, "").length;
    deepest = Math.max(deepest, prefix.length - blanks + Math.ceil(blanks / 2));
  }
  return deepest;
}

export default {
  id: "markdown",
  level: "symbols",
  extensions: ["md", "markdown", "mdown", "mkd", "mdx", "rmd", "qmd", "livemd"],
  isCode: false,
  grammar: { name: "markdown", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-markdown.wasm" },
  signature: "first",
  symbolName: (raw) => raw.replace(/\s+#+\s*$/, "").trim(),
  refuses: (text) =>
    nestingBound(text) > MOST_NESTING ? `quotes and lists are nested more than ${MOST_NESTING} deep` : undefined,
} satisfies LanguageDefinition as LanguageDefinition;
