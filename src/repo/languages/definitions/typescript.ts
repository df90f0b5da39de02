import type { LanguageDefinition } from "../definition.ts";
import type { ImportedName, ImportRef } from "../types.ts";

function braced(list: string): ImportedName[] {
  return list
    .split(",")
    .map((part) => part.trim().replace(/^type\s+/, ""))
    .filter((part) => part !== "")
    .map((part) => {
      const [name = "", alias] = part.split(/\s+as\s+|\s*:\s*/).map((word) => word.replace(/^["']|["']$/g, ""));
      return alias === undefined || alias === name ? { name } : { name, alias: alias.replace(/\s*=.*$/s, "") };
    });
}

/** ES imports and re-exports, `import x = require()`, `import()` and CommonJS `require()`. */
export function imports(text: string, line: number): ImportRef[] {
  const flat = text
    .replace(/\/\*[\s\S]*?\*\//g, " ")
    .replace(/(^|[^:"'`])\/\/[^\n]*/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  const module = /\b(?:from ?|import ?\(?|require ?\() ?["'`]([^"'`]*)["'`]/.exec(flat)?.[1];
  if (module === undefined) return [];
  if (/^export\b/.test(flat)) {
    const star = /^export (?:type )?\*(?: as ([\w$]+))?/.exec(flat);
    if (star)
      return [{ module, names: [star[1] ? { name: "*", alias: star[1] } : { name: "*" }], line, kind: "reexport" }];
    return [{ module, names: braced(/\{(.*?)\}/.exec(flat)?.[1] ?? ""), line, kind: "reexport" }];
  }
  const equals = /^import (?:type )?([\w$]+) = require/.exec(flat);
  if (equals?.[1]) return [{ module, names: [{ name: "*", alias: equals[1] }], line, kind: "module" }];
  const clause = /^import (?:type |typeof )?(.*?) ?from ?["']/.exec(flat)?.[1];
  if (clause !== undefined) return fromClause(clause, module, line);
  if (/^import ?["']/.test(flat)) return [{ module, names: [], line, kind: "effect" }];
  const bound =
    /^(?:(?:const|let|var) )?(\{.*?\}|[\w$]+)(?: ?: ?[^=]+)? = (?:await )?(?:require|import)\s*\(\s*["'`][^"'`]*["'`]\s*\)\s*(?:\.([\w$]+))?/.exec(
      flat,
    );
  if (bound?.[1] === undefined) return [{ module, names: [], line, kind: "dynamic" }];
  if (bound[1].startsWith("{")) return [{ module, names: braced(bound[1].slice(1, -1)), line, kind: "names" }];
  if (bound[2] !== undefined) return [{ module, names: [{ name: bound[2], alias: bound[1] }], line, kind: "names" }];
  return [{ module, names: [{ name: "*", alias: bound[1] }], line, kind: "module" }];
}

function fromClause(clause: string, module: string, line: number): ImportRef[] {
  const list: ImportedName[] = [];
  const plain = /^([\w$]+)(?: ?,|$)/.exec(clause)?.[1];
  if (plain !== undefined) list.push({ name: "default", alias: plain });
  const inner = /\{(.*)\}/.exec(clause)?.[1];
  if (inner !== undefined) list.push(...braced(inner));
  const star = /\* as ([\w$]+)/.exec(clause)?.[1];
  if (star === undefined) return [{ module, names: list, line, kind: "names" }];
  return [{ module, names: [...list, { name: "*", alias: star }], line, kind: list.length > 0 ? "names" : "module" }];
}

export const script = {
  level: "edges",
  isCode: true,
  commentPrefixes: ["//"],
  builtins: new Set(["undefined", "exports", "module", "arguments", "NaN", "Infinity"]),
  passesOn: new Set(["call", "apply", "bind"]),
  imports,
  exported: (symbol, head) => (/^export\b/.test(head) ? true : symbol.parent === undefined ? false : undefined),
  keep: ({ kind, signature }) => kind !== "constant" || !/=\s*(?:await\s+)?(?:require|import)\s*\(/.test(signature),
  symbolName: (raw) => raw.replace(/^["'`]|["'`]$/g, ""),
} as const satisfies Partial<LanguageDefinition>;

export default [
  {
    ...script,
    id: "typescript",
    extensions: ["ts", "mts", "cts"],
    shebangs: ["ts-node", "tsx", "deno"],
    grammar: { name: "typescript", file: "tree-sitter-typescript/tree-sitter-typescript.wasm" },
  },
  {
    ...script,
    id: "tsx",
    family: "typescript",
    extensions: ["tsx"],
    grammar: { name: "tsx", file: "tree-sitter-typescript/tree-sitter-tsx.wasm" },
  },
] satisfies LanguageDefinition[] as LanguageDefinition[];
