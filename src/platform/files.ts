/** Files that are ours: owner-only, replaced whole or not at all, read within bounds. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { UserError } from "./errors.ts";

const OWNER_FILE = 0o600;
const OWNER_DIR = 0o700;

/** Makes the folder (and its parents) readable by its owner only. No effect on Windows, whose profile folders are private already. */
export function ensurePrivateDir(path: string): void {
  mkdirSync(path, { recursive: true, mode: OWNER_DIR });
  if (process.platform === "win32") return;
  if ((statSync(path).mode & 0o777) !== OWNER_DIR) {
    try {
      chmodSync(path, OWNER_DIR);
    } catch {
      // A folder of somebody else's that we may write to stays as it is.
    }
  }
}

/**
 * Writes a whole file beside its target and renames it into place: a reader sees the old bytes or the new, never half.
 * @throws the file system's own error (ENOSPC, EACCES …) with the half-written file removed.
 */
export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { mode?: number; durable?: boolean } = {},
): void {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_DIR });
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2, 8)}.tmp`;
  const file = openSync(temporary, "wx", options.mode ?? OWNER_FILE);
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(file, bytes, written);
    if (options.durable) fsyncSync(file);
  } catch (error) {
    closeSync(file);
    removeQuietly(temporary);
    throw error;
  }
  closeSync(file);
  try {
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/**
 * `lstat` of a path that may be anything by now: missing, below what has become a file, in a folder that was shut.
 * @returns undefined when nothing can be seen there, for whatever reason.
 */
export function lstatIfSeen(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The file's bytes, refused when larger than `maxBytes`. @throws UserError when too large, else the system's error. */
export function readBounded(path: string, maxBytes: number): Uint8Array {
  // Before opening: a pipe in the place of a file would hold us until somebody writes to it.
  const size = fileSize(path);
  const file = openSync(path, "r");
  try {
    if (size > maxBytes) throw new UserError(`${path} has ${size} bytes, more than the ${maxBytes} that are read`);
    const buffer = new Uint8Array(Math.min(maxBytes + 1, Math.max(size, 4096)));
    const parts: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const count = readSync(file, buffer, 0, buffer.length, null);
      if (count === 0) break;
      total += count;
      if (total > maxBytes) throw new UserError(`${path} has more than the ${maxBytes} bytes that are read`);
      parts.push(buffer.slice(0, count));
    }
    if (parts.length === 1 && parts[0]) return parts[0];
    const whole = new Uint8Array(total);
    let offset = 0;
    for (const part of parts) {
      whole.set(part, offset);
      offset += part.length;
    }
    return whole;
  } finally {
    closeSync(file);
  }
}

/** `readBounded` as text; undefined when there is no such file or it can't be read. */
export function readTextIfPresent(path: string, maxBytes: number): string | undefined {
  try {
    return new TextDecoder().decode(readBounded(path, maxBytes));
  } catch {
    return undefined;
  }
}

export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or not ours to remove: either way there is nothing to do.
  }
}

function fileSize(path: string): number {
  const stat = statSync(path);
  if (stat.isDirectory()) throw new UserError(`${path} is a folder, not a file`);
  // Devices too: a link to /dev/tty or /dev/stdin waits for somebody to type.
  if (!stat.isFile()) throw new UserError(`${path} is a pipe or a device, not a file`);
  return stat.size;
}
