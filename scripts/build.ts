/**
 * Builds the executable: for this machine into `dist/tokenix` (or `--outfile`), or with `--all` for the six targets as
 * a release has them: compressed, with `dist/sha256sums.txt`. `--version X` stamps a release; otherwise it is a
 * development build.
 *
 * Splitting and bytecode together are what keep the doors fast (measured: 23 ms plain, 8 ms with bytecode,
 * 4 ms with both, 4 ms for an empty program). Worker files (`*.worker.ts`) are entry points of their own.
 */
import { mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { FORMS, type Form } from "../src/update/asset.ts";
import { generateAll } from "./generate.ts";

export const ROOT = join(import.meta.dir, "..");
export const DIST = join(ROOT, "dist");

export interface Target {
  /** Bun's name for it. */
  readonly bun: Bun.Build.CompileTarget;
  /** The asset's name in a release. */
  readonly asset: string;
}

export const TARGETS: readonly Target[] = [
  { bun: "bun-linux-x64", asset: "tokenix-linux-x64" },
  { bun: "bun-linux-arm64", asset: "tokenix-linux-arm64" },
  { bun: "bun-linux-x64-musl", asset: "tokenix-linux-x64-musl" },
  { bun: "bun-darwin-x64", asset: "tokenix-darwin-x64" },
  { bun: "bun-darwin-arm64", asset: "tokenix-darwin-arm64" },
  { bun: "bun-windows-x64", asset: "tokenix-windows-x64.exe" },
];

export interface BuildOptions {
  readonly target?: Bun.Build.CompileTarget;
  readonly outfile: string;
  readonly version: string;
  /** `owner/name` that releases come from; the default stands in `src/update/source.ts`. */
  readonly repository?: string;
  /** Packs what is embedded as small as it gets, which takes a minute once. */
  readonly release?: boolean;
}

/** Compiles one executable. @throws with every message of the bundler when it fails. */
export async function buildExecutable(options: BuildOptions): Promise<void> {
  const workers = [...new Bun.Glob("src/**/*.worker.ts").scanSync(ROOT)].sort().map((path) => join(ROOT, path));
  const entrypoints = [join(ROOT, "src", "main.ts"), ...workers];
  const plugins = await buildPlugins(options.target, options.release === true);
  const temporary = join(dirname(options.outfile), `.${basename(options.outfile)}.building`);
  mkdirSync(dirname(options.outfile), { recursive: true });
  const result = await Bun.build({
    entrypoints,
    plugins,
    format: "esm",
    target: "bun",
    splitting: true,
    bytecode: true,
    minify: true,
    sourcemap: "none",
    root: ROOT,
    define: {
      TOKENIX_VERSION: JSON.stringify(options.version),
      TOKENIX_COMMIT: JSON.stringify(currentCommit()),
      ...(options.repository ? { TOKENIX_REPOSITORY: JSON.stringify(options.repository) } : {}),
      "process.env.NODE_ENV": '"production"',
    },
    compile: {
      outfile: temporary,
      ...(options.target ? { target: options.target } : {}),
      // A user's own .env, bunfig.toml or package.json must not change what the binary does.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
    throw: false,
  });
  if (!result.success) throw new Error(`build failed:\n${result.logs.map((log) => String(log)).join("\n")}`);
  const written = Bun.file(temporary).size > 0 ? temporary : `${temporary}.exe`;
  rmSync(options.outfile, { force: true });
  renameSync(written, options.outfile);
}

/** Plugins live one a file in `scripts/build-plugins/`, each exporting `plugin(target, release)`. */
async function buildPlugins(target: Bun.Build.CompileTarget | undefined, release: boolean): Promise<Bun.BunPlugin[]> {
  const folder = join(ROOT, "scripts", "build-plugins");
  const plugins: Bun.BunPlugin[] = [];
  for (const name of [...new Bun.Glob("*.ts").scanSync({ cwd: folder, onlyFiles: true })].sort()) {
    const module = (await import(join(folder, name))) as {
      plugin(target: string | undefined, release: boolean): Bun.BunPlugin | Promise<Bun.BunPlugin>;
    };
    plugins.push(await module.plugin(target, release));
  }
  return plugins;
}

export function currentCommit(): string {
  const found = Bun.spawnSync(["git", "rev-parse", "HEAD"], { cwd: ROOT, stderr: "ignore" });
  return found.success ? found.stdout.toString().trim() : "";
}

export async function packageVersion(): Promise<string> {
  return ((await Bun.file(join(ROOT, "package.json")).json()) as { version: string }).version;
}

/**
 * An asset's name in a release: the program, compressed; its hash is the one that is told. Every program is released in
 * two forms. gzip is what any machine can unpack; zstd is an eighth smaller, and taken by whoever has it: the program
 * itself when it updates, the installer where the `zstd` command is there.
 */
export function assetOf(target: Target, form: Form): string {
  return `${target.asset}.${form}`;
}

/** What a download may weigh, in bytes. */
export const DOWNLOAD_BUDGET = 75_000_000;

/** Windows' installer can only unpack gzip, so that form counts there; elsewhere gzip is for machines without zstd. */
export function countsForBudget(target: Target, form: Form): boolean {
  return form === "zst" || target.bun.startsWith("bun-windows");
}

async function packed(program: Uint8Array<ArrayBuffer>, form: Form): Promise<Uint8Array> {
  // libdeflate's last level gains 2 % over zlib's. zstd's 19 would gain 2 % over 16, for two and a half times the time.
  return form === "gz"
    ? Bun.gzipSync(program, { library: "libdeflate", level: 12 })
    : Bun.zstdCompress(program, { level: 16 });
}

/** Builds all targets into `folder` as a release has them: compressed assets and `sha256sums.txt`. */
export async function buildRelease(options: {
  folder: string;
  version: string;
  repository?: string;
  targets?: readonly Target[];
}): Promise<void> {
  const sums: string[] = [];
  for (const target of options.targets ?? TARGETS) {
    const outfile = join(options.folder, target.asset);
    const { version, repository } = options;
    await buildExecutable({ target: target.bun, outfile, version, repository, release: true });
    const program = await Bun.file(outfile).bytes();
    const sizes: string[] = [];
    // Both at once: zstd works on a thread of its own.
    const forms = await Promise.all(FORMS.map(async (form) => ({ form, bytes: await packed(program, form) })));
    for (const { form, bytes } of forms) {
      const asset = assetOf(target, form);
      await Bun.write(join(options.folder, asset), bytes);
      sums.push(`${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}  ${asset}`);
      sizes.push(`${(bytes.length / 1e6).toFixed(1)} as ${form}`);
    }
    console.error(`built ${target.asset} (${(program.length / 1e6).toFixed(1)} MB, ${sizes.join(", ")})`);
  }
  await Bun.write(join(options.folder, "sha256sums.txt"), `${sums.join("\n")}\n`);
}

async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined => {
    const at = argv.indexOf(name);
    return at >= 0 ? argv[at + 1] : undefined;
  };
  const version = option("--version") ?? `${await packageVersion()}-dev`;
  const repository = option("--repository") ?? process.env["GITHUB_REPOSITORY"];
  await generateAll();
  if (argv.includes("--all")) {
    await buildRelease({ folder: DIST, version, repository });
    return;
  }
  const outfile = option("--outfile") ?? join(DIST, process.platform === "win32" ? "tokenix.exe" : "tokenix");
  await buildExecutable({ outfile, version, repository });
  console.error(`built ${outfile} (${(statSync(outfile).size / 1e6).toFixed(1)} MB)`);
}

if (import.meta.main) await main(process.argv.slice(2));
