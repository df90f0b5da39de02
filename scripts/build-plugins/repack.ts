/**
 * For a release: what is embedded as zstd is packed again as small as it gets. A build for this machine keeps the
 * quick level, as the strong one takes a minute for ONNX Runtime alone; unpacking is as fast either way.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const CACHE = join(import.meta.dir, "..", "..", "node_modules", ".cache", "tokenix", "repacked");
/** The levels above gain one percent more, for three times the time and a window of 128 MB. */
const LEVEL = 19;

export function plugin(_target: string | undefined, release: boolean): Bun.BunPlugin {
  return {
    name: "repack",
    setup(build) {
      if (release) build.onLoad({ filter: /\.zst$/ }, ({ path }) => ({ contents: repacked(path), loader: "file" }));
    },
  };
}

/** Names hold the content's hash already, so a packed file is made once a content. */
function repacked(path: string): Buffer {
  const target = join(CACHE, `${basename(path)}-${LEVEL}`);
  if (!existsSync(target)) {
    mkdirSync(CACHE, { recursive: true });
    const partial = `${target}.${process.pid}`;
    writeFileSync(partial, Bun.zstdCompressSync(Bun.zstdDecompressSync(readFileSync(path)), { level: LEVEL }));
    renameSync(partial, target);
  }
  return readFileSync(target);
}
