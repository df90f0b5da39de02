import type { LanguageDefinition } from "../definition.ts";
import type { ImportedName, ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const flat = text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .trim();
  const own = /^namespace ([\w\\]+)/.exec(flat)?.[1];
  if (own !== undefined) return [{ module: own, names: [], line, kind: "package" }];
  const file = /^(?:require|include)(?:_once)?\b ?\(?(.*?)\)?;?$/.exec(flat)?.[1];
  if (file !== undefined) {
    // `__DIR__ . '/boot.php'` is a path beside this file.
    const path = /["']([^"']+)["'] ?\)?$/.exec(file)?.[1];
    if (path === undefined) return [];
    const module = /__DIR__|dirname/.test(file) ? `.${path.startsWith("/") ? "" : "/"}${path}` : path;
    return [{ module, names: [], line, kind: "effect" }];
  }
  const use = /^use (?:function |const )?(.*?);?$/.exec(flat)?.[1];
  if (use === undefined) return [];
  const group = /^(.*?)\\? ?\{(.*)\}$/.exec(use);
  if (group?.[1] !== undefined && group[2] !== undefined) {
    return [
      {
        module: group[1].replace(/^\\/, ""),
        names: group[2].split(",").map(aliased).filter(isNamed),
        line,
        kind: "names",
      },
    ];
  }
  return use.split(",").map((part) => {
    const { name, alias } = aliased(part);
    const path = name.replace(/^\\/, "");
    const cut = path.lastIndexOf("\\");
    const last = path.slice(cut + 1);
    return {
      module: path.slice(0, Math.max(0, cut)),
      names: [alias === undefined ? { name: last } : { name: last, alias }],
      line,
      kind: "names",
    };
  });
}

function aliased(part: string): ImportedName {
  const [name = "", alias] = part
    .trim()
    .replace(/^(?:function|const) /, "")
    .split(/ as /i);
  return alias === undefined ? { name: name.trim() } : { name: name.trim(), alias: alias.trim() };
}

function isNamed({ name }: ImportedName): boolean {
  return name !== "";
}

export default {
  id: "php",
  level: "edges",
  extensions: ["php", "php3", "php4", "php5", "php7", "php8", "phtml", "phps", "inc"],
  shebangs: ["php"],
  isCode: true,
  commentPrefixes: ["//", "#"],
  grammar: { name: "php", file: "tree-sitter-php/tree-sitter-php.wasm" },
  imports,
  builtins: new Set(["null", "true", "false", "NULL", "TRUE", "FALSE", "self", "static", "define"]),
} satisfies LanguageDefinition as LanguageDefinition;
