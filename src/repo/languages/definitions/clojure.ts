import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "clojure",
  level: "symbols",
  extensions: ["clj", "cljs", "cljc", "edn", "bb", "cljd"],
  shebangs: ["bb", "clojure", "clj", "planck"],
  isCode: true,
  commentPrefixes: [";"],
  grammar: { name: "clojure", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-clojure.wasm" },
  signature: "first",
} satisfies LanguageDefinition as LanguageDefinition;
