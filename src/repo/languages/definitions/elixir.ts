import type { LanguageDefinition } from "../definition.ts";
import type { ImportedName, ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const flat = text
    .replace(/#[^\n]*/g, "")
    .replace(/\s+/g, " ")
    .replace(/^(\w+)\(/, "$1 ");
  const found = /^(alias|import|require|use) ((?:[A-Z]\w*|__MODULE__)(?:\.[A-Z]\w*)*)(?:\.\{([^}]*)\})?/.exec(flat);
  if (found?.[2] === undefined) return [];
  const [, verb, module, group] = found;
  const alias = /\bas: ([\w.]+)/.exec(flat)?.[1];
  if (verb === "import") {
    const only = /\bonly: \[([^\]]*)\]/.exec(flat)?.[1];
    if (only === undefined) return [{ module, names: [{ name: "*" }], line, kind: "wildcard" }];
    return [
      {
        module,
        names: [...only.matchAll(/([\w?!]+):/g)].map((match) => ({ name: match[1] ?? "" })),
        line,
        kind: "names",
      },
    ];
  }
  if (verb === "use") return [{ module, names: [{ name: "*" }], line, kind: "wildcard" }];
  if (group !== undefined) {
    const names: ImportedName[] = group.split(",").map((name) => ({ name: name.trim() }));
    return [{ module, names: names.filter(({ name }) => name !== ""), line, kind: "names" }];
  }
  return [
    { module, names: [{ name: "*", alias: alias ?? module.slice(module.lastIndexOf(".") + 1) }], line, kind: "module" },
  ];
}

export default {
  id: "elixir",
  level: "edges",
  extensions: ["ex", "exs"],
  filenames: ["mix.lock"],
  shebangs: ["elixir"],
  isCode: true,
  commentPrefixes: ["#"],
  grammar: { name: "elixir", file: "tree-sitter-elixir/tree-sitter-elixir.wasm" },
  signature: "line",
  imports,
  builtins: new Set(
    "def defp defmacro defmacrop defmodule defprotocol defimpl defstruct defguard defguardp defdelegate defexception defoverridable alias import require use if unless case cond for with quote unquote unquote_splicing receive try raise reraise throw fn super __MODULE__ is_map is_list is_atom is_binary is_nil is_integer is_function doc moduledoc spec type typep opaque impl behaviour callback macrocallback typedoc derive term float integer atom any binary boolean pid keyword list number no_return tuple mfa module node port reference timeout struct charlist iodata iolist".split(
      " ",
    ),
  ),
  exported: (_symbol, head) => !/^def\w*p\b/.test(head),
} satisfies LanguageDefinition as LanguageDefinition;
