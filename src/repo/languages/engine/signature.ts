/** The line that introduces a symbol, without its body: read from the text, so queries need not name bodies. */

import type { Span } from "./collect.ts";

export type SignatureStyle = "brace" | "colon" | "line" | "first";

const limit = 240;

/**
 * `start` is where the definition begins. Words before it on the same line that belong to it (`export const`, `pub`)
 * are taken along.
 */
export function signatureOf(
  text: string,
  start: number,
  name: Span,
  end: number,
  style: SignatureStyle = "brace",
): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const before = text.slice(lineStart, start);
  const from = /^[\s\w]*$/.test(before) ? lineStart : start;
  const to = bodyStart(text, start, name.end, Math.min(end, start + 2000), style);
  let flat = text.slice(from, to).replace(/\s+/g, " ").trim();
  if (style === "line" || style === "first") flat = flat.replace(/\s*(?:\{|\[|\(|\bdo|\bwhere|=)$/, "");
  // `typedef struct { … } point_t;` is named after its body.
  if (name.start >= to && name.end <= end) flat += ` … ${text.slice(name.start, name.end)}`;
  return flat.length <= limit ? flat : `${flat.slice(0, limit - 1)}…`;
}

function bodyStart(text: string, start: number, nameEnd: number, end: number, style: SignatureStyle): number {
  if (style === "first") {
    const newline = text.indexOf("\n", nameEnd);
    return newline === -1 ? end : Math.min(newline, end);
  }
  let depth = 0;
  for (let i = start; i < end; i++) {
    switch (text.charCodeAt(i)) {
      case 40: // (
      case 91: // [
        depth++;
        break;
      case 41: // )
      case 93: // ]
        depth--;
        break;
      case 123: // {
        if (style === "brace" && depth <= 0) return i;
        depth++;
        break;
      case 125: // }
        depth--;
        break;
      case 59: // ;
        if (style === "brace" && depth <= 0) return i;
        break;
      case 58: // :
        if (style === "colon" && depth <= 0 && /^:[ \t]*(?:#|\r?\n|$)/.test(text.slice(i, i + 40))) return i;
        break;
      case 10:
        // A return type may stand on the line above the name.
        if (depth <= 0 && i >= nameEnd && (style !== "brace" || !continues(text, i, end))) return i;
        break;
    }
  }
  return end;
}

/** A brace may stand on the next line, or after clauses such as `where` and `extends`. */
function continues(text: string, newline: number, end: number): boolean {
  return /^\s*(?:\{|where\b|extends\b|implements\b|throws\b|requires\b|noexcept\b|->|=>|:|,|=|\()/.test(
    text.slice(newline, Math.min(end, newline + 120)),
  );
}
