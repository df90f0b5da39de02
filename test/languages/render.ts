/** An extraction as lines that a person can check against the source beside it. */
import type { Extraction } from "../../src/repo/languages/types.ts";

export function render(extraction: Extraction): string {
  const { symbols, imports, inherits, references } = extraction;
  const lines = symbols.map((symbol) => {
    const doc = symbol.docStartLine === symbol.startLine ? "" : ` doc ${symbol.docStartLine}`;
    const exported = symbol.exported ? " exported" : "";
    return `${symbol.kind} ${symbol.qualifiedName} ${symbol.startLine}-${symbol.endLine}${doc}${exported} | ${symbol.signature}`;
  });
  for (const { kind, module, names, line } of imports) {
    const bound = names.map(({ name, alias }) => (alias === undefined ? name : `${name} as ${alias}`)).join(", ");
    lines.push(`import:${kind} ${line} ${module}${bound === "" ? "" : ` { ${bound} }`}`);
  }
  for (const { child, kind, qualifier, parent, line } of inherits) {
    lines.push(`${child} ${kind} ${qualifier === undefined ? "" : `${qualifier}.`}${parent} ${line}`);
  }
  for (const { kind, qualifier, qualifierType, name, line, inSymbol } of references) {
    const place = inSymbol === undefined ? "" : ` in ${symbols[inSymbol]?.qualifiedName}`;
    const type = qualifierType === undefined ? "" : ` (a ${qualifierType})`;
    lines.push(`${kind} ${line}${place}: ${qualifier === undefined ? "" : `${qualifier}${type} . `}${name}`);
  }
  return `${lines.join("\n")}\n`;
}
