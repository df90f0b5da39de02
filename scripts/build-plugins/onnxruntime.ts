/**
 * Puts ONNX Runtime into the executable. Three things in two packages can't be followed by a bundler:
 * - `onnxruntime-node` loads its native binding by a computed `require`; here it takes what
 *   `src/repo/embed/native.ts` has loaded with `process.dlopen`;
 * - `@huggingface/transformers` asks `createRequire` for `onnxruntime-node`; here it imports it;
 * - it imports `sharp`, for images that are never read; here that is a stub.
 * The binding and its library of the target are embedded as zstd (about a third of their size) through
 * `src/repo/embed/native-files.ts`, whose source form is an empty list. A target that the package has no binding
 * for (darwin-x64, musl) keeps the empty list: the embedded static model serves there, and `doctor` says so.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
const BINARIES = join(ROOT, "node_modules", "onnxruntime-node", "bin", "napi-v6");
const CACHE = join(ROOT, "node_modules", ".cache", "tokenix", "native");

/**
 * Kept out: the copy of a versioned library, the shader compiler of a GPU provider that we never ask for, and DirectML,
 * which the runtime loads late and only when asked for: Windows has its own.
 */
const LEFT_OUT = /^(?:libonnxruntime\.\d+\.\d+\.\d+\.dylib|dxcompiler\.dll|dxil\.dll|DirectML\.dll)$/;

export function plugin(target: string | undefined): Bun.BunPlugin {
  return {
    name: "onnxruntime",
    setup(build) {
      build.onLoad({ filter: /src[\\/]repo[\\/]embed[\\/]native-files\.ts$/ }, () => ({
        contents: nativeModule(target),
        loader: "ts",
      }));
      build.onLoad({ filter: /onnxruntime-node[\\/]dist[\\/]binding\.js$/ }, ({ path }) => ({
        contents: replaceOnce(
          readFileSync(path, "utf8"),
          "require(`../bin/napi-v6/${process.platform}/${process.arch}/onnxruntime_binding.node`)",
          'globalThis[Symbol.for("tokenix.onnxruntime")]',
          path,
        ),
        loader: "js",
      }));
      build.onLoad({ filter: /transformers[\\/]dist[\\/]transformers\.node\.mjs$/ }, ({ path }) => {
        let source = readFileSync(path, "utf8");
        source = replaceOnce(source, 'requireFromHere("onnxruntime-node")', "__onnxruntimeNode", path);
        source = replaceOnce(
          source,
          'import sharp from "sharp";',
          "const sharp = Object.assign(() => { throw new Error('images are not read here'); }, {});",
          path,
        );
        return { contents: `import * as __onnxruntimeNode from "onnxruntime-node";\n${source}`, loader: "js" };
      });
    },
  };
}

/** A package that changed shape must fail the build by name, not the user at run time. */
function replaceOnce(source: string, wanted: string, replacement: string, path: string): string {
  if (source.split(wanted).length !== 2) throw new Error(`${path} no longer holds ${wanted} exactly once`);
  return source.replace(wanted, () => replacement);
}

function nativeModule(target: string | undefined): string {
  const [system, arch] = platformOf(target);
  const folder = join(BINARIES, system, arch);
  if ((target ?? "").includes("musl") || !existsSync(folder)) return "export const nativeFiles = [];\n";
  const imports: string[] = [];
  const entries: string[] = [];
  for (const name of readdirSync(folder)
    .filter((one) => !LEFT_OUT.test(one))
    .sort()) {
    const { path, hash, size } = compressed(join(folder, name));
    imports.push(`import f${imports.length} from ${JSON.stringify(path)} with { type: "file" };`);
    entries.push(`{ name: ${JSON.stringify(name)}, path: f${entries.length}, sha256: "${hash}", size: ${size} }`);
  }
  return `${imports.join("\n")}\nexport const nativeFiles = [${entries.join(", ")}];\n`;
}

/** The file as zstd, made once a content. */
function compressed(path: string): { path: string; hash: string; size: number } {
  const bytes = readFileSync(path);
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const target = join(CACHE, `${basename(path)}-${hash.slice(0, 16)}.zst`);
  if (!existsSync(target)) {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(target, Bun.zstdCompressSync(bytes, { level: 9 }));
  }
  return { path: target, hash, size: bytes.length };
}

function platformOf(target: string | undefined): [string, string] {
  if (!target) return [process.platform, process.arch];
  const [, system = "", arch = ""] = target.split("-");
  return [system === "windows" ? "win32" : system, arch];
}
