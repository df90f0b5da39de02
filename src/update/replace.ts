/**
 * Replaces the installed executable. Order of things, so that a kill at any point leaves a binary that runs:
 * 1. the new file is written whole beside the old one, under another name, and made durable;
 * 2. it must answer `--version` as what it claims to be, before it gets the name;
 * 3. the old file gets a second name (a hard link: the same bytes, no copy);
 * 4. one rename puts the new file under the name (on Windows, where a running file can't be replaced but can be
 *    renamed, the old one is moved aside first);
 * 5. it must answer again under its name, else the old file is renamed back.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { UserError } from "../platform/errors.ts";
import { removeQuietly } from "../platform/files.ts";
import { capture } from "../platform/process.ts";

/** The unpacked program; a release has about 130 MB. */
const MAX_PROGRAM_BYTES = 500_000_000;
const ANSWER_TIMEOUT_MS = 20_000;

export interface Replacement {
  /** The compressed asset, verified already. */
  readonly archive: string;
  /** What is replaced. */
  readonly executable: string;
  /** What the new program must answer; without it, any release's version will do. */
  readonly version?: string;
}

/** Names that a replacement leaves beside the executable for a while. */
function names(executable: string): { next: string; old: string } {
  const folder = dirname(executable);
  const base = basename(executable).replace(/\.exe$/, "");
  const ending = executable.endsWith(".exe") ? ".exe" : "";
  return { next: join(folder, `.${base}-next-${process.pid}${ending}`), old: join(folder, `.${base}-old${ending}`) };
}

/** @returns what the new program answers. @throws UserError with the old executable in place. */
export async function replaceExecutable(replacement: Replacement): Promise<string> {
  const { archive, executable } = replacement;
  sweep(executable);
  const { next, old } = names(executable);
  let version: string;
  try {
    await unpack(archive, next);
    version = await mustAnswer(next, replacement.version, "the downloaded program");
    keepOld(executable, old);
    putInPlace(next, executable, old);
  } catch (error) {
    removeQuietly(next);
    throw explained(error, executable);
  }
  try {
    await mustAnswer(executable, version, "the new program");
  } catch (error) {
    if (existsSync(old)) renameSync(old, executable);
    throw error;
  }
  // Windows keeps a running program's file; a later command sweeps it.
  removeQuietly(old);
  return version;
}

/** Removes what an interrupted replacement left behind. Never the executable itself. */
export function sweep(executable: string): void {
  const base = basename(executable).replace(/\.exe$/, "");
  const folder = dirname(executable);
  let entries: string[] = [];
  try {
    entries = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of entries) {
    const pid = new RegExp(`^\\.${escapeRegExp(base)}-next-(\\d+)(?:\\.exe)?$`).exec(name)?.[1];
    if (pid !== undefined && !isOther(Number(pid))) removeQuietly(join(folder, name));
    if (name === basename(names(executable).old) && existsSync(executable)) removeQuietly(join(folder, name));
  }
}

function isOther(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** By what the file is, not by what it is called. */
function decompressor(first: Uint8Array): Transform {
  if (first[0] === 0x1f && first[1] === 0x8b) return createGunzip();
  if (first[0] === 0x28 && first[1] === 0xb5 && first[2] === 0x2f && first[3] === 0xfd) return createZstdDecompress();
  throw new UserError("the archive is neither gzip nor zstd", "nothing was changed");
}

async function unpack(archive: string, target: string): Promise<void> {
  const input = openSync(archive, "r");
  let out: number | undefined;
  let size = 0;
  const parts = function* () {
    const buffer = new Uint8Array(1 << 20);
    for (let count = readSync(input, buffer, 0, buffer.length, 0), at = 0; count > 0; ) {
      yield buffer.slice(0, count);
      at += count;
      count = readSync(input, buffer, 0, buffer.length, at);
    }
  };
  try {
    const head = new Uint8Array(4);
    readSync(input, head, 0, 4, 0);
    const file = openSync(target, "wx", 0o755);
    out = file;
    await pipeline(parts, decompressor(head), async (unpacked: AsyncIterable<Uint8Array>) => {
      for await (const bytes of unpacked) {
        size += bytes.length;
        if (size > MAX_PROGRAM_BYTES)
          throw new UserError("the archive unpacks to more than any release", "nothing was changed");
        let written = 0;
        while (written < bytes.length) written += writeSync(file, bytes, written);
      }
    });
    fsyncSync(file);
  } catch (error) {
    if (error instanceof UserError || isOfDisk(error)) throw error;
    throw new UserError("the archive is damaged", "nothing was changed");
  } finally {
    closeSync(input);
    if (out !== undefined) closeSync(out);
  }
}

/** A fault of the place that is written to, which `explained` tells; everything else is the archive's. */
function isOfDisk(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EFBIG", "EACCES", "EPERM", "EROFS", "EIO"].includes(
    (error as NodeJS.ErrnoException).code ?? "",
  );
}

async function mustAnswer(program: string, version: string | undefined, what: string): Promise<string> {
  const answer = await capture([program, "--version"], {
    timeoutMs: ANSWER_TIMEOUT_MS,
    maxBytes: 10_000,
    env: { TOKENIX_NO_UPDATE_CHECK: "1" },
  });
  const found = answer.code === 0 ? /^tokenix (\S+)/.exec(answer.stdout)?.[1] : undefined;
  if (found !== undefined && found === (version ?? found)) return found;
  throw new UserError(
    `${what} ${found ? `answers as ${found}, not ${version}` : `does not start here (exit ${answer.code})`}`,
    "the old program was kept",
  );
}

function keepOld(executable: string, old: string): void {
  removeQuietly(old);
  if (process.platform === "win32") return;
  try {
    linkSync(executable, old);
  } catch {
    // A file system without hard links.
    copyFileSync(executable, old);
  }
}

function putInPlace(next: string, executable: string, old: string): void {
  if (process.platform !== "win32") {
    renameSync(next, executable);
    syncFolder(dirname(executable));
    return;
  }
  renameSync(executable, old);
  try {
    renameSync(next, executable);
  } catch (error) {
    renameSync(old, executable);
    throw error;
  }
}

function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Some file systems can't sync a folder; the rename itself is atomic all the same.
  }
}

function explained(error: unknown, executable: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return new UserError(
      `${dirname(executable)} can't be written to`,
      "run the update as the user who installed tokenix, or install it into a folder of your own",
    );
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG")
    return new UserError("the disk is full", "the old program was kept; free some room and try again");
  return error;
}
