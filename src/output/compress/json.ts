/**
 * JSON and NDJSON without the white space between tokens. Nothing is parsed into numbers and printed again: a long
 * integer, a key order and a duplicate key come out as they went in.
 */

/** Past this the ceiling would cut the text anyway. */
const MOST = 4 * 1024 * 1024;

/** The compact text, or undefined when this is not JSON from end to end or nothing would be won. */
export function compactJson(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length < 2 || trimmed.length > MOST || !/^[[{]/.test(trimmed)) return undefined;
  const end = text.endsWith("\n") ? "\n" : "";
  if (isJson(trimmed)) return shorter(withoutSpace(trimmed) + end, text);
  const lines = trimmed.split("\n");
  if (lines.length < 2 || !lines.every((line) => line.trim() === "" || (/^\s*[[{]/.test(line) && isJson(line))))
    return undefined;
  return shorter(
    lines.flatMap((line) => (line.trim() === "" ? [] : [withoutSpace(line.trim())])).join("\n") + end,
    text,
  );
}

function shorter(compact: string, text: string): string | undefined {
  return compact.length < text.length ? compact : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function withoutSpace(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      for (at++; at < text.length && text.charCodeAt(at) !== 34; at++) if (text.charCodeAt(at) === 92) at++;
    } else if (code === 32 || code === 10 || code === 13 || code === 9) {
      if (at > from) parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.join("");
}
