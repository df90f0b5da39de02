import type { LanguageDefinition } from "../definition.ts";
import type { ImportedName, ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const flat = text.replace(/\s+/g, " ").trim();
  const own = /^package ([\w.]+)/.exec(flat)?.[1];
  if (own !== undefined) return [{ module: own, names: [], line, kind: "package" }];
  const clauses = flat.replace(/^import /, "").split(/,(?![^{]*\})/);
  return clauses.flatMap((clause): ImportRef[] => {
    const group = /^([\w.]+)\.\{(.*)\}$/.exec(clause.trim());
    if (group?.[1] && group[2]) {
      const names = group[2]
        .split(",")
        .map(renamed)
        .filter(({ name }) => name !== "");
      if (names.some(({ name }) => name === "_" || name === "*" || name === "given")) {
        return [{ module: group[1], names: [{ name: "*" }], line, kind: "wildcard" }];
      }
      return [{ module: group[1], names, line, kind: "names" }];
    }
    const { name: path, alias } = renamed(clause);
    const dot = path.lastIndexOf(".");
    const name = path.slice(dot + 1);
    const module = path.slice(0, Math.max(0, dot));
    if (name === "_" || name === "*") return [{ module, names: [{ name: "*" }], line, kind: "wildcard" }];
    return name === ""
      ? []
      : [{ module, names: [alias === undefined ? { name } : { name, alias }], line, kind: "names" }];
  });
}

function renamed(part: string): ImportedName {
  const [name = "", alias] = part.trim().split(/ ?=> ?| as /);
  return alias === undefined ? { name } : { name, alias };
}

export default {
  id: "scala",
  level: "edges",
  extensions: ["scala", "sc", "sbt", "mill"],
  shebangs: ["scala", "scala-cli", "amm"],
  isCode: true,
  commentPrefixes: ["//"],
  grammar: { name: "scala", file: "tree-sitter-scala/tree-sitter-scala.wasm" },
  imports,
  bareFields: true,
  builtins: new Set(
    "this super null true false Unit Any AnyRef Nothing Int Long String Boolean Double Float Char Byte Short _ =>".split(
      " ",
    ),
  ),
  exported: (symbol, head) =>
    /\b(?:private|protected)\b/.test(head) ? false : symbol.parent === undefined ? true : undefined,
} satisfies LanguageDefinition as LanguageDefinition;
