import type { LanguageDefinition } from "../definition.ts";
import type { ImportedName, ImportRef } from "../types.ts";

function names(list: string): ImportedName[] {
  return list
    .replace(/[()\\]/g, " ")
    .split(",")
    .map((part) => part.trim().split(/\s+as\s+/))
    .filter(([name]) => name !== undefined && name !== "")
    .map(([name = "", alias]) => (alias === undefined ? { name } : { name, alias }));
}

function imports(text: string, line: number): ImportRef[] {
  const flat = text
    .replace(/#[^\n]*/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const from = /^from ?([.\w\s]+?) ?import (.*)$/.exec(flat.replace(/^from\./, "from ."));
  if (from?.[1] !== undefined && from[2] !== undefined) {
    const module = from[1].replace(/\s+/g, "");
    if (from[2].trim() === "*") return [{ module, names: [{ name: "*" }], line, kind: "wildcard" }];
    return [{ module, names: names(from[2]), line, kind: "names" }];
  }
  return names(flat.replace(/^import /, "")).map(({ name, alias }) => ({
    module: name,
    // `import a.b` binds `a`; `import a.b as c` binds the inner module.
    names: [{ name: "*", alias: alias ?? name }],
    line,
    kind: "module",
  }));
}

export default {
  id: "python",
  level: "edges",
  extensions: ["py", "pyi", "pyw", "py3", "bzl", "bazel", "star"],
  filenames: ["SConstruct", "SConscript", "wscript", "BUILD", "WORKSPACE", "Tiltfile"],
  shebangs: ["python", "pypy", "uv"],
  isCode: true,
  commentPrefixes: ["#"],
  grammar: { name: "python", file: "tree-sitter-python/tree-sitter-python.wasm" },
  signature: "colon",
  builtins: new Set(
    "None True False bool bytes dict float int list object self cls set str tuple type super property staticmethod classmethod".split(
      " ",
    ),
  ),
  imports,
  exported: (symbol) => !symbol.name.startsWith("_") || /^__\w+__$/.test(symbol.name),
} satisfies LanguageDefinition as LanguageDefinition;
