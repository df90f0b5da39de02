import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const found =
    /^(?:pub\s+)?(?:(?:const|var)\s+(\w+)[^=]*=\s*|usingnamespace\s+)?@import\(\s*"([^"]+)"\s*\)((?:\.\w+)*)/.exec(
      text,
    );
  if (found?.[2] === undefined) return [];
  const [, alias, module, members = ""] = found;
  if (text.includes("usingnamespace")) return [{ module, names: [{ name: "*" }], line, kind: "wildcard" }];
  if (alias === undefined) return [{ module, names: [], line, kind: "dynamic" }];
  if (members !== "") return [{ module, names: [{ name: members.slice(1), alias }], line, kind: "names" }];
  return [{ module, names: [{ name: "*", alias }], line, kind: "module" }];
}

export default {
  id: "zig",
  level: "edges",
  extensions: ["zig", "zon"],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "zig", file: "@tree-sitter-grammars/tree-sitter-zig/tree-sitter-zig.wasm" },
  imports,
  builtins: new Set(["_", "undefined", "null", "true", "false", "Self"]),
  keep: ({ kind, signature }) => kind !== "constant" || !/=\s*@(?:import|This)\(/.test(signature),
  symbolName: (raw) => raw.replace(/^@?"|"$/g, ""),
  exported: (_symbol, head) => /^(?:pub|export)\b/.test(head),
} satisfies LanguageDefinition as LanguageDefinition;
