/**
 * Puts ONNX Runtime into the executable. Three things in two packages can't be followed by a bundler:
 * - `onnxruntime-node` loads its native binding by a computed `require`; here it takes what
 *   `src/repo/embed/native.ts` has loaded with `process.dlopen`;
 * - `@huggingface/transformers` asks `createRequire` for `onnxruntime-node`; here it imports it;
 * - it imports `sharp`, for images that are never read; here that is a stub.
 * It is bundled by itself and embedded as packed text (`src/repo/embed/library.ts` says why).
 * The binding and its library of the target are embedded as zstd (about a third of their size) through
 * `src/repo/embed/native-files.ts`, whose source form is an empty list. A target that the package has no binding
 * for (darwin-x64, musl) keeps the empty list: the embedded static model serves there, and `doctor` says so.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
const BINARIES = join(ROOT, "node_modules", "onnxruntime-node", "bin", "napi-v6");
const CACHE = join(ROOT, "node_modules", ".cache", "tokenix", "native");

/**
 * Kept out: the copy of a versioned library, the shader compiler of a GPU provider that we never ask for, and DirectML,
 * which the runtime loads late and only when asked for: Windows has its own.
 */
const LEFT_OUT = /^(?:libonnxruntime\.\d+\.\d+\.\d+\.dylib|dxcompiler\.dll|dxil\.dll|DirectML\.dll)$/;

export async function plugin(target: string | undefined): Promise<Bun.BunPlugin> {
  // Beforehand: a bundle within a bundle's own plugin would wait for ever.
  const library = await libraryModule();
  // Beforehand too: the bundler lists a folder once, and would not see files that came to be while it runs.
  const natives = nativeModule(target);
  return {
    name: "onnxruntime",
    setup(build) {
      // The list may also be of an earlier build in this process, of another target.
      build.onResolve({ filter: /[\\/]tokenix[\\/]native[\\/][^\\/]+\.zst$/ }, ({ path }) => ({ path }));
      build.onLoad({ filter: /src[\\/]repo[\\/]embed[\\/]native-files\.ts$/ }, () => ({
        contents: natives,
        loader: "ts",
      }));
      build.onLoad({ filter: /src[\\/]repo[\\/]embed[\\/]library\.ts$/ }, () => ({
        contents: library,
        loader: "ts",
      }));
    },
  };
}

/** transformers.js as packed text, evaluated when the first ONNX model is opened. */
async function libraryModule(): Promise<string> {
  const bundled = await Bun.build({
    entrypoints: [join(ROOT, "node_modules", "@huggingface", "transformers", "dist", "transformers.node.mjs")],
    plugins: [{ name: "library", setup: rewriteLibrary }],
    format: "cjs",
    target: "bun",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    throw: false,
  });
  const [code] = bundled.outputs;
  if (!bundled.success || !code) throw new Error(`transformers.js did not bundle:\n${bundled.logs.join("\n")}`);
  const source = new Uint8Array(await code.arrayBuffer());
  // What is no script (an `import.meta`, an `await`) must fail here, not at a user's first model.
  // biome-ignore lint/security/noGlobalEval: the executable does the same with the same text
  if (typeof globalThis.eval(new TextDecoder().decode(source)) !== "function")
    throw new Error("transformers.js did not become a function");
  const { path } = compressed("transformers.js", source);
  return `import path from ${JSON.stringify(path)} with { type: "file" };
import { readFileSync } from "node:fs";
let loaded: Record<string, unknown> | undefined;
export async function loadLibrary() {
  if (loaded) return loaded;
  const module = { exports: {} };
  // Indirect: in the scope of no module.
  const wrapper = globalThis.eval(new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(path))));
  wrapper(module.exports, (name: string) => process.getBuiltinModule(name), module, path, "/");
  loaded = module.exports;
  return loaded;
}
`;
}

function rewriteLibrary(build: Bun.PluginBuilder): void {
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
    // Evaluated as a script, which has no `import.meta`; the address only names folders that we set ourselves.
    source = source.replaceAll("import.meta", "__meta");
    const head = `import * as __onnxruntimeNode from "onnxruntime-node";
const __meta = { url: Bun.pathToFileURL(process.execPath).href };`;
    return { contents: `${head}\n${source}`, loader: "js" };
  });
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
    const { path, hash, size } = compressed(name, readFileSync(join(folder, name)));
    imports.push(`import f${imports.length} from ${JSON.stringify(path)} with { type: "file" };`);
    entries.push(`{ name: ${JSON.stringify(name)}, path: f${entries.length}, sha256: "${hash}", size: ${size} }`);
  }
  return `${imports.join("\n")}\nexport const nativeFiles = [${entries.join(", ")}];\n`;
}

/** The bytes as zstd, made once a content. */
function compressed(name: string, bytes: Uint8Array): { path: string; hash: string; size: number } {
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const target = join(CACHE, `${name}-${hash.slice(0, 16)}.zst`);
  if (!existsSync(target)) {
    mkdirSync(CACHE, { recursive: true });
    const partial = `${target}.${process.pid}`;
    writeFileSync(partial, Bun.zstdCompressSync(bytes, { level: 9 }));
    renameSync(partial, target);
  }
  return { path: target, hash, size: bytes.length };
}

function platformOf(target: string | undefined): [string, string] {
  if (!target) return [process.platform, process.arch];
  const [, system = "", arch = ""] = target.split("-");
  return [system === "windows" ? "win32" : system, arch];
}
