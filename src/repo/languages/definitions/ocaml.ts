import type { LanguageDefinition } from "../definition.ts";

export default [
  {
    id: "ocaml",
    level: "symbols",
    extensions: ["ml", "eliom", "mll", "mly"],
    shebangs: ["ocaml", "ocamlscript"],
    isCode: true,
    commentPrefixes: ["(*"],
    grammar: { name: "ocaml", file: "tree-sitter-ocaml/tree-sitter-ocaml.wasm" },
    signature: "line",
  },
  {
    id: "ocaml-interface",
    family: "ocaml",
    level: "symbols",
    extensions: ["mli", "eliomi"],
    isCode: true,
    commentPrefixes: ["(*"],
    grammar: { name: "ocaml_interface", file: "tree-sitter-ocaml/tree-sitter-ocaml_interface.wasm" },
    queries: "ocaml",
    signature: "line",
  },
] satisfies LanguageDefinition[] as LanguageDefinition[];
