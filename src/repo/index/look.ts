/**
 * Looks at many files at once: which of them are not what they were, by their stamps. On Linux it calls `statx` itself,
 * relative to the project's folder, and makes no object for a file that is unchanged: 4,500 files in 7 ms where
 * `lstatSync` takes 12. Elsewhere, and for few files, it is `lstatSync`. It only ever vouches for what is as it was: the
 * others are for the caller to look at again.
 */
import { closeSync, openSync } from "node:fs";
import { lstatIfSeen } from "../../platform/files.ts";
import type { KnownStamps } from "../store/files.ts";

/** For fewer the foreign library costs more than it saves. */
const WORTH_IT = 300;

const AT_SYMLINK_NOFOLLOW = 0x100;
const STATX_TYPE_SIZE_MTIME_CTIME = 0x1 | 0x200 | 0x40 | 0x80;
/** Of `struct statx`, the same on every architecture, as indexes of 32 bits. */
const MODE = 7;
const SIZE = 10;
const CTIME = 24;
const MTIME = 28;
const STRUCT_BYTES = 256;
const FORMAT = 0xf000;
const REGULAR = 0x8000;
const TWO_32 = 2 ** 32;

/** The paths of those that are not a file with the size and the times that are known of it. */
export async function changedAmong(root: string, known: KnownStamps): Promise<string[]> {
  const isWorthIt = process.platform === "linux" && known.stamps.length >= WORTH_IT;
  const library = isWorthIt ? await openLibrary() : undefined;
  const folder = library ? openFolder(root) : undefined;
  if (!library || folder === undefined) return changedByLstat(root, known);
  try {
    return changedByStatx(folder, known, library);
  } finally {
    closeSync(folder);
  }
}

function changedByLstat(root: string, { paths, stamps }: KnownStamps): string[] {
  if (stamps.length === 0) return [];
  return new TextDecoder()
    .decode(paths.subarray(0, -1))
    .split("\0")
    .filter((path, index) => {
      const stat = lstatIfSeen(`${root}/${path}`);
      const [size, mtime, ctime] = stamps[index] as readonly [number, number, number];
      return !stat?.isFile() || stat.size !== size || stat.mtimeMs !== mtime || stat.ctimeMs !== ctime;
    });
}

/** Undefined for a folder that may be passed through and not read. */
function openFolder(root: string): number | undefined {
  try {
    return openSync(root, "r");
  } catch {
    return undefined;
  }
}

function changedByStatx(folder: number, { paths, stamps }: KnownStamps, { statx, ptr }: Library): string[] {
  const struct = new Uint32Array(STRUCT_BYTES / 4);
  const target = ptr(struct);
  const base = ptr(paths);
  const changed: string[] = [];
  let at = 0;
  for (let index = 0; index < stamps.length; index++) {
    const [size, mtime, ctime] = stamps[index] as readonly [number, number, number];
    const result = statx(folder, base + at, AT_SYMLINK_NOFOLLOW, STATX_TYPE_SIZE_MTIME_CTIME, target);
    const end = paths.indexOf(0, at);
    const isSame =
      result === 0 &&
      ((struct[MODE] as number) & FORMAT) === REGULAR &&
      (struct[SIZE] as number) + (struct[SIZE + 1] as number) * TWO_32 === size &&
      milliseconds(struct, MTIME) === mtime &&
      milliseconds(struct, CTIME) === ctime;
    if (!isSame) changed.push(new TextDecoder().decode(paths.subarray(at, end)));
    at = end + 1;
  }
  return changed;
}

/** As `Stats.mtimeMs` has it. Times before 1970 come out wrong, and so count as changed. */
function milliseconds(struct: Uint32Array, at: number): number {
  const seconds = (struct[at] as number) + (struct[at + 1] as number) * TWO_32;
  return seconds * 1000 + (struct[at + 2] as number) / 1e6;
}

interface Library {
  readonly statx: (folder: number, path: number, flags: number, mask: number, target: number) => number;
  readonly ptr: (bytes: NodeJS.TypedArray) => number;
}

async function openLibrary(): Promise<Library | undefined> {
  const musl = process.arch === "arm64" ? "libc.musl-aarch64.so.1" : "libc.musl-x86_64.so.1";
  for (const name of ["libc.so.6", musl]) {
    try {
      const { dlopen, ptr } = await import("bun:ffi");
      const { symbols } = dlopen(name, {
        statx: { args: ["i32", "ptr", "i32", "u32", "ptr"], returns: "i32" },
      });
      return { statx: symbols.statx, ptr } as unknown as Library;
    } catch {
      // The other C library, or one too old: the caller looks at each file by itself.
    }
  }
  return undefined;
}
