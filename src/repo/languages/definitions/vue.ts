import type { LanguageDefinition } from "../definition.ts";
import { scripts } from "./html.ts";

/** Components whose script is TypeScript or JavaScript between tags; Svelte's markup parses well enough as Vue's. */
export default {
  id: "vue",
  level: "symbols",
  extensions: ["vue", "svelte"],
  isCode: true,
  commentPrefixes: ["<!--"],
  grammar: { name: "vue", file: "@repomix/tree-sitter-wasms/out/tree-sitter-vue.wasm" },
  embedded: scripts,
  embeds: ["typescript", "javascript"],
} satisfies LanguageDefinition as LanguageDefinition;
