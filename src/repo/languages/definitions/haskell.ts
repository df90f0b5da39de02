import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const flat = text
    .replace(/--[^\n]*/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const own = /^module ([\w.']+)/.exec(flat)?.[1];
  if (own !== undefined) return [{ module: own, names: [], line, kind: "package" }];
  const found =
    /^import (?:safe )?(qualified )?(?:"[^"]*" )?([\w.']+)(?: (qualified))?(?: as ([\w.']+))?(?: (hiding ?)?\((.*)\))?/.exec(
      flat,
    );
  if (found?.[2] === undefined) return [];
  const [, before, module, after, alias, hiding, list] = found;
  if (before !== undefined || after !== undefined) {
    return [{ module, names: [{ name: "*", alias: alias ?? module }], line, kind: "module" }];
  }
  if (list === undefined || hiding !== undefined) return [{ module, names: [{ name: "*" }], line, kind: "wildcard" }];
  const names = list
    .replace(/\((?:\.\.|[\w', ]*)\)/g, "")
    .split(",")
    .map((name) => ({ name: name.trim().replace(/^(?:type|pattern) |^\(|\)$/g, "") }));
  return [{ module, names: names.filter(({ name }) => name !== ""), line, kind: "names" }];
}

export default {
  id: "haskell",
  level: "edges",
  extensions: ["hs", "hsc", "hs-boot"],
  shebangs: ["runhaskell", "runghc", "stack"],
  isCode: true,
  commentPrefixes: ["--"],
  grammar: { name: "haskell", file: "tree-sitter-haskell/tree-sitter-haskell.wasm" },
  signature: "line",
  mergesEquations: true,
  imports,
  symbolName: (raw) => raw.replace(/^\(\s*|\s*\)$/g, ""),
  builtins: new Set("Int Integer Double Float Char String Bool True False otherwise IO".split(" ")),
} satisfies LanguageDefinition as LanguageDefinition;
