/**
 * Settings files of other programs: read as they are, replaced whole, through symbolic links, with their permissions.
 * What is not plain UTF-8, not a file or not writable is refused with a reason, and never touched.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { readBounded, writeFileAtomic } from "../../platform/files.ts";

/** Far above any real settings file, far below what would hurt. */
const MAX_BYTES = 32 * 1024 * 1024;

export interface SettingsFile {
  /** Where the bytes are: the end of every symbolic link. */
  readonly realPath: string;
  /** Nothing when there is no such file yet. */
  readonly text: string | undefined;
  readonly mode: number | undefined;
  /** A second name of the same bytes, or another owner: a new file in its place would part from both. */
  readonly isFilledInPlace?: boolean;
}

/** Why a settings file can't be used; the message is for people. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** @throws SettingsError */
export function readSettings(path: string): SettingsFile {
  const realPath = followLinks(path);
  let mode: number;
  let isFilledInPlace: boolean;
  try {
    const stat = statSync(realPath);
    if (!stat.isFile()) throw new SettingsError(`${path} is not a file`);
    if (stat.size > MAX_BYTES) throw new SettingsError(`${path} is larger than any settings (${stat.size} bytes)`);
    mode = stat.mode & 0o777;
    isFilledInPlace = process.platform !== "win32" && (stat.nlink > 1 || stat.uid !== process.getuid?.());
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { realPath, text: undefined, mode: undefined };
    throw new SettingsError(`${path} can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`);
  }
  try {
    const bytes = readBounded(realPath, MAX_BYTES);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { realPath, text, mode, isFilledInPlace };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new SettingsError(code === "EACCES" ? `${path} may not be read` : `${path} is not UTF-8 text`);
  }
}

/** Writes the file if it still holds what was read. @throws SettingsError */
export function writeSettings(
  path: string,
  before: SettingsFile,
  text: string,
  options: { isShared: boolean; isExecutable?: boolean },
): void {
  if (before.text !== undefined) {
    // Root may write a read-only file; whoever made it so meant it all the same.
    if (((before.mode ?? 0) & 0o200) === 0 || !mayWrite(before.realPath))
      throw new SettingsError(`${path} is read-only`);
    if (readSettings(path).text !== before.text)
      throw new SettingsError(`${path} was changed by another program just now`);
  }
  const fresh = options.isExecutable === true ? 0o755 : options.isShared ? 0o644 : 0o600;
  const mode = before.mode ?? fresh;
  try {
    if (before.isFilledInPlace === true) {
      writeFileSync(before.realPath, text);
      return;
    }
    mkdirSync(dirname(before.realPath), { recursive: true });
    writeFileAtomic(before.realPath, text, { mode });
    chmodSync(before.realPath, mode);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    // A file that is a mount point of its own can't be replaced by a rename, only filled.
    if (before.text !== undefined && (code === "EBUSY" || code === "EXDEV")) {
      writeFileSync(before.realPath, text);
      return;
    }
    throw new SettingsError(`${path} can't be written (${code})`);
  }
}

/**
 * Deletes a file that we made, and those of its folders that we made and that are empty now.
 * @returns the folders that had to stay
 * @throws SettingsError
 */
export function deleteSettings(path: string, madeFolders: readonly string[]): string[] {
  try {
    unlinkSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOENT") throw new SettingsError(`${path} can't be deleted (${code ?? "unknown"})`);
  }
  const kept: string[] = [];
  // The deepest first: a handed-over list is in no order.
  for (const folder of [...madeFolders].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder);
    } catch {
      // Something else lives there by now.
      if (existsSync(folder)) kept.push(folder);
    }
  }
  return kept;
}

/** The folders on the way to a file that do not exist yet, the deepest first. */
export function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      lstatSync(folder);
      return missing;
    } catch {
      missing.push(folder);
      if (folder === dirname(folder)) return missing;
    }
  }
}

function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist, or it is a link to what does not exist: then the link's target is where it will be.
    try {
      return resolve(dirname(path), readlinkSync(path));
    } catch {
      return path;
    }
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
