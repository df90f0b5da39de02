import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const found =
    /^(?:local\s+(\w+)[^=]*=\s*)?(require|dofile|loadfile)\s*\(?\s*["'[]+([^"'\]]+)["'\]]+\s*\)?\s*(?:\.(\w+))?/.exec(
      text,
    );
  if (found?.[3] === undefined) return [];
  const [, alias, verb, module, member] = found;
  if (alias === undefined) return [{ module, names: [], line, kind: verb === "require" ? "dynamic" : "effect" }];
  if (member !== undefined) return [{ module, names: [{ name: member, alias }], line, kind: "names" }];
  return [{ module, names: [{ name: "*", alias }], line, kind: "module" }];
}

export default {
  id: "lua",
  level: "edges",
  extensions: ["lua", "rockspec", "nse", "wlua", "luau"],
  filenames: [".luacheckrc"],
  shebangs: ["lua", "luajit", "texlua", "nvim"],
  isCode: true,
  commentPrefixes: ["--"],
  grammar: { name: "lua", file: "@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm" },
  signature: "line",
  imports,
  builtins: new Set(["require", "_", "self", "nil", "_G", "..."]),
  keep: ({ kind, signature }) => kind !== "constant" || !/=\s*require\b/.test(signature),
  exported: (symbol, head) => (/\blocal\b/.test(head) ? false : symbol.parent === undefined ? true : undefined),
} satisfies LanguageDefinition as LanguageDefinition;
