/**
 * What we wrote where, and how the file was before: in the home, owner-only, so that no stray backup lies beside a
 * person's settings. With it a removal gives the very bytes back; without it a removal still takes out what is ours.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  ensurePrivateDir,
  readBounded,
  readTextIfPresent,
  removeQuietly,
  writeFileAtomic,
} from "../../platform/files.ts";
import { type Environment, homePath } from "../../platform/paths.ts";
import type { Piece } from "./json-change.ts";
import type { ToolName } from "./tools.ts";

const MAX_BYTES = 32 * 1024 * 1024;

export interface FileRecord {
  readonly path: string;
  /** The repository, where the file was written by a local installation. */
  readonly project?: string;
  /** Set when we made the file. */
  readonly isOurs: boolean;
  readonly madeFolders: readonly string[];
  /** What each tool added, in the order of adding. */
  readonly added: readonly Added[];
}

export interface Added {
  readonly tool: ToolName;
  readonly isLocal: boolean;
  readonly signature: string;
  readonly pieces: readonly Piece[];
}

export function readRecord(path: string, env: Environment): FileRecord | undefined {
  return parseRecord(readTextIfPresent(recordPath(path, env), MAX_BYTES));
}

export function writeRecord(record: FileRecord, env: Environment): void {
  ensurePrivateDir(homePath("backups", env));
  writeFileAtomic(recordPath(record.path, env), `${JSON.stringify(record, null, 2)}\n`);
}

export function deleteRecord(path: string, env: Environment): void {
  removeQuietly(recordPath(path, env));
  removeQuietly(backupPath(path, env));
}

export function allRecords(env: Environment): FileRecord[] {
  let names: string[];
  try {
    names = readdirSync(homePath("backups", env));
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".record.json"))
    .sort()
    .flatMap((name) => parseRecord(readTextIfPresent(join(homePath("backups", env), name), MAX_BYTES)) ?? []);
}

/** The file as it was before we first touched it. */
export function backupPath(path: string, env: Environment): string {
  return join(homePath("backups", env), `${recordName(path)}.before`);
}

export function readBackup(path: string, env: Environment): string | undefined {
  try {
    const bytes = readBounded(backupPath(path, env), MAX_BYTES);
    // A byte-order mark is a byte of the file's like any other.
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function writeBackup(path: string, text: string, env: Environment): void {
  ensurePrivateDir(homePath("backups", env));
  writeFileAtomic(backupPath(path, env), text);
}

function recordPath(path: string, env: Environment): string {
  return join(homePath("backups", env), `${recordName(path)}.record.json`);
}

function recordName(path: string): string {
  const name = path
    .slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .replace(/[^A-Za-z0-9._-]+/g, "-");
  return `${name}-${Bun.hash(path).toString(16).padStart(16, "0")}`;
}

function parseRecord(text: string | undefined): FileRecord | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as FileRecord;
    return typeof value.path === "string" && Array.isArray(value.added) && Array.isArray(value.madeFolders)
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}
