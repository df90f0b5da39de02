import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const flat = text.replace(/\s+/g, " ");
  const found = /^(import|export|part|part of|library) ["']?([^"';]+)["']?(.*?);?$/.exec(
    flat.replace(/^part of /, "part of "),
  );
  if (found?.[2] === undefined) return [];
  const [, verb, module, rest = ""] = found;
  if (verb === "library") return [{ module: module.trim(), names: [], line, kind: "package" }];
  if (verb === "part") {
    const owner = /^of ["']?([^"']+)["']?$/.exec(module)?.[1];
    return [{ module: owner ?? module, names: [], line, kind: owner === undefined ? "submodule" : "effect" }];
  }
  const alias = /\bas (\w+)/.exec(rest)?.[1];
  const shown = /\bshow ([\w, ]+?)(?: hide|$)/.exec(rest)?.[1];
  const names = shown?.split(",").map((name) => ({ name: name.trim() }));
  if (verb === "export") return [{ module, names: names ?? [{ name: "*" }], line, kind: "reexport" }];
  if (alias !== undefined) return [{ module, names: [{ name: "*", alias }], line, kind: "module" }];
  if (names !== undefined) return [{ module, names, line, kind: "names" }];
  return [{ module, names: [{ name: "*" }], line, kind: "wildcard" }];
}

export default {
  id: "dart",
  level: "edges",
  extensions: ["dart"],
  shebangs: ["dart"],
  isCode: true,
  commentPrefixes: ["//", "///"],
  grammar: { name: "dart", file: "@repomix/tree-sitter-wasms/out/tree-sitter-dart.wasm" },
  imports,
  bareFields: true,
  builtins: new Set("this super null true false int double num bool String Object dynamic void var".split(" ")),
  exported: (symbol) => !symbol.name.startsWith("_"),
} satisfies LanguageDefinition as LanguageDefinition;
