import type { LanguageDefinition } from "../definition.ts";
import type { SourceSymbol, SymbolKind } from "../types.ts";

const kinds: Readonly<Record<string, SymbolKind>> = {
  table: "table",
  view: "view",
  function: "function",
  procedure: "procedure",
  proc: "procedure",
  trigger: "trigger",
  index: "index",
  type: "type",
  domain: "type",
  sequence: "resource",
  schema: "module",
  database: "module",
  package: "module",
  synonym: "type",
  event: "trigger",
  role: "resource",
  extension: "resource",
};

const create =
  /^\s*(?:create|alter)\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:definer\s*=\s*\S+|global|local|temp|temporary|unlogged|unique|clustered|nonclustered|bitmap|materialized|external|virtual|editionable|recursive|secure|transient|aggregate|constraint)\s+)*(table|view|function|procedure|proc|trigger|index|type|domain|sequence|schema|database|package(?:\s+body)?|synonym|event|role|extension)\s+(?:concurrently\s+)?(?:if\s+(?:not\s+)?exists\s+)?(?:body\s+)?([\w."`[\]$#]+)/i;

/**
 * `CREATE` statements line by line, for dialects that the grammar gives up on (T-SQL, PL/SQL, MySQL scripts).
 * One reaches to the line before the next, or to a line that ends it: `GO`, `/`, `$$`, or a `;` for what has no body.
 */
function lines(text: string): SourceSymbol[] {
  const all = text.split("\n");
  const found: SourceSymbol[] = [];
  let open: SourceSymbol | undefined;
  let hasBody = false;
  let comment = 0;
  const close = (line: number) => {
    if (open === undefined) return;
    let end = line;
    while (end > open.startLine && /^\s*(?:--.*)?$/.test(all[end - 1] ?? "")) end--;
    open.endLine = end;
    open = undefined;
  };
  all.forEach((raw, i) => {
    const line = i + 1;
    const match = create.exec(raw);
    if (match?.[1] !== undefined && match[2] !== undefined && !(open && hasBody && !/^create/i.test(raw.trim()))) {
      close(line - 1);
      const word = match[1].toLowerCase().replace(/\s+body$/, "");
      const name = match[2].replace(/["`[\]]/g, "");
      hasBody = /^(?:function|procedure|proc|trigger|package|event)$/.test(word);
      open = {
        name,
        qualifiedName: name,
        kind: kinds[word] ?? "type",
        startLine: line,
        endLine: line,
        docStartLine: comment > 0 ? comment : line,
        signature: raw
          .trim()
          .replace(/\s+/g, " ")
          .replace(/\s*\($/, "")
          .slice(0, 240),
      };
      found.push(open);
    }
    comment = /^\s*(?:--|\/\*|\*)/.test(raw) ? comment || line : 0;
    if (open === undefined) return;
    if (/^\s*(?:go|\/|\$\$\s*;?|delimiter\b.*)\s*$/i.test(raw)) close(line - (/^\s*\$\$/.test(raw) ? 0 : 1));
    else if (!hasBody && /;\s*(?:--.*)?$/.test(raw)) close(line);
    else if (
      hasBody &&
      /^\s*end\b[^;]*;\s*$/i.test(raw) &&
      !/^\s*end\s+(?:if|loop|case|while|for|repeat)\b/i.test(raw) &&
      !/^\s/.test(raw)
    ) {
      close(line);
    } else if (hasBody && /\$\w*\$\s*(?:language\b.*)?;\s*$/i.test(raw)) close(line);
  });
  close(all.length);
  return found;
}

export default {
  id: "sql",
  level: "symbols",
  extensions: [
    "sql",
    "ddl",
    "dml",
    "psql",
    "pgsql",
    "mysql",
    "tsql",
    "plsql",
    "pls",
    "pks",
    "pkb",
    "prc",
    "hql",
    "cql",
  ],
  isCode: true,
  commentPrefixes: ["--"],
  grammar: {
    name: "sql",
    file: "@unit-mesh/treesitter-artifacts/wasm/tree-sitter-sql.wasm",
    // Its scanner's destroy function is declared to return a number, where the runtime calls one that returns nothing.
    repairs: [
      ["0c050506010401070308060303", "0c050506000401070308060303"],
      ["01017f200028020022010440200110010b2000100141000b", "01017f200028020022010440200110010b2000100101010b"],
    ],
  },
  symbolName: (raw) => raw.replace(/["`[\]]/g, ""),
  lines,
} satisfies LanguageDefinition as LanguageDefinition;
