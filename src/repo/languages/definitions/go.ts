import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

/** One `import_spec` or the `package` clause. */
function imports(text: string, line: number): ImportRef[] {
  const own = /^package\s+(\w+)/.exec(text)?.[1];
  if (own !== undefined) return [{ module: own, names: [], line, kind: "package" }];
  const spec = /^(?:([\w.]+)\s+)?["`]([^"`]*)["`]/.exec(text);
  if (spec?.[2] === undefined) return [];
  const [, alias, module] = spec;
  if (alias === "_") return [{ module, names: [], line, kind: "effect" }];
  if (alias === ".") return [{ module, names: [{ name: "*" }], line, kind: "wildcard" }];
  return [{ module, names: [{ name: "*", alias: alias ?? packageName(module) }], line, kind: "module" }];
}

/** The name a path is called by when the file gives it none: `a/b/v2` → b, `gopkg.in/yaml.v3` → yaml. */
function packageName(module: string): string {
  const parts = module.split("/");
  const last = parts[parts.length - 1] ?? module;
  const named = /^v\d+$/.test(last) && parts.length > 1 ? (parts[parts.length - 2] ?? last) : last;
  return named.replace(/\.v\d+$/, "").replace(/^go-|-go$/g, "");
}

export default {
  id: "go",
  level: "edges",
  extensions: ["go"],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "go", file: "tree-sitter-go/tree-sitter-go.wasm" },
  builtins: new Set(
    "any bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint uint16 uint32 uint64 uint8 uintptr true false nil iota append cap clear close complex copy delete imag len make max min new panic print println real recover _".split(
      " ",
    ),
  ),
  imports,
  exported: (symbol) => /^\p{Lu}/u.test(symbol.name),
} satisfies LanguageDefinition as LanguageDefinition;
