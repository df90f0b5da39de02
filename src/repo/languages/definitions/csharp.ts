import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const flat = text.replace(/\s+/g, " ");
  const own = /^namespace ([\w.]+)/.exec(flat)?.[1];
  if (own !== undefined) return [{ module: own, names: [], line, kind: "package" }];
  const using = /^(?:global )?using (static )?(?:(\w+) = )?(?:global::)?([\w.]+)/.exec(flat);
  if (using?.[3] === undefined) return [];
  const [, isStatic, alias, module] = using;
  if (alias !== undefined) return [{ module, names: [{ name: "*", alias }], line, kind: "module" }];
  // `using static X` brings the members of a type, `using X` the types of a namespace: both without a list.
  return [{ module, names: [{ name: isStatic === undefined ? "*" : "*static" }], line, kind: "wildcard" }];
}

export default {
  id: "csharp",
  level: "edges",
  extensions: ["cs", "csx"],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "csharp", file: "tree-sitter-c-sharp/tree-sitter-c_sharp.wasm" },
  imports,
  bareFields: true,
  builtins: new Set(["var", "nameof", "value", "_", "dynamic"]),
  inheritKind: (name) => (/^I\p{Lu}/u.test(name) ? "implements" : undefined),
  symbolName: (raw, kind) => (kind === "method" && /^\W/.test(raw) ? `operator${raw}` : raw),
  exported: (_symbol, head) => /\bpublic\b/.test(head) || undefined,
} satisfies LanguageDefinition as LanguageDefinition;
