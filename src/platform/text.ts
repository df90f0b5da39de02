/** Text as files and programs really have it: encodings, line ends, colour codes. */

export type Eol = "\n" | "\r\n";

/** The line end that most lines have; CRLF only when it is the majority, as a lone `\r\n` may be content. */
export function dominantEol(text: string): Eol {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    lf++;
    if (at > 0 && text.charCodeAt(at - 1) === 13) crlf++;
  }
  return crlf * 2 > lf ? "\r\n" : "\n";
}

/** Gives every line end of `text` the wanted form; applying it twice changes nothing. */
export function restoreEol(text: string, eol: Eol): string {
  const plain = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
  return eol === "\n" ? plain : plain.replaceAll("\n", "\r\n");
}

/** Lines without their ends; a final line end makes no empty last line. */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string;
    if (line.endsWith("\r")) lines[i] = line.slice(0, -1);
  }
  return lines;
}

/** A path as one line shows it: a name with a line break or an escape sequence in it is quoted, as git does it. */
export function shownPath(path: string): string {
  return /[\x00-\x1f\x7f]/.test(path) ? JSON.stringify(path).replaceAll("\x7f", "\\x7f") : path;
}

export function stripAnsi(text: string): string {
  return text.includes("\x1b") || text.includes("\x9b") ? Bun.stripANSI(text) : text;
}

/** The text cut to at most `length` UTF-16 units, never inside a surrogate pair. */
export function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1";
export type Decoded = { readonly text: string; readonly encoding: Encoding } | { readonly binary: true };

/** How much of a file is looked at for NUL bytes, as git and ripgrep do it. */
const SNIFF_BYTES = 8192;

/**
 * A file's bytes as text. UTF-16 needs its byte-order mark (PowerShell writes one); a NUL in the first
 * 8 KiB means binary; bytes that are not UTF-8 are read as Windows-1252, so that legacy text stays readable
 * and every line keeps its number.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  if (bytes.length >= 2) {
    if (bytes[0] === 0xff && bytes[1] === 0xfe)
      return { text: new TextDecoder("utf-16le").decode(bytes), encoding: "utf-16le" };
    if (bytes[0] === 0xfe && bytes[1] === 0xff)
      return { text: new TextDecoder("utf-16be").decode(bytes), encoding: "utf-16be" };
  }
  if (bytes.subarray(0, SNIFF_BYTES).includes(0)) return { binary: true };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "latin1" };
  }
}
