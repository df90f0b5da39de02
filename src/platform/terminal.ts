/** Whether somebody sits there: asked of the file descriptors first, since `isTTY` loads the stream classes (3 ms). */
import { constants, fstatSync } from "node:fs";

export function isInteractive(): boolean {
  if (process.env["CI"] || !maybeTerminal(1)) return false;
  return Boolean(process.stdout.isTTY && process.stdin.isTTY);
}

const MEMORY_DEVICES = 1;

/** False for what surely is none, by the file's kind alone: `isTTY` loads the stream classes (3 ms). */
export function maybeTerminal(fd: number): boolean {
  if (process.platform === "win32") return true;
  try {
    const { rdev, mode } = fstatSync(fd);
    if ((mode & constants.S_IFMT) !== constants.S_IFCHR) return false;
    // `/dev/null` is a device too, where programs are started by programs.
    return process.platform !== "linux" || rdev >> 8 !== MEMORY_DEVICES;
  } catch {
    return false;
  }
}
