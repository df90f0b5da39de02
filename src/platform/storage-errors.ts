/**
 * What a disk can refuse, told apart from faults of ours: no room, no permission, read-only, no folder where one should
 * be. Every way out of a command passes here, so that none of them ends in the name of a system call.
 */
import { UserError } from "./errors.ts";

const FULL = /^(?:SQLITE_FULL|ENOSPC|EDQUOT)$/;
const FAILING = /^(?:SQLITE_IOERR.*|EIO|EFBIG)$/;
const FORBIDDEN = /^(?:SQLITE_READONLY.*|SQLITE_PERM|SQLITE_CANTOPEN.*|EACCES|EPERM|EROFS)$/;
const KEPT = "what was finished is kept, and the next run goes on from there";

/** The refusal in words; undefined for any other error. `path` is what was at stake, when the error does not say. */
export function storageRefusal(error: unknown, path?: string): UserError | undefined {
  if (error instanceof UserError) return undefined;
  const { code = "", path: own } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (typeof code !== "string") return undefined;
  // An error that names its file knows better than the caller what was refused.
  const what = (typeof own === "string" ? own : path) ?? "a file of tokenix";
  if (FULL.test(code))
    return new UserError(`the disk is full: ${what} cannot grow`, `free some room and run the command again; ${KEPT}`);
  if (FAILING.test(code))
    return new UserError(
      `${what} cannot be written (${code})`,
      `a full disk or a limit on file sizes may be the reason; ${KEPT}`,
    );
  if (FORBIDDEN.test(code))
    return new UserError(
      `${what} cannot be opened or written: no permission, or a read-only disk`,
      "check who owns it and its folder",
    );
  if (code === "ENOTDIR" || code === "EEXIST")
    return new UserError(`${what} cannot be made: a file lies where a folder should be`, "check TOKENIX_HOME");
  return undefined;
}
