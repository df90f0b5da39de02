import type { LanguageDefinition } from "../definition.ts";
import { script } from "./typescript.ts";

export default {
  ...script,
  id: "javascript",
  extensions: ["js", "mjs", "cjs", "jsx", "es6", "jsm"],
  filenames: ["Jakefile"],
  shebangs: ["node", "nodejs", "bun", "zx", "qjs"],
  grammar: { name: "javascript", file: "tree-sitter-javascript/tree-sitter-javascript.wasm" },
} satisfies LanguageDefinition as LanguageDefinition;
