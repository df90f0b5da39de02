/**
 * Where outputs are kept: in the home, or, where an agent's sandbox lets us write nothing there, in a private folder
 * of the temporary one. Codex confines commands to the workspace and the temporary folder by default.
 */
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePrivateDir } from "../../platform/files.ts";
import { type Environment, homePath } from "../../platform/paths.ts";

export type Kept = "stash" | "tee";

/** What a sandbox answers to a write outside of it. */
export function isConfined(error: unknown): boolean {
  return ["EROFS", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Does the work in the home's folder, or again in the temporary one where the first may not be written. @throws what the work throws */
export function inKeepingFolder<T>(kept: Kept, env: Environment, work: (folder: string) => T): T {
  const folder = homePath(kept, env);
  try {
    ensurePrivateDir(folder);
    return work(folder);
  } catch (error) {
    if (!isConfined(error)) throw error;
    const other = temporaryFolder(kept);
    if (other === undefined) throw error;
    return work(other);
  }
}

/** Both places, the home's first. */
export function keepingFolders(kept: Kept, env: Environment): readonly string[] {
  return [homePath(kept, env), temporaryPath(kept)];
}

function temporaryPath(kept: Kept): string {
  return join(tmpdir(), `tokenix-${process.getuid?.() ?? "kept"}`, kept);
}

/** Everybody may write to the temporary folder: only a folder that is ours, and ours alone, is used. */
function temporaryFolder(kept: Kept): string | undefined {
  const path = temporaryPath(kept);
  const parent = join(path, "..");
  for (const folder of [parent, path]) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return undefined;
    }
    const stat = lstatSync(folder);
    const isOurs = process.platform === "win32" || (stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0);
    if (!stat.isDirectory() || !isOurs) return undefined;
  }
  return path;
}
