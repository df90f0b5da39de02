/**
 * Reading a stashed output back: whole and byte for byte, or the part that was asked for. What comes out of here is never
 * shrunk again.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { UserError } from "../../platform/errors.ts";
import type { Environment } from "../../platform/paths.ts";
import { compilePattern } from "../filters/regex.ts";
import { isKey, stashPath } from "./store.ts";

export interface RetrieveOptions {
  /** `A-B`, `A-`, `-B` or `A`, 1-based. */
  readonly lines?: string;
  readonly grep?: string;
  readonly tail?: number;
}

const PIECE = 1024 * 1024;

/** Gives the wanted bytes piece by piece. @throws UserError for a key that is no key, or that is gone. */
export function retrieve(
  key: string,
  options: RetrieveOptions,
  write: (bytes: Uint8Array) => boolean,
  env: Environment = process.env,
): { bytes: number } {
  if (!isKey(key)) throw new UserError(`'${key}' is not a key`, "a key is the 12 hex digits in a [tokenix: …] line", 2);
  const wanted = selection(options);
  let file: number;
  try {
    file = openSync(stashPath(key, env), "r");
  } catch {
    throw new UserError(`nothing is stashed under ${key}`, "entries are kept for 7 days: run the command again");
  }
  let bytes = 0;
  const out = (piece: Uint8Array) => {
    bytes += piece.length;
    return write(piece);
  };
  try {
    if (!wanted) for (let piece = read(file); piece.length > 0 && out(piece); piece = read(file));
    else wanted(lines(file), out);
  } finally {
    closeSync(file);
  }
  return { bytes };
}

type Selection = (lines: Iterable<Buffer>, out: (piece: Uint8Array) => boolean) => void;

function selection({ lines: range, grep, tail }: RetrieveOptions): Selection | undefined {
  if (range === undefined && grep === undefined && tail === undefined) return undefined;
  const [from, to] = range === undefined ? [1, Number.POSITIVE_INFINITY] : parseRange(range);
  const pattern = grep === undefined ? undefined : grepPattern(grep);
  return (all, out) => {
    const kept: Buffer[] = [];
    let number = 0;
    for (const line of all) {
      number++;
      if (number > to) break;
      if (number < from) continue;
      if (pattern && !pattern.test(textOfLine(line))) continue;
      // With --grep the number is what makes the next --lines possible.
      const shown = pattern ? Buffer.concat([Buffer.from(`${number}:`), line]) : line;
      if (tail === undefined) {
        if (!out(shown)) return;
      } else {
        kept.push(shown);
        if (kept.length > tail) kept.shift();
      }
    }
    for (const line of kept) if (!out(line)) return;
  };
}

function parseRange(range: string): [number, number] {
  const match = /^(\d+)?(-)?(\d+)?$/.exec(range);
  const from = Number(match?.[1] ?? 1);
  const to = match?.[2] ? Number(match[3] ?? Number.POSITIVE_INFINITY) : from;
  if (!match || range === "" || range === "-" || from < 1 || to < from)
    throw new UserError(`--lines is A-B, A- or -B, not '${range}'`, undefined, 2);
  return [from, to];
}

function grepPattern(source: string): RegExp {
  try {
    return compilePattern(source);
  } catch (error) {
    throw new UserError(`--grep '${source}': ${error instanceof Error ? error.message : error}`, undefined, 2);
  }
}

function textOfLine(line: Buffer): string {
  return line
    .subarray(0, 64 * 1024)
    .toString("utf8")
    .replace(/\r?\n$/, "");
}

function read(file: number): Buffer {
  const piece = Buffer.alloc(PIECE);
  return piece.subarray(0, readSync(file, piece, 0, PIECE, null));
}

/** Each line with its end. */
function* lines(file: number): Generator<Buffer> {
  let carried: Buffer[] = [];
  for (let piece = read(file); piece.length > 0; piece = read(file)) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      const line = piece.subarray(from, end + 1);
      yield carried.length > 0 ? Buffer.concat([...carried, line]) : line;
      carried = [];
      from = end + 1;
    }
    if (from < piece.length) carried.push(piece.subarray(from));
  }
  if (carried.length > 0) yield Buffer.concat(carried);
}
