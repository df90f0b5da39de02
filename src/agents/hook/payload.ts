/**
 * The payload on stdin: one JSON value, read with a deadline, since some agents never close the pipe.
 * Imports nothing: `node:fs` alone would cost a third of the start (measured 1.3 ×).
 */
import { isObject, type JsonObject, type JsonValue, parseLoose } from "../json.ts";

export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;
/** No agent nests this deep; what does would cost the encoder its stack. */
const MAX_DEPTH = 200;
/** A shorter piece means that the writer paused: worth a look whether the value is whole. */
const FULL_PIECE = 65_536;

export interface Payload {
  readonly value: JsonObject | undefined;
  /** What came, for a guess at who sent it when it is no JSON. */
  readonly text: string;
  readonly problem: string | undefined;
}

export async function readPayload(stream: ReadableStream<Uint8Array>, timeoutMs: number): Promise<Payload> {
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(resolve, Math.max(0, timeoutMs), "late");
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late]);
      if (next === "late") return finish(pieces, size, "stdin was not closed in time");
      if (next.done) return finish(pieces, size, undefined);
      pieces.push(next.value);
      size += next.value.length;
      if (size > MAX_PAYLOAD_BYTES) {
        // To the end all the same: an agent that is still writing must not meet a closed pipe.
        await Promise.race([drain(reader), late]);
        return { value: undefined, text: decode(pieces.slice(0, 1)), problem: "too large" };
      }
      if (next.value.length < FULL_PIECE && endsLikeJson(next.value)) {
        const value = objectIn(decode(pieces));
        if (value) return { value, text: "", problem: undefined };
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

function finish(pieces: readonly Uint8Array[], size: number, problem: string | undefined): Payload {
  const text = decode(pieces);
  const value = objectIn(text) ?? objectIn(firstValue(text) ?? "");
  return {
    value,
    text,
    // Nothing at all is no fault of anybody's: a person tried the door.
    problem: value ? undefined : (problem ?? (size === 0 ? undefined : "no JSON object")),
  };
}

function objectIn(text: string): JsonObject | undefined {
  if (text === "") return undefined;
  const value = parseLoose(text.trim());
  return isObject(value) && isShallow(value, MAX_DEPTH) ? value : undefined;
}

function isShallow(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  const inner: readonly (JsonValue | undefined)[] = Array.isArray(value) ? value : Object.values(value);
  return inner.every((one) => isShallow(one, levels - 1));
}

/** PowerShell pipes may carry UTF-16 with its mark. */
function decode(pieces: readonly Uint8Array[]): string {
  const first = pieces[0];
  const encoding = first?.[0] === 0xff && first[1] === 0xfe ? "utf-16le" : "utf-8";
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  let text = "";
  for (const piece of pieces) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

function endsLikeJson(piece: Uint8Array): boolean {
  for (let at = piece.length - 1; at >= 0; at--) {
    const code = piece[at] as number;
    if (code === 0x7d || code === 0x22) return true;
    if (code !== 0x0a && code !== 0x0d && code !== 0x20 && code !== 0x09 && code !== 0) return false;
  }
  return false;
}

/** The first whole `{…}` of a text with something behind it. */
function firstValue(text: string): string | undefined {
  const start = text.indexOf("{");
  if (start < 0) return undefined;
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b) depth++;
    else if (code === 0x7d && --depth === 0) return text.slice(start, at + 1);
  }
  return undefined;
}
