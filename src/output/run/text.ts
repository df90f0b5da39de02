/**
 * Captured bytes as text and back. UTF-8 where it is UTF-8 throughout; else one character a byte, so that the stages work
 * on any encoding's ASCII and every other byte comes out as it went in.
 */
import type { Captured } from "./capture.ts";

export interface CapturedText {
  readonly text: string;
  readonly isUtf8: boolean;
}

/** As git and ripgrep see it: a NUL near the beginning is no text. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

export function textOf(captured: Captured): CapturedText {
  const utf8 = asUtf8(captured.head);
  const tail = captured.tail.length > 0 ? asUtf8(captured.tail) : "";
  const isUtf8 = utf8 !== undefined && tail !== undefined;
  const head = isUtf8 ? utf8 : captured.head.toString("latin1");
  if (captured.omittedBytes === 0) return { text: head, isUtf8 };
  const failures = captured.failureLines.map((line) => (isUtf8 ? Buffer.from(line, "latin1").toString("utf8") : line));
  const rest = isUtf8 ? tail : captured.tail.toString("latin1");
  const lines = captured.omittedLines - failures.length;
  const marker =
    lines > 0 ? `[... ${lines} lines omitted ...]` : `[... ${captured.omittedBytes} bytes of one line omitted ...]`;
  const joint = head.endsWith("\n") || head === "" ? "" : "\n";
  const found = failures.length > 0 ? `${failures.join("\n")}\n` : "";
  return { text: `${head}${joint}${marker}\n${found}${rest}`, isUtf8 };
}

export function bytesOf(text: string, isUtf8: boolean): Buffer {
  // In one-byte text no ellipsis is the command's own: they are our markers'.
  return isUtf8 ? Buffer.from(text) : Buffer.from(text.replaceAll("…", "..."), "latin1");
}

function asUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
