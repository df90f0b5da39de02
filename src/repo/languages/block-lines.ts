/**
 * Functions found line by line, for languages whose grammar loses them around a syntax it doesn't know: a line that
 * opens one, up to the closing line with the same indent. Never says more than such lines do.
 */
import type { SourceSymbol, SymbolKind } from "./types.ts";

/** `opens` captures the name in its first group that matched; `closes` is what the closing line starts with. */
export function blockLines(
  text: string,
  opens: RegExp,
  closes: string,
  comment: string,
  kind: SymbolKind,
): SourceSymbol[] {
  const all = text.split("\n");
  const found: SourceSymbol[] = [];
  let docLine = 0;
  all.forEach((raw, i) => {
    const line = i + 1;
    const match = opens.exec(raw);
    const name = match?.slice(1).find((group) => group !== undefined && group !== "");
    if (name !== undefined) {
      found.push({
        name,
        qualifiedName: name,
        kind,
        startLine: line,
        endLine: closingLine(all, i, closes),
        docStartLine: docLine || line,
        signature: raw
          .trim()
          .replace(/\s+/g, " ")
          .replace(/\s*\{.*$/, "")
          .slice(0, 240),
      });
    }
    docLine = raw.trimStart().startsWith(comment) ? docLine || line : 0;
  });
  return found;
}

function closingLine(all: readonly string[], from: number, closes: string): number {
  const indent = /^\s*/.exec(all[from] ?? "")?.[0] ?? "";
  if (/\}\s*$/.test(all[from] ?? "")) return from + 1;
  for (let i = from + 1; i < all.length; i++) {
    if ((all[i] ?? "").startsWith(indent + closes)) return i + 1;
  }
  return from + 1;
}
