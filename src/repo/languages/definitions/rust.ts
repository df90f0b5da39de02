import type { LanguageDefinition } from "../definition.ts";
import type { ImportedName, ImportRef } from "../types.ts";

/** `use a::{b, c::{d as e, *}};` flattened: one import for each module that names are taken from. */
function imports(text: string, line: number): ImportRef[] {
  const submodule = /^(?:#\[[^\n]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?(\w+)\s*;/.exec(text)?.[1];
  if (submodule !== undefined) return [{ module: submodule, names: [], line, kind: "submodule" }];
  const crate = /^(?:pub(?:\([^)]*\))?\s+)?extern\s+crate\s+(\w+)(?:\s+as\s+(\w+))?/.exec(text);
  if (crate?.[1] !== undefined) {
    return [{ module: crate[1], names: [{ name: "*", alias: crate[2] ?? crate[1] }], line, kind: "module" }];
  }
  const use = /^(pub(?:\([^)]*\))?\s+)?use\s+([\s\S]*?);?\s*$/.exec(text.replace(/\/\/[^\n]*/g, ""));
  if (use?.[2] === undefined) return [];
  const isPublic = use[1] !== undefined;
  const byModule = new Map<string, ImportedName[]>();
  const wildcards: string[] = [];
  flatten(use[2].replace(/\s+/g, " ").trim(), "", (path, alias) => {
    if (path.endsWith("::*")) {
      wildcards.push(path.slice(0, -3));
      return;
    }
    const whole = path.replace(/::self$/, "");
    const cut = whole.lastIndexOf("::");
    const module = cut === -1 ? "" : whole.slice(0, cut);
    const name = cut === -1 ? whole : whole.slice(cut + 2);
    const list = byModule.get(module) ?? [];
    byModule.set(module, list);
    list.push(alias === undefined ? { name } : { name, alias });
  });
  const kind = isPublic ? "reexport" : "names";
  return [
    ...[...byModule].map(([module, names]): ImportRef => ({ module, names, line, kind })),
    ...wildcards.map(
      (module): ImportRef => ({ module, names: [{ name: "*" }], line, kind: isPublic ? "reexport" : "wildcard" }),
    ),
  ];
}

function flatten(tree: string, prefix: string, found: (path: string, alias?: string) => void): void {
  const open = tree.indexOf("{");
  if (open === -1) {
    const [path = "", alias] = tree.split(/ as /).map((part) => part.trim());
    if (path !== "") found(prefix + path.replace(/\s+/g, "").replace(/^::/, ""), alias);
    return;
  }
  const inner = prefix + tree.slice(0, open).replace(/\s+/g, "").replace(/^::/, "");
  let depth = 0;
  let from = open + 1;
  for (let i = open; i < tree.length; i++) {
    const char = tree[i];
    if (char === "{") depth++;
    if (char === "}") depth--;
    if ((char === "," && depth === 1) || (char === "}" && depth === 0)) {
      const part = tree.slice(from, i).trim();
      if (part !== "") flatten(part, inner, found);
      from = i + 1;
      if (depth === 0) return;
    }
  }
}

export default {
  id: "rust",
  level: "edges",
  extensions: ["rs"],
  shebangs: ["rust-script", "cargo"],
  isCode: true,
  commentPrefixes: ["//", "///", "//!"],
  grammar: { name: "rust", file: "tree-sitter-rust/tree-sitter-rust.wasm" },
  builtins: new Set(["Self", "_", "self", "super", "crate"]),
  imports,
  exported: (_symbol, head) => /^pub\b/.test(head),
} satisfies LanguageDefinition as LanguageDefinition;
