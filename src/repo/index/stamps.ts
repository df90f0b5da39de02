/** What of a file's stamp can be believed later. */

/** How near to now a change may lie and still be followed by another one in the same tick of the file system's clock. */
const RACY_MS = 100;

/**
 * A stamp that can be trusted later. Linux stamps files by a clock of 1 to 10 ms: a file changed again within its tick
 * keeps its stamp. So a stamp this fresh is stored as -1, which equals nothing, and the next check compares hashes.
 */
export function settled(mtime: number, ctime: number, now: number): { mtime: number; ctime: number } {
  // A file can be dated into the future, and would be read again by every question; nobody sets the other time.
  const latest = mtime > now ? ctime : Math.max(mtime, ctime);
  return latest > now - RACY_MS ? { mtime: -1, ctime } : { mtime, ctime };
}
