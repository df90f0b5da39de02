/**
 * The failure tee: the whole text of a failed command, with credentials masked, in a file whose path is printed. An agent
 * that needs more than the filtered failure reads the file instead of running the command again. `TOKENIX_TEE=0` is off.
 */
import { closeSync, openSync, readdirSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { removeQuietly } from "../../platform/files.ts";
import type { Environment } from "../../platform/paths.ts";
import { redactCredentials } from "../../platform/redact.ts";
import { inKeepingFolder } from "./folder.ts";

const KEPT_FILES = 60;
const KEPT_DAYS = 7;
/** Masked in pieces, cut at line ends, so that a gigabyte does not stand in memory. */
const PIECE_BYTES = 1024 * 1024;

export function isTeeOn(env: Environment = process.env): boolean {
  return env["TOKENIX_TEE"] !== "0";
}

/** Writes the masked text and gives its path. @throws the file system's error. */
export function tee(raw: Uint8Array | { spoolPath: string }, command: string, env: Environment = process.env): string {
  return inKeepingFolder("tee", env, (folder) => teeIn(folder, raw, command));
}

function teeIn(folder: string, raw: Uint8Array | { spoolPath: string }, command: string): string {
  const stamp = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  const slug =
    command
      .replace(/[^A-Za-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 32) || "command";
  const path = join(folder, `${stamp}-${slug}-${Math.random().toString(36).slice(2, 6)}.log`);
  const file = openSync(path, "wx", 0o600);
  try {
    for (const piece of pieces(raw)) {
      const masked = Buffer.from(redactCredentials(piece.toString("latin1")), "latin1");
      for (let at = 0; at < masked.length; ) at += writeSync(file, masked, at);
    }
  } catch (error) {
    closeSync(file);
    removeQuietly(path);
    throw error;
  }
  closeSync(file);
  forgetOld(folder);
  return path;
}

function* pieces(raw: Uint8Array | { spoolPath: string }): Generator<Buffer> {
  if (raw instanceof Uint8Array) {
    yield Buffer.from(raw.buffer, raw.byteOffset, raw.length);
    return;
  }
  const file = openSync(raw.spoolPath, "r");
  try {
    let carried = Buffer.alloc(0);
    for (;;) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const count = readSync(file, piece, 0, PIECE_BYTES, null);
      if (count === 0) break;
      const joined = Buffer.concat([carried, piece.subarray(0, count)]);
      const end = joined.lastIndexOf(10) + 1 || joined.length;
      yield joined.subarray(0, end);
      carried = joined.subarray(end);
    }
    if (carried.length > 0) yield carried;
  } finally {
    closeSync(file);
  }
}

function forgetOld(folder: string): void {
  const names = readdirSync(folder).sort().reverse();
  const oldest = Date.now() - KEPT_DAYS * 24 * 60 * 60 * 1000;
  names.forEach((name, at) => {
    const path = join(folder, name);
    try {
      if (at >= KEPT_FILES || statSync(path).mtimeMs < oldest) removeQuietly(path);
    } catch {
      // Another run removed it in the meantime.
    }
  });
}
