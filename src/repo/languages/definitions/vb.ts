import type { LanguageDefinition } from "../definition.ts";
import type { SourceSymbol, SymbolKind } from "../types.ts";

const scope =
  "(?:(?:public|private|friend|protected|global|shared|static|overridable|overrides|mustoverride|notoverridable|overloads|shadows|partial|mustinherit|notinheritable|default|readonly|writeonly|async|iterator)\\s+)*";
const opener = new RegExp(
  `^\\s*${scope}(sub|function|property\\s+(?:get|let|set)|property|type|enum|class|module|interface|structure|namespace|operator)\\s+([\\w.]+|[-+*/=<>&^]+)`,
  "i",
);
const constant = new RegExp(`^\\s*${scope}const\\s+(\\w+)`, "i");
const declared = new RegExp(`^\\s*${scope}declare\\s+(?:ptrsafe\\s+)?(?:sub|function)\\s+(\\w+)`, "i");

const kinds: Readonly<Record<string, SymbolKind>> = {
  sub: "function",
  function: "function",
  operator: "function",
  property: "property",
  type: "struct",
  structure: "struct",
  enum: "enum",
  class: "class",
  module: "module",
  interface: "interface",
  namespace: "module",
};

/** VB6, VBA, VBScript and VB.NET: blocks that open with a keyword and close with `End` and the same. */
function lines(text: string): SourceSymbol[] {
  const all = text.split("\n");
  const found: SourceSymbol[] = [];
  const stack: { index: number; word: string }[] = [];
  let whole = -1;
  let comment = 0;
  let isContinued = false;
  const add = (name: string, kind: SymbolKind, line: number, raw: string): number => {
    const parent = stack[stack.length - 1]?.index ?? (whole === -1 ? undefined : whole);
    const outer = parent === undefined ? undefined : found[parent];
    const isMember = outer !== undefined && kind === "function" && outer.kind !== "module";
    const symbol: SourceSymbol = {
      name,
      qualifiedName: outer === undefined ? name : `${outer.qualifiedName}.${name}`,
      kind: isMember ? "method" : kind,
      startLine: line,
      endLine: line,
      docStartLine: comment > 0 ? comment : line,
      signature: raw.trim().replace(/\s+/g, " ").slice(0, 240),
      exported: !/^\s*private\b/i.test(raw),
    };
    if (parent !== undefined) symbol.parent = parent;
    return found.push(symbol) - 1;
  };
  all.forEach((text, i) => {
    const raw = text.replace(/\r$/, "");
    const line = i + 1;
    const wasContinued = isContinued;
    isContinued = /\s_\s*$/.test(raw);
    if (/^\s*(?:'|rem\b|<\w+)/i.test(raw)) {
      comment = comment || line;
      return;
    }
    const named = /^\s*attribute\s+vb_name\s*=\s*"([^"]+)"/i.exec(raw)?.[1];
    const ending =
      /^\s*end\s+(sub|function|property|type|enum|class|module|interface|structure|namespace|operator)\b/i.exec(
        raw,
      )?.[1];
    if (named !== undefined) {
      whole = add(named, "module", line, raw);
      const symbol = found[whole];
      if (symbol) symbol.endLine = all.length - (all[all.length - 1] === "" ? 1 : 0);
    } else if (ending !== undefined) {
      const word = ending.toLowerCase();
      const at = stack.map((open) => open.word).lastIndexOf(word);
      if (at !== -1) {
        for (const open of stack.splice(at)) {
          const symbol = found[open.index];
          if (symbol) symbol.endLine = line;
        }
      }
    } else if (!wasContinued && !/^\s*(?:exit|end)\b/i.test(raw)) {
      const declare = declared.exec(raw)?.[1];
      const open = declare === undefined ? opener.exec(raw) : null;
      const value = constant.exec(raw)?.[1];
      if (declare !== undefined) add(declare, "function", line, raw);
      else if (open?.[1] !== undefined && open[2] !== undefined) {
        const word = open[1].toLowerCase().split(/\s+/)[0] ?? "";
        const index = add(open[2], kinds[word] ?? "function", line, raw);
        const isBodyless =
          /\bmustoverride\b/i.test(raw) ||
          (word === "property" &&
            /\bas\b/i.test(raw) &&
            !/\bproperty\s+(?:get|let|set)\b/i.test(raw) &&
            !hasEnd(all, i));
        if (!isBodyless && stack[stack.length - 1]?.word !== "interface") stack.push({ index, word });
      } else if (value !== undefined && !stack.some((open) => open.word === "sub" || open.word === "function")) {
        add(value, "constant", line, raw);
      }
    }
    comment = 0;
  });
  return found;
}

/** Whether a VB.NET property has accessors, or is one line. */
function hasEnd(all: readonly string[], from: number): boolean {
  for (let i = from + 1; i < Math.min(all.length, from + 400); i++) {
    if (/^\s*end\s+property\b/i.test(all[i] ?? "")) return true;
    if (
      /^\s*(?:end\s+class|(?:public|private|friend|protected)\b.*\b(?:sub|function|property|class)\b)/i.test(
        all[i] ?? "",
      )
    )
      return false;
  }
  return false;
}

export default {
  id: "vb",
  level: "lines",
  extensions: ["bas", "cls", "frm", "ctl", "dsr", "vb", "vbs", "vba"],
  isCode: true,
  commentPrefixes: ["'", "rem "],
  dialect: (text) =>
    /^\s*(?:%|\\\\(?:NeedsTeXFormat|ProvidesClass|documentclass))/m.test(text.slice(0, 4000)) ? "latex" : undefined,
  lines,
} satisfies LanguageDefinition as LanguageDefinition;
