/** Where an unpacked source lies. */
import { join } from "node:path";
import type { Source } from "./sources.ts";

export function folderOf(root: string, source: Source): string {
  return join(root, source.ecosystem, `${source.name.replace(/[/:]/g, "+")}@${source.version}`);
}
