/** Base64 and data URIs: bytes that no reader of text can use, said by kind and length. PEM markers around them stay. */

/** A run this long is no identifier, key or hash that an agent could want to quote. */
const RUN = /[A-Za-z0-9+/_-]{512,}={0,2}/g;
const WRAPPED_LINE = /^\s*[A-Za-z0-9+/]{60,}\s*$/;
const LAST_WRAPPED_LINE = /^\s*[A-Za-z0-9+/]{1,}={0,2}\s*$/;
const FEWEST_WRAPPED_LINES = 5;

const KINDS: readonly (readonly [string, string])[] = [
  ["iVBORw0KGgo", "png image"],
  ["/9j/", "jpeg image"],
  ["R0lGOD", "gif image"],
  ["UklGR", "webp image"],
  ["JVBERi0", "pdf"],
  ["UEsDB", "zip archive"],
  ["H4sI", "gzip data"],
  ["AGFzbQ", "wasm module"],
  ["d09GMg", "woff2 font"],
  ["PHN2Zy", "svg image"],
];

export function omitBlobs(text: string): string {
  if (text.length < 512 * 2 && text.length < 300) return text;
  return omitWrapped(omitRuns(text));
}

function omitRuns(text: string): string {
  return text.replace(RUN, (run) => (looksEncoded(run) ? `[${kindOf(run)}base64 omitted: ${run.length} chars]` : run));
}

function omitWrapped(text: string): string {
  const lines = text.split("\n");
  if (lines.length < FEWEST_WRAPPED_LINES) return text;
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && WRAPPED_LINE.test(lines[end] as string)) end++;
    if (end - at < FEWEST_WRAPPED_LINES) {
      out.push(...lines.slice(at, Math.max(end, at + 1)));
      at = Math.max(end, at + 1);
      continue;
    }
    const last = lines[end];
    if (last !== undefined && LAST_WRAPPED_LINE.test(last) && last.trim().length < (lines[at] as string).trim().length)
      end++;
    const block = lines.slice(at, end).map((line) => line.trim());
    const run = block.join("");
    if (looksEncoded(run)) out.push(`[${kindOf(run)}base64 omitted: ${run.length} chars in ${block.length} lines]`);
    else out.push(...lines.slice(at, end));
    at = end;
  }
  return out.join("\n");
}

/** Base64 mixes cases or has symbols; hex dumps, digit columns and rulers do not, and stay. */
function looksEncoded(run: string): boolean {
  const head = run.slice(0, 2048);
  if (new Set(head).size < 12) return false;
  return /[a-z]/.test(head) && /[A-Z]/.test(head) && /[0-9+/_-]/.test(head);
}

function kindOf(run: string): string {
  const kind = KINDS.find(([prefix]) => run.startsWith(prefix))?.[1];
  return kind ? `${kind} ` : "";
}
