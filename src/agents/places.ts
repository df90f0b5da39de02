/**
 * Paths and small files for the hot door, without `node:fs` and `node:path`: importing those two costs more
 * than everything the door does with them (measured 1.3 × the empty program; `Bun.file` 1.02 ×).
 */
import { isObject, type JsonObject } from "./json.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Forward slashes work on every system. */
export function joined(...parts: readonly string[]): string {
  return parts.join("/");
}

// No regular expressions and no calls by the letter on this path: compiling either costs as much as all the rest.

/** The folder above, or undefined at the root. */
export function parentOf(path: string): string | undefined {
  if (path.length <= 1) return undefined;
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  if (at < 0) return undefined;
  if (at === 0) return path.slice(0, 1);
  // `C:` alone is a drive's current folder, not its root.
  return path.charCodeAt(at - 1) === 58 ? undefined : path.slice(0, at);
}

/** The folder itself and those above it, nearest first. */
export function ancestors(path: string): string[] {
  const found: string[] = [];
  let start = path;
  while (start.length > 1 && (start.endsWith("/") || start.endsWith("\\"))) start = start.slice(0, -1);
  for (let dir: string | undefined = start; dir !== undefined; dir = parentOf(dir)) found.push(dir);
  return found;
}

export async function homeOf(env: Env): Promise<string> {
  const named = process.platform === "win32" ? env["USERPROFILE"] : env["HOME"];
  return named || (await import("node:os")).homedir();
}

/**
 * Is something there that has bytes? One system call, no thread. What we may not even look at, the agent (the
 * same user) could not read either, so it counts as absent.
 */
export function hasBytes(path: string): boolean {
  try {
    return Bun.file(path).size > 0;
  } catch {
    // No path at all: a NUL in it.
    return false;
  }
}

/** The first of the folders in which one of the names, each with its slash in front, has bytes. */
export function firstWith(dirs: readonly string[], ...names: readonly string[]): string | undefined {
  for (const dir of dirs) {
    for (const name of names) {
      // In place: called by itself for each of them, the look is compiled by the engine, which costs more than they do.
      try {
        if (Bun.file(dir + name).size > 0) return dir;
      } catch {
        // As in `hasBytes`.
      }
    }
  }
  return undefined;
}

/** The nearest ancestor that holds `.git`, a folder or the file of a worktree. */
export function gitRootOf(from: string): string | undefined {
  // The folder is told by a file in it: whether a folder itself has a size depends on the system.
  return firstWith(ancestors(from), "/.git/HEAD", "/.git");
}

/** Text of a regular file within bounds, else undefined. A pipe has no size, so it is never opened and can't hold the session. */
export async function smallText(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const file = Bun.file(path);
    if (file.size <= 0 || file.size > maxBytes) return undefined;
    return await file.text();
  } catch {
    return undefined;
  }
}

/** Names in a folder, sorted; none when there is no such folder. */
export function namesIn(dir: string): readonly string[] {
  // A folder has a size on every system but Windows; asking for it is ten times cheaper than listing nothing.
  if (process.platform !== "win32" && !hasBytes(dir)) return [];
  try {
    return [...new Bun.Glob("*").scanSync({ cwd: dir, onlyFiles: false, dot: true })].sort();
  } catch {
    return [];
  }
}

export interface FileState {
  readonly path: string;
  /** Undefined when there is no such file, or it can't be read. */
  readonly json: JsonObject | undefined;
  /** Set when the file is there and can't be read. */
  readonly problem: string | undefined;
}

const MAX_SETTINGS_BYTES = 1024 * 1024;

/** Another program's settings: bounded, regular files only, never thrown about. */
export async function jsonFile(path: string, maxBytes = MAX_SETTINGS_BYTES): Promise<FileState> {
  if (!hasBytes(path)) return { path, json: undefined, problem: undefined };
  const text = await smallText(path, maxBytes);
  if (text === undefined) return { path, json: undefined, problem: "can't be read, or is too large to be settings" };
  const plain = text.replace(/^\uFEFF+/, "");
  if (plain.trim() === "") return { path, json: {}, problem: undefined };
  try {
    const value: unknown = JSON.parse(plain);
    return isObject(value)
      ? { path, json: value, problem: undefined }
      : { path, json: undefined, problem: "is no JSON object" };
  } catch {
    return { path, json: undefined, problem: "is no valid JSON" };
  }
}
