/**
 * `import-index`: takes in an index that somebody else made, as untrusted input. Bounded while it unpacks, checked
 * against its checksum, inspected as a database, matched with the project, and only then put in place, by one rename.
 */
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { UserError } from "../../platform/errors.ts";
import { ensurePrivateDir, readBounded, removeQuietly, writeFileAtomic } from "../../platform/files.ts";
import { findGitRoot } from "../../platform/git.ts";
import { acquireWriter } from "../../platform/lock.ts";
import { type Environment, homePath } from "../../platform/paths.ts";
import { storageRefusal } from "../../platform/storage-errors.ts";
import { decodeText } from "../../platform/text.ts";
import { hashOf, storedText } from "../index/process.ts";
import { WriterBusy } from "../index/writer.ts";
import { openStore, storePaths } from "../store/open.ts";
import { adopt, inspectSnapshot, type Received, type SnapshotFacts, settle } from "../store/snapshot.ts";
import { hashOfFile } from "./export.ts";
import { projectIdentity, sameProject } from "./identity.ts";
import { describePlace, parsePlace, receive } from "./place.ts";

export interface ImportOptions {
  /** Take it although it is older than the index here, or of a project that can't be matched. */
  readonly force?: boolean;
  /** The hash that its sender told by another way. */
  readonly sha256?: string | undefined;
  readonly env?: Environment;
  readonly maxFileBytes: number;
}

export interface Imported {
  readonly facts: SnapshotFacts;
  /** Files whose text was not in the snapshot and is another on this disk; the next run reads them. */
  readonly unreadable: number;
  /** True when a checksum vouched for it: a snapshot without one is only inspected. */
  readonly checked: boolean;
}

/** The unpacked database; far above any that was met. */
const MAX_DATABASE_BYTES = 16_000_000_000;
/** An index shrinks to a fifth; what swells a hundredfold is made to fill a disk. */
const MAX_RATIO = 100;
const MAX_SMALL_BYTES = 64_000_000;
/** Large parts: every one of them passes through four streams. */
const PART_BYTES = 1 << 20;
const SQLITE_MAGIC = "SQLite format 3\0";

export async function importIndex(root: string, source: string, options: ImportOptions): Promise<Imported> {
  const env = options.env ?? process.env;
  const place = parsePlace(source);
  const paths = storePaths(root, env);
  ensurePrivateDir(dirname(paths.database));
  ensurePrivateDir(homePath("cache", env));
  const scratch = mkdtempSync(join(dirname(paths.database), ".import-"));
  try {
    const packed = place.kind === "file" ? place.path : join(scratch, "snapshot.gz");
    if (place.kind !== "file") await receive(place, packed, env);
    else if (!existsSync(packed)) throw new UserError(`there is no file ${packed}`);
    const checked = await mustHaveHash(packed, options.sha256);
    const copy = join(scratch, "index.db");
    await unpack(packed, copy, describePlace(place));
    const facts = inspectSnapshot(copy);
    await mustFit(root, facts, options.force === true);
    const lock = acquireWriter(paths.lock, "import");
    if ("heldBy" in lock) throw new WriterBusy(lock.heldBy);
    try {
      if (!options.force) mustBeNewer(root, facts, env);
      const unreadable = adopt(copy, root, findGitRoot(root) ?? root, (file) =>
        textOnDisk(root, file, options.maxFileBytes),
      );
      putInPlace(copy, paths.database);
      writeFileAtomic(paths.name, `${root}\n`);
      return { facts, unreadable, checked };
    } finally {
      lock.release();
    }
  } catch (error) {
    throw storageRefusal(error, `the index ${paths.database}`) ?? error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A kill between any two of these leaves the old index or the new one, never one with the other's log. */
function putInPlace(copy: string, database: string): void {
  settle(database);
  for (const suffix of ["-wal", "-shm"]) removeQuietly(database + suffix);
  try {
    renameSync(copy, database);
  } catch (error) {
    if (process.platform === "win32" && /^(?:EPERM|EACCES|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? ""))
      throw new UserError(
        "the index here is open in another program",
        "end the tokenix that serves it (an agent's MCP server, 'tokenix watch') and import again",
      );
    throw error;
  }
}

/** The hash named on the command line, else the one beside the file. @returns false when there is neither. */
async function mustHaveHash(path: string, named: string | undefined): Promise<boolean> {
  let wanted = named?.toLowerCase();
  if (wanted === undefined && existsSync(`${path}.sha256`))
    wanted = /^([0-9a-f]{64})\b/i.exec(readFileSync(`${path}.sha256`, "utf8"))?.[1]?.toLowerCase();
  if (wanted === undefined) return false;
  const found = await hashOfFile(path);
  if (found !== wanted)
    throw new UserError(
      `the snapshot has the SHA-256 ${found.slice(0, 16)}…, wanted ${wanted.slice(0, 16)}…`,
      "nothing was imported; it is damaged or another one",
    );
  return true;
}

async function unpack(packed: string, target: string, name: string): Promise<void> {
  let size = 0;
  const bound = Math.min(MAX_DATABASE_BYTES, Math.max(MAX_SMALL_BYTES, statSync(packed).size * MAX_RATIO));
  const bounded = async function* (parts: AsyncIterable<Uint8Array>) {
    for await (const part of parts) {
      if (size === 0 && new TextDecoder("latin1").decode(part.subarray(0, 16)) !== SQLITE_MAGIC)
        throw new UserError(`${name} holds no database`, "nothing was imported");
      size += part.length;
      if (size > bound) throw new UserError(`${name} unpacks to more than any index`, "nothing was imported");
      yield part;
    }
  };
  try {
    await pipeline(
      createReadStream(packed, { highWaterMark: PART_BYTES }),
      createGunzip({ chunkSize: PART_BYTES }),
      bounded,
      createWriteStream(target, { mode: 0o600, flags: "wx" }),
    );
  } catch (error) {
    const refusal = storageRefusal(error, target);
    if (error instanceof UserError || refusal) throw refusal ?? error;
    throw new UserError(`${name} is not a snapshot, or it is damaged`, "nothing was imported");
  }
  if (size === 0) throw new UserError(`${name} is empty`, "nothing was imported");
}

async function mustFit(root: string, facts: SnapshotFacts, force: boolean): Promise<void> {
  if (force) return;
  const here = await projectIdentity(root);
  if (sameProject(here, facts.identity)) return;
  if (here === "" || facts.identity === "")
    throw new UserError(
      "nothing tells whether this snapshot is of this project",
      "if you know that it is, add --force",
    );
  throw new UserError(
    "this snapshot is of another project",
    "run the import in a checkout of that project, or add --force",
  );
}

function mustBeNewer(root: string, facts: SnapshotFacts, env: Environment): void {
  const { database } = storePaths(root, env);
  if (!existsSync(database)) return;
  let here: string | undefined;
  try {
    const store = openStore(root, { mode: "read", env });
    here = store.meta("indexed_at");
    store.close();
  } catch {
    return; // A damaged index loses nothing by being replaced.
  }
  if (here !== undefined && here > facts.indexedAt)
    throw new UserError(
      `the index here is newer (${here}) than the snapshot (${facts.indexedAt})`,
      "keep it, or add --force to replace it",
    );
}

/** The file's text as the index stores it, when the file on disk is the one that was indexed. */
function textOnDisk(root: string, file: Received, maxFileBytes: number): Uint8Array | undefined {
  try {
    const bytes = readBounded(join(root, file.path), maxFileBytes);
    if (hashOf(bytes) !== file.hash) return undefined;
    const decoded = decodeText(bytes);
    return "binary" in decoded ? undefined : storedText(bytes, decoded);
  } catch {
    return undefined;
  }
}
