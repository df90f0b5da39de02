/** Our own stdout and stderr, written at once and without Bun's stream classes (touching `process.stdout` costs 10 ms). */
import { fstatSync, writeSync } from "node:fs";

/** Writes everything; false when the reader has gone, which is an end and no error. */
export function writeAll(fd: 1 | 2, data: Uint8Array | string): boolean {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EPIPE" || code === "EBADF" || code === "EOF") return false;
      if (code === "EAGAIN") {
        // The reader's pipe is full and somebody made it non-blocking.
        Bun.sleepSync(2);
        continue;
      }
      throw error;
    }
  }
  return true;
}

/** A terminal, or a device such as /dev/null: nobody there wants a shorter text. */
export function isDevice(fd: number): boolean {
  if (process.platform === "win32") return Boolean(process.stdout.isTTY);
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Both streams end in the same pipe or file, so that their order is all that tells them apart. */
export function areSameSink(): boolean {
  try {
    const out = fstatSync(1, { bigint: true });
    const err = fstatSync(2, { bigint: true });
    return out.ino !== 0n && out.ino === err.ino && out.dev === err.dev;
  } catch {
    return false;
  }
}
