/** Is a file still what the index holds? By its stamp; by its text where only the time of change differs. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { FileRow } from "../../repo/store/records.ts";
import type { Store } from "../../repo/store/store.ts";
import { textOnDisk } from "./read-outline.ts";

export function isUnchanged(store: Store, row: FileRow): boolean {
  const path = join(store.root, row.path);
  try {
    const stat = statSync(path);
    if (stat.size !== row.size) return false;
    // A file so fresh that only its hash could tell has no time in the index.
    if (row.mtime >= 0 && Math.abs(stat.mtimeMs - row.mtime) < 1) return true;
  } catch {
    return false;
  }
  return textOnDisk(path) === store.files.text(row.id);
}
