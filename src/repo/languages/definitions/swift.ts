import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const found = /\bimport\s+(?:(struct|class|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)/.exec(text);
  if (found?.[2] === undefined) return [];
  const dot = found[2].lastIndexOf(".");
  if (found[1] !== undefined && dot > 0) {
    return [{ module: found[2].slice(0, dot), names: [{ name: found[2].slice(dot + 1) }], line, kind: "names" }];
  }
  return [{ module: found[2], names: [{ name: "*" }], line, kind: "wildcard" }];
}

export default {
  id: "swift",
  level: "edges",
  extensions: ["swift"],
  shebangs: ["swift"],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "swift", file: "@cursorless/tree-sitter-wasms/out/tree-sitter-swift.wasm" },
  imports,
  bareFields: true,
  builtins: new Set("self super nil true false Self Int String Bool Double Float Void Any AnyObject init _".split(" ")),
  exported: (_symbol, head) =>
    /\b(?:public|open)\b/.test(head) ? true : /\b(?:file)?private\b/.test(head) ? false : undefined,
} satisfies LanguageDefinition as LanguageDefinition;
