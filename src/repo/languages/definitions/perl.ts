import { blockLines } from "../block-lines.ts";
import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "perl",
  level: "symbols",
  extensions: ["pl", "pm", "t", "psgi", "plx", "al"],
  filenames: ["Makefile.PL", "cpanfile", "Rexfile"],
  shebangs: ["perl"],
  isCode: true,
  commentPrefixes: ["#"],
  grammar: { name: "perl", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-perl.wasm" },
  lines: (text) => blockLines(text, /^\s*sub\s+(\w+)/, "}", "#", "function"),
  symbolName: (raw) => raw.replaceAll("::", "."),
} satisfies LanguageDefinition as LanguageDefinition;
