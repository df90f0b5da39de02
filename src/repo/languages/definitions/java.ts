import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const flat = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "").replace(/\s+/g, " ");
  const own = /\bpackage ([\w.]+)/.exec(flat)?.[1];
  if (own !== undefined) return [{ module: own, names: [], line, kind: "package" }];
  const path = /^import (?:static )?([\w.$]+?)(\.\*)? ?;?$/.exec(flat.trim());
  if (path?.[1] === undefined) return [];
  if (path[2] !== undefined) return [{ module: path[1], names: [{ name: "*" }], line, kind: "wildcard" }];
  const dot = path[1].lastIndexOf(".");
  return [
    { module: path[1].slice(0, Math.max(0, dot)), names: [{ name: path[1].slice(dot + 1) }], line, kind: "names" },
  ];
}

export default {
  id: "java",
  level: "edges",
  extensions: ["java", "jav"],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "java", file: "tree-sitter-java/tree-sitter-java.wasm" },
  imports,
  bareFields: true,
  builtins: new Set(["String", "Object", "Override", "var"]),
  exported: (_symbol, head) => /\bpublic\b/.test(head) || undefined,
} satisfies LanguageDefinition as LanguageDefinition;
