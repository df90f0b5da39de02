/**
 * Loads ONNX Runtime's native binding. From source it does nothing. In the executable it unpacks the binding and its
 * library once, atomically and owner-only, into a cache folder named by their hashes, and opens the binding there
 * (its search path finds the library beside it).
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../platform/errors.ts";
import { ensurePrivateDir, writeFileAtomic } from "../../platform/files.ts";
import { type Environment, nativeCacheDir } from "../../platform/paths.ts";
import { IS_COMPILED } from "../../platform/version.ts";
import { type NativeFile, nativeFiles } from "./native-files.ts";

const SLOT = Symbol.for("tokenix.onnxruntime");
const BINDING = "onnxruntime_binding.node";

/** Whether this build can run ONNX models at all; false on targets that the runtime is not made for. */
export function hasOnnxRuntime(): boolean {
  return !IS_COMPILED || nativeFiles.length > 0;
}

/** @throws UserError when this platform has no binding or its files can't be unpacked. */
export function loadOnnxRuntime(env: Environment = process.env): void {
  const holder = globalThis as unknown as Record<symbol, unknown>;
  if (!IS_COMPILED || holder[SLOT]) return;
  if (nativeFiles.length === 0)
    throw new UserError(
      `ONNX models do not run in this build (${process.platform}-${process.arch} has no binding)`,
      "use the embedded model: tokenix index --model static",
    );
  const module = { exports: {} };
  process.dlopen(module, join(unpack(env), BINDING));
  holder[SLOT] = module.exports;
}

function unpack(env: Environment): string {
  const key = nativeFiles.map((file) => file.sha256.slice(0, 12)).join("-");
  let failure: unknown;
  // A home that can't be written to (a read-only sandbox) still has a temporary folder as a rule.
  for (const base of [nativeCacheDir(env), join(tmpdir(), `tokenix-native-${process.getuid?.() ?? "user"}`)]) {
    const folder = join(base, key);
    try {
      ensurePrivateDir(folder);
      refuseForeign(folder);
      for (const file of nativeFiles) unpackOne(file, join(folder, file.name));
      return folder;
    } catch (error) {
      failure = error;
    }
  }
  throw new UserError(
    `ONNX Runtime could not be unpacked (${failure instanceof Error ? failure.message : String(failure)})`,
    "free some room, or use the embedded model: tokenix index --model static",
  );
}

/** Loading code from a folder that somebody else owns would run theirs. */
function refuseForeign(folder: string): void {
  if (process.platform === "win32") return;
  const stat = statSync(folder);
  if (stat.uid !== process.getuid?.() || (stat.mode & 0o022) !== 0)
    throw new Error(`${folder} belongs to, or can be written by, somebody else`);
}

function unpackOne({ path: source, sha256, size }: NativeFile, target: string): void {
  // The folder is ours alone and named by the hashes, and files appear whole: the size is proof enough for a start
  // that must not spend 40 ms on hashing 45 MB. Whatever is unpacked is hashed.
  if (existsSync(target) && statSync(target).size === size) return;
  const bytes = Bun.zstdDecompressSync(readFileSync(source));
  const found = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  if (found !== sha256) throw new Error(`${target} would not have the bytes this build was made with`);
  writeFileAtomic(target, bytes, { mode: 0o700 });
}
