/** Is a file still what the index holds? Told by its stamp, as the index itself tells it. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { FileRow } from "../../repo/store/records.ts";

export function isUnchanged(root: string, row: Pick<FileRow, "path" | "size" | "mtime">): boolean {
  try {
    const stat = statSync(join(root, row.path));
    // A file so fresh that only its hash could tell has no time in the index: taken at its size.
    return stat.size === row.size && (row.mtime < 0 || Math.abs(stat.mtimeMs - row.mtime) < 1);
  } catch {
    return false;
  }
}
