/**
 * What has to be read again. Every known file and folder is looked at on every run (5,000 files: 16 ms), so a branch
 * switch, a merge, a pull and an edit are all found the same way, in a repository or outside of one, and cost what they
 * changed. A folder is listed again only when its own stamp has changed: that is how new files are found.
 *
 * Git's own diff is not asked: it needs 5 to 15 ms of processes, knows nothing of files outside the index's commit
 * that were edited and restored, and says less than the stamps do. A rename is a file that is gone and one that is new.
 */
import { statSync } from "node:fs";
import { lstatIfSeen } from "../../platform/files.ts";
import type { LeftOut } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { changedAmong } from "./look.ts";
import type { Job } from "./process.ts";
import { settled } from "./stamps.ts";
import type { Listing, Walker } from "./walk.ts";

export interface Plan {
  readonly jobs: readonly Job[];
  readonly removed: readonly string[];
  readonly listings: readonly Listing[];
  readonly removedDirs: readonly string[];
  /** Files that are as they were. */
  readonly unchanged: number;
  readonly bytes: number;
}

export interface PlanOptions {
  /** Read every file again, whatever its stamp. */
  readonly force: boolean;
  /** Larger files are listed but not read, and don't count as bytes to read. */
  readonly maxFileBytes?: number;
  readonly now?: () => number;
  /** Told of a file that has surely changed, before all files are looked at: its parser can be loaded meanwhile. */
  readonly onEarlyChange?: ((path: string) => void | Promise<void>) | undefined;
}

interface Known {
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly hash: string | null;
}

/** The plan of a full walk: for a first run, `--force`, or when the rules of what is walked have changed. */
export function planFull(store: Store, walker: Walker, options: PlanOptions): Plan {
  const known = knownFiles(store);
  const knownDirs = new Set(store.files.dirs().map((row) => row[0]));
  const jobs: Job[] = [];
  const listings: Listing[] = [];
  let unchanged = 0;
  let bytes = 0;
  for (const listing of walker.walk()) {
    listings.push(listing);
    knownDirs.delete(listing.dir);
    for (const file of listing.files) {
      const row = known.get(file.path);
      known.delete(file.path);
      if (row && !options.force && isSame(row, file.stamp)) {
        unchanged++;
        continue;
      }
      bytes += bytesToRead(file.stamp.size, options);
      jobs.push({ ...file, knownHash: options.force ? undefined : plainHash(row?.hash) });
    }
  }
  return { jobs, removed: [...known.keys()], listings, removedDirs: [...knownDirs], unchanged, bytes };
}

/** The plan from stamps alone. @returns undefined when an ignore file has come, gone or changed: walk in full then. */
export async function planChanges(
  store: Store,
  walker: () => Walker | Promise<Walker>,
  root: string,
  options: PlanOptions,
): Promise<Plan | undefined> {
  if (!sameIgnoreFiles(store.meta("ignore_files"))) return undefined;
  const now = (options.now ?? Date.now)();
  const jobs: Job[] = [];
  const removed: string[] = [];
  let bytes = 0;
  const add = (path: string, stamp: Job["stamp"], hash: string | null | undefined) => {
    bytes += bytesToRead(stamp.size, options);
    jobs.push({ path, stamp, knownHash: plainHash(hash) });
  };
  if (options.onEarlyChange) {
    const path = earlyChange(store, root);
    if (path !== undefined) await options.onEarlyChange(path);
  }
  const known = store.files.knownStamps();
  for (const path of await changedAmong(root, known)) {
    const stat = lstatIfSeen(`${root}/${path}`);
    if (!stat?.isFile()) removed.push(path);
    else {
      const hash = store.files.byPath(path)?.contentHash;
      add(path, { size: stat.size, ...settled(stat.mtimeMs, stat.ctimeMs, now) }, hash);
    }
  }
  const unchanged = known.stamps.length - jobs.length - removed.length;
  const listings: Listing[] = [];
  const removedDirs: string[] = [];
  const dirs = store.files.dirs();
  const isKnown = new Set(dirs.map((row) => row[0]));
  for (const [dir, mtime, ctime] of dirs) {
    const stat = lstatIfSeen(dir === "" ? root : `${root}/${dir}`);
    if (!stat?.isDirectory()) removedDirs.push(dir);
    else if (stat.mtimeMs !== mtime || stat.ctimeMs !== ctime) {
      const walk = await walker();
      const listing = walk.list(dir);
      if (!listing) {
        removedDirs.push(dir);
        continue;
      }
      listings.push(listing);
      for (const child of listing.dirs) if (!isKnown.has(child)) listings.push(...walk.walk(child));
    }
  }
  if (listings.length > 0) {
    const read = new Set((JSON.parse(store.meta("ignore_files") ?? "[]") as [string][]).map((row) => row[0]));
    for (const source of (await walker()).ignoreSources) if (!read.has(source)) return undefined;
    const present = new Set(jobs.map((job) => job.path));
    const gone = new Set(removed);
    for (const listing of listings) {
      for (const file of listing.files) {
        if (present.has(file.path) || gone.has(file.path) || store.files.byPath(file.path)) continue;
        add(file.path, file.stamp, undefined);
      }
    }
  }
  return { jobs, removed, listings, removedDirs, unchanged, bytes };
}

const LATEST = 8;

/** A changed file among those that were edited last, where an edit is most likely. */
function earlyChange(store: Store, root: string): string | undefined {
  for (const [path, size, mtime, ctime] of store.files.latest(LATEST)) {
    const stat = lstatIfSeen(`${root}/${path}`);
    if (stat?.isFile() && (stat.size !== size || stat.mtimeMs !== mtime || stat.ctimeMs !== ctime)) return path;
  }
  return undefined;
}

function bytesToRead(size: number, options: PlanOptions): number {
  return size <= (options.maxFileBytes ?? Number.POSITIVE_INFINITY) ? size : 0;
}

/** The ignore files that were read or looked for, with what they were: one line of JSON in `meta`. */
export function stampIgnoreFiles(paths: Iterable<string>): string {
  return JSON.stringify([...paths].sort().map((path) => [path, ...ignoreStamp(path)]));
}

function sameIgnoreFiles(stored: string | undefined): boolean {
  if (!stored) return false;
  for (const [path, size, mtime] of JSON.parse(stored) as [string, number, number][]) {
    const [nowSize, nowMtime] = ignoreStamp(path);
    if (nowSize !== size || nowMtime !== mtime) return false;
  }
  return true;
}

function ignoreStamp(path: string): [number, number] {
  const stat = statIfSeen(path);
  return stat ? [stat.size, stat.mtimeMs] : [-1, -1];
}

/** Follows links, as git does for its ignore files. */
function statIfSeen(path: string): { size: number; mtimeMs: number } | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function knownFiles(store: Store): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const [path, size, mtime, ctime, hash] of store.files.stamps()) known.set(path, { size, mtime, ctime, hash });
  return known;
}

function isSame(row: Known, stamp: Job["stamp"]): boolean {
  return row.mtime >= 0 && row.size === stamp.size && row.mtime === stamp.mtime && row.ctime === stamp.ctime;
}

/** The hash of the text, without the mark that its chunks have no embedding. */
function plainHash(hash: string | null | undefined): string | undefined {
  return hash?.replace(/^ne:/, "");
}

/** What the listings say of folders, to be written. */
export function writeListings(store: Store, plan: Plan): void {
  for (const dir of plan.removedDirs) store.files.removeDir(dir);
  for (const listing of plan.listings) {
    store.files.setDir(listing.dir, listing.mtime, listing.ctime);
    store.files.setLeftOut(listing.dir, listing.leftOut as LeftOut[]);
  }
}
