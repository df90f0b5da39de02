import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";
import { include } from "./c.ts";

function imports(text: string, line: number): ImportRef[] {
  if (text.startsWith("#")) return include(text, line);
  const flat = text.replace(/\s+/g, "").replace(/;$/, "").replaceAll("::", ".");
  const space = /^usingnamespace(.+)$/.exec(flat)?.[1];
  if (space !== undefined) return [{ module: space, names: [{ name: "*" }], line, kind: "wildcard" }];
  const alias = /^namespace(\w+)=\.?(.+)$/.exec(flat);
  if (alias?.[1] && alias[2])
    return [{ module: alias[2], names: [{ name: "*", alias: alias[1] }], line, kind: "module" }];
  const one = /^using(?:typename)?\.?(.+)\.([^.]+)$/.exec(flat);
  return one?.[1] && one[2] ? [{ module: one[1], names: [{ name: one[2] }], line, kind: "names" }] : [];
}

export default {
  id: "cpp",
  level: "edges",
  extensions: [
    "cpp",
    "cc",
    "cxx",
    "c++",
    "hpp",
    "hh",
    "hxx",
    "h++",
    "ipp",
    "inl",
    "tpp",
    "txx",
    "cppm",
    "ixx",
    "ino",
    "cu",
    "cuh",
  ],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "cpp", file: "tree-sitter-cpp/tree-sitter-cpp.wasm" },
  imports,
  bareFields: true,
  builtins: new Set(["NULL", "nullptr", "true", "false", "size_t", "this", "defined"]),
  exported: (symbol, head) =>
    symbol.kind === "macro" ? undefined : symbol.parent !== undefined ? undefined : !/^static\b/.test(head),
} satisfies LanguageDefinition as LanguageDefinition;
