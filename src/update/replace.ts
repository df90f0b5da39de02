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
import { createGunzip } from "node:zlib";
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
  /** What the new program must answer. */
  readonly version: string;
}

/** Names that a replacement leaves beside the executable for a while. */
function names(executable: string): { next: string; old: string } {
  const folder = dirname(executable);
  const base = basename(executable).replace(/\.exe$/, "");
  const ending = executable.endsWith(".exe") ? ".exe" : "";
  return { next: join(folder, `.${base}-next-${process.pid}${ending}`), old: join(folder, `.${base}-old${ending}`) };
}

/** @throws UserError with the old executable in place. */
export async function replaceExecutable({ archive, executable, version }: Replacement): Promise<void> {
  sweep(executable);
  const { next, old } = names(executable);
  try {
    await unpack(archive, next);
    await mustAnswer(next, version, "the downloaded program");
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
  // Windows keeps a running program's file; the next start sweeps it.
  removeQuietly(old);
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

async function unpack(archive: string, target: string): Promise<void> {
  const input = openSync(archive, "r");
  const out = openSync(target, "wx", 0o755);
  const gunzip = createGunzip();
  let size = 0;
  try {
    const finished = (async () => {
      for await (const part of gunzip) {
        const bytes = part as Uint8Array;
        size += bytes.length;
        if (size > MAX_PROGRAM_BYTES)
          throw new UserError("the archive unpacks to more than any release", "nothing was changed");
        let written = 0;
        while (written < bytes.length) written += writeSync(out, bytes, written);
      }
    })();
    const buffer = new Uint8Array(1 << 20);
    for (let count = readSync(input, buffer); count > 0; count = readSync(input, buffer))
      if (!gunzip.write(buffer.slice(0, count)))
        await Promise.race([new Promise((resolve) => gunzip.once("drain", resolve)), finished]);
    gunzip.end();
    await finished;
    fsyncSync(out);
  } catch (error) {
    if (error instanceof UserError || (error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
    throw new UserError("the archive is damaged", "nothing was changed");
  } finally {
    closeSync(input);
    closeSync(out);
  }
}

async function mustAnswer(program: string, version: string, what: string): Promise<void> {
  const answer = await capture([program, "--version"], {
    timeoutMs: ANSWER_TIMEOUT_MS,
    maxBytes: 10_000,
    env: { TOKENIX_NO_UPDATE_CHECK: "1" },
  });
  const found = /^tokenix (\S+)/.exec(answer.stdout)?.[1];
  if (answer.code === 0 && found === version) return;
  throw new UserError(
    `${what} ${answer.code === 0 && found ? `answers as ${found}, not ${version}` : `does not start here (exit ${answer.code})`}`,
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
  if (code === "ENOSPC")
    return new UserError("the disk is full", "the old program was kept; free some room and try again");
  return error;
}
