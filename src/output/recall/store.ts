/**
 * The stash: raw outputs as they were, byte for byte, each under a key that a marker names. Protected by permissions, not
 * masked: `retrieve` promises the exact bytes. What stands beside them, the command, is masked. Old entries go by age and by size, the newest last.
 */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { removeQuietly } from "../../platform/files.ts";
import type { Environment } from "../../platform/paths.ts";
import { redactCredentials } from "../../platform/redact.ts";
import { inKeepingFolder, keepingFolders } from "./folder.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_DAYS = 7;
const MOST_BYTES = 1024 * 1024 * 1024;
const MOST_ENTRIES = 4000;
const PRUNE_EVERY_MS = 10 * 60 * 1000;

export interface StashDetails {
  readonly command: string;
  readonly project: string;
  readonly exitCode: number;
  /** ISO 8601. */
  readonly at: string;
  readonly bytes: number;
  /** Characters that were shown instead. */
  readonly shownChars: number;
}

export function isKey(text: string): boolean {
  return /^[0-9a-f]{12}$/.test(text);
}

/** Where the entry is, or would be in the home. */
export function stashPath(key: string, env: Environment = process.env): string {
  return entryPath(`${key}.raw`, env);
}

function entryPath(name: string, env: Environment): string {
  const paths = keepingFolders("stash", env).map((folder) => join(folder, name));
  return paths.find((path) => existsSync(path)) ?? paths[0] ?? name;
}

/**
 * Keeps an output: bytes, or the spool file that already holds them. Gives its key.
 * @throws the file system's error when it can't be kept; the caller goes on without.
 */
export function stash(raw: Uint8Array | { spoolPath: string }, details: StashDetails, env: Environment = process.env) {
  return inKeepingFolder("stash", env, (folder) => stashIn(folder, raw, details));
}

function stashIn(folder: string, raw: Uint8Array | { spoolPath: string }, details: StashDetails): string {
  const key = raw instanceof Uint8Array ? digestOf(raw) : randomKey();
  const path = join(folder, `${key}.raw`);
  if (raw instanceof Uint8Array) {
    // The key is the content's: what is there already is the same, and somebody may be reading it.
    if (!isThere(path, raw.length)) writeNew(path, raw);
  } else renameSync(raw.spoolPath, path);
  const told = { ...details, command: redactCredentials(details.command) };
  writeNew(join(folder, `${key}.json`), Buffer.from(JSON.stringify(told)));
  pruneSometimes(folder);
  return key;
}

export function detailsOf(key: string, env: Environment = process.env): StashDetails | undefined {
  try {
    return JSON.parse(readFileSync(entryPath(`${key}.json`, env), "utf8")) as StashDetails;
  } catch {
    return undefined;
  }
}

/** Twelve hex digits of the content: the same output has the same key. */
export function digestOf(raw: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(raw).digest("hex").slice(0, 12);
}

function randomKey(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString("hex");
}

/** Whether an entry of this size is there; if so it counts as new. */
function isThere(path: string, bytes: number): boolean {
  try {
    if (statSync(path).size !== bytes) return false;
    utimesSync(path, new Date(), new Date());
    return true;
  } catch {
    return false;
  }
}

/** No rename here: a stash entry has one writer and is read only after its key was printed. */
function writeNew(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "w", 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } catch (error) {
    closeSync(file);
    removeQuietly(path);
    throw error;
  }
  closeSync(file);
}

function pruneSometimes(folder: string): void {
  const stamp = join(folder, ".pruned");
  try {
    // A stamp from the future is of a clock that was set back.
    if (Math.abs(Date.now() - statSync(stamp).mtimeMs) < PRUNE_EVERY_MS) return;
    utimesSync(stamp, new Date(), new Date());
  } catch {
    try {
      closeSync(openSync(stamp, "w", 0o600));
    } catch {
      return;
    }
  }
  prune(folder);
}

/** Removes what is past its age, then the oldest until the rest fits. Also spools that a killed run left behind. */
export function prune(folder: string, limits = { days: KEPT_DAYS, bytes: MOST_BYTES, entries: MOST_ENTRIES }): void {
  const files: { path: string; at: number; bytes: number }[] = [];
  for (const name of readdirSync(folder)) {
    if (name === ".pruned") continue;
    const path = join(folder, name);
    try {
      const { mtimeMs, size } = statSync(path);
      files.push({ path, at: mtimeMs, bytes: size });
    } catch {
      // Another run removed it in the meantime.
    }
  }
  files.sort((a, b) => b.at - a.at);
  const oldest = Date.now() - limits.days * DAY_MS;
  let bytes = 0;
  files.forEach((file, at) => {
    bytes += file.bytes;
    const isSpool = file.path.endsWith(".spool") && file.at < Date.now() - DAY_MS;
    // The newest two files are the entry that was just made.
    if (at > 1 && (file.at < oldest || bytes > limits.bytes || at >= limits.entries * 2 || isSpool))
      removeQuietly(file.path);
  });
}
