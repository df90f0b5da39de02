/** `export-index`: a compact, compressed, checksummed copy of the index for a colleague or an air gap. */
import {
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { UserError } from "../../platform/errors.ts";
import { ensurePrivateDir, removeQuietly, writeFileAtomic } from "../../platform/files.ts";
import { type Environment, homePath } from "../../platform/paths.ts";
import { storageRefusal } from "../../platform/storage-errors.ts";
import { type VectorGap, vectorGap } from "../index/vector-gaps.ts";
import { openStore } from "../store/open.ts";
import { copyForSnapshot } from "../store/snapshot.ts";
import { projectIdentity } from "./identity.ts";
import { describePlace, parsePlace, refuseAirgap, send } from "./place.ts";

export interface ExportOptions {
  readonly content: boolean;
  readonly force?: boolean;
  readonly env?: Environment;
  readonly now?: () => number;
}

export interface Exported {
  readonly place: string;
  readonly sha256: string;
  readonly bytes: number;
  /** What the receiver will miss; undefined when the index is whole. */
  readonly gap: VectorGap | undefined;
}

/** @throws UserError when there is no index, or the file exists already. */
export async function exportIndex(root: string, target: string, options: ExportOptions): Promise<Exported> {
  const env = options.env ?? process.env;
  const place = parsePlace(target);
  if (place.kind === "url") throw new UserError("a snapshot is exported to a file or to s3://bucket/key");
  refuseAirgap(place, env);
  if (place.kind === "file" && existsSync(place.path) && !options.force)
    throw new UserError(`${place.path} exists already`, "name another file, or add --force");
  ensurePrivateDir(homePath("cache", env));
  const scratch = mkdtempSync(join(homePath("cache", env), "export-"));
  let gap: VectorGap | undefined;
  try {
    const copy = join(scratch, "index.db");
    const store = openStore(root, { mode: "read", env });
    try {
      if (!store.meta("indexed_at"))
        throw new UserError(`the index of ${root} is not finished`, "run 'tokenix index' first");
      gap = await vectorGap(store, env);
      copyForSnapshot(store.database, copy, {
        createdAt: new Date((options.now ?? Date.now)()).toISOString(),
        identity: await projectIdentity(root),
        content: options.content,
      });
    } finally {
      store.close();
    }
    const packed = join(scratch, "index.db.gz");
    await pipeline(createReadStream(copy), createGzip({ level: 6 }), createWriteStream(packed, { mode: 0o600 }));
    const sha256 = await hashOfFile(packed);
    const bytes = statSync(packed).size;
    if (place.kind === "s3") await send(packed, place, env);
    else putBeside(packed, resolve(place.path), sha256);
    return { place: describePlace(place), sha256, bytes, gap };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The file appears whole, its checksum beside it in the form that `sha256sum -c` reads. */
function putBeside(packed: string, target: string, sha256: string): void {
  if (!existsSync(dirname(target))) throw new UserError(`there is no folder ${dirname(target)}`);
  try {
    renameSync(packed, target);
  } catch {
    // Another file system than the home's.
    const half = `${target}.${process.pid}.tmp`;
    try {
      copyFileSync(packed, half);
      renameSync(half, target);
    } catch (error) {
      removeQuietly(half);
      throw storageRefusal(error, target) ?? error;
    }
  }
  writeFileAtomic(`${target}.sha256`, `${sha256}  ${basename(target)}\n`, { mode: 0o644 });
}

export async function hashOfFile(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest("hex");
}
