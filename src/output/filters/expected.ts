/**
 * Writes what a filter makes of its cases into their file, as `expected`: for authors, who then read it. Edits the text in
 * place, so that every other byte stays as its author wrote it.
 */
import { runCase } from "./cases.ts";
import { parseFilterToml } from "./toml.ts";
import { tomlString } from "./toml-write.ts";

/** The file with `expected` of all of its cases; a file that does not parse comes back as it was. */
export function withExpected(toml: string): string {
  const file = parseFilterToml(toml);
  if (file.problems.length > 0) return toml;
  let text = toml;
  for (const filter of file.filters)
    for (const [at, one] of (file.cases.get(filter.name) ?? []).entries())
      text = writeExpected(text, filter.name, at, runCase(filter, one).filtered);
  return text;
}

/** Puts `expected` into the nth `[[tests.NAME]]` table; every other byte of the file stays. */
export function writeExpected(text: string, filter: string, nth: number, expected: string): string {
  const heads = [...text.matchAll(/^\[\[tests\.([a-z0-9-]+)\]\][^\n]*\n/gm)].filter((head) => head[1] === filter);
  const head = heads[nth];
  if (!head) return text;
  const from = head.index + head[0].length;
  const block = tableEnd(text, from);
  const body = text.slice(from, block);
  const value = `expected = ${tomlString(expected, true)}\n`;
  const old = findKey(body, "expected");
  const rest = old ? body.slice(0, old[0]) + value + body.slice(old[1]) : undefined;
  const keep = findKey(body, "must_keep");
  const at = keep?.[0] ?? body.length;
  return text.slice(0, from) + (rest ?? body.slice(0, at) + value + body.slice(at)) + text.slice(block);
}

/** Where the table that begins at `from` ends: at the next table head outside of any string. */
function tableEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at = nextLine(text, at)) if (text[at] === "[") return at;
  return text.length;
}

function findKey(body: string, key: string): [number, number] | undefined {
  for (let at = 0; at < body.length; ) {
    const end = nextLine(body, at);
    if (new RegExp(`^${key}\\s*=`).test(body.slice(at, at + key.length + 8))) return [at, end];
    at = end;
  }
  return undefined;
}

/** The start of the next line at which a key or a table can stand: past multi-line strings and lists. */
function nextLine(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (char === "'" || char === '"') {
      const triple = text.startsWith(char.repeat(3), at);
      const quote = triple ? char.repeat(3) : char;
      at += quote.length;
      while (at < text.length && !text.startsWith(quote, at)) at += char === '"' && text[at] === "\\" ? 2 : 1;
      at += quote.length;
      // Up to two quotes may stand right before the closing three.
      while (triple && text[at] === char) at++;
      continue;
    }
    if (char === "#") {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
      continue;
    }
    // A table's own head is not a list.
    if ((char === "[" || char === "{") && at !== from) depth++;
    if ((char === "]" || char === "}") && depth > 0) depth--;
    at++;
    if (char === "\n" && depth === 0) return at;
  }
  return at;
}
