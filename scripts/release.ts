/**
 * `bun scripts/release.ts plan|bump|build|smoke|dry-run`: the steps of a release, each runnable on any machine.
 * - `plan`     says which version the commits since the last tag ask for (or none); `--github` writes step outputs
 * - `bump`     writes the version into package.json and the notes into CHANGELOG.md and dist/notes.md
 * - `build`    builds the six targets, compressed, with checksums, into dist/
 * - `smoke`    starts each asset in dist/ that this machine can run, from each compressed form, checks every checksum
 *              and what a download may weigh; `--version X` where package.json has not got the release's yet
 * - `dry-run`  does all of it for the next version and changes nothing that git tracks: the version is bumped,
 *              committed, tagged and pushed in a clone with a stand-in remote, and the assets are installed and updated
 *              from a loopback server; `--skip-build` takes the assets that are in dist/
 * `.github/workflows/release.yml` calls these and adds what only GitHub can do: the attestation and the release.
 */
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assetName, FORMS, type Form } from "../src/update/asset.ts";
import { checksumFor } from "../src/update/checksums.ts";
import {
  assetOf,
  buildRelease,
  countsForBudget,
  DIST,
  DOWNLOAD_BUDGET,
  packageVersion,
  ROOT,
  TARGETS,
  type Target,
} from "./build.ts";
import { generateAll } from "./generate.ts";
import { type Commit, type Plan, planRelease } from "./release/plan.ts";
import { mustHaveEveryFile, rehearseInstall, rehearseTag } from "./release/rehearse.ts";

function git(...args: string[]): string {
  const result = Bun.spawnSync(["git", ...args], { cwd: ROOT });
  if (!result.success) throw new Error(`git ${args.join(" ")}: ${result.stderr.toString()}`);
  return result.stdout.toString();
}

function lastTag(): string | undefined {
  const result = Bun.spawnSync(["git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"], { cwd: ROOT });
  return result.success ? result.stdout.toString().trim() : undefined;
}

async function plan(): Promise<Plan | undefined> {
  const tag = lastTag();
  const log = git("log", "--format=%H%x1f%s%x1f%b%x1e", ...(tag ? [`${tag}..HEAD`] : []));
  const commits: Commit[] = log
    .split("\x1e")
    .map((record) => record.trim().split("\x1f"))
    .filter((fields) => fields.length >= 2)
    .map(([id = "", subject = "", body = ""]) => ({ id, subject, body }));
  return planRelease(tag ?? "v0.0.0", commits);
}

async function bump({ version, notes }: Plan, root = ROOT): Promise<void> {
  const path = join(root, "package.json");
  writeFileSync(path, readFileSync(path, "utf8").replace(/^( {2}"version": ")[^"]+(",)$/m, `$1${version}$2`));
  if ((JSON.parse(readFileSync(path, "utf8")) as { version?: string }).version !== version)
    throw new Error("package.json did not take the version");
  const changelog = join(root, "CHANGELOG.md");
  const before = existsSync(changelog) ? readFileSync(changelog, "utf8") : "# Changelog\n";
  const at = before.indexOf("\n## ");
  const entry = `\n## ${version}\n\n${notes.replaceAll(/^## /gm, "### ")}`;
  writeFileSync(changelog, at < 0 ? `${before}${entry}` : `${before.slice(0, at)}${entry}${before.slice(at)}`);
  await Bun.write(join(root, "dist", "notes.md"), notes);
}

async function build(version: string): Promise<void> {
  await generateAll();
  await buildRelease({ folder: DIST, version, repository: process.env["GITHUB_REPOSITORY"] });
}

/** Checks every asset's hash and weight, and starts the one (in both forms) that is made for this machine. */
function smoke(version: string): void {
  const sums = readFileSync(join(DIST, "sha256sums.txt"), "utf8");
  let started = 0;
  for (const target of TARGETS)
    for (const form of FORMS) {
      const asset = assetOf(target, form);
      if (!existsSync(join(DIST, asset))) continue;
      const bytes = new Uint8Array(readFileSync(join(DIST, asset)));
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      if (hash !== checksumFor(sums, asset)) throw new Error(`${asset} has not the hash of its list`);
      mustBeLight(target, form, bytes.length);
      if (asset !== assetName(form)) {
        console.log(`${asset}: hash right; not for this machine`);
        continue;
      }
      start(asset, form === "gz" ? Bun.gunzipSync(bytes) : Bun.zstdDecompressSync(bytes), version);
      started++;
    }
  if (started === 0) console.log("none of the assets is for this machine");
}

function mustBeLight(target: Target, form: Form, bytes: number): void {
  if (countsForBudget(target, form) && bytes > DOWNLOAD_BUDGET)
    throw new Error(`${assetOf(target, form)} weighs ${bytes} bytes, more than ${DOWNLOAD_BUDGET}`);
}

function start(asset: string, program: Uint8Array, version: string): void {
  const folder = mkdtempSync(join(tmpdir(), "tokenix-smoke-"));
  try {
    const path = join(folder, process.platform === "win32" ? "tokenix.exe" : "tokenix");
    writeFileSync(path, program);
    chmodSync(path, 0o755);
    writeFileSync(join(folder, "a.py"), "def retry_upload():\n    return 1\n");
    for (const args of [["--version"], ["licenses"], ["doctor"], ["index", "."], ["symbols", "retry_upload"]]) {
      const result = Bun.spawnSync([path, ...args], {
        cwd: folder,
        env: { ...process.env, TOKENIX_HOME: join(folder, "home"), TOKENIX_AIRGAP: "1" },
      });
      const stdout = result.stdout.toString().trim();
      if (result.exitCode > (args[0] === "doctor" ? 1 : 0))
        throw new Error(`${asset} ${args.join(" ")} ended with ${result.exitCode}: ${result.stderr.toString()}`);
      if (args[0] === "--version" && stdout !== `tokenix ${version}`)
        throw new Error(`${asset} answers as '${stdout}'`);
      if (args[0] === "symbols" && !stdout.includes("a.py:1")) throw new Error(`${asset} found '${stdout}'`);
    }
    console.log(`${asset}: hash right, starts, answers as ${version}, indexes and finds`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function dryRun(next: Plan | undefined, version: string, skipBuild: boolean): Promise<void> {
  const plan = next ?? { version, previous: "none", notes: "no release is due" };
  console.log(
    next
      ? `would release ${plan.previous} → ${version}\n\n${plan.notes}`
      : `no release is due; rehearsing with ${version} all the same`,
  );
  await rehearseTag(version, (root) => bump(plan, root));
  if (!skipBuild) await build(version);
  smoke(version);
  const assets = TARGETS.flatMap((target) => FORMS.map((form) => assetOf(target, form)));
  mustHaveEveryFile(assets, plan.notes);
  await rehearseInstall(version);
  console.log("left to GitHub: the gate on its runners, the attestation, the upload, the other systems' own starts");
}

async function main(argv: readonly string[]): Promise<void> {
  const [step] = argv;
  const next = await plan();
  const version = next?.version ?? (await packageVersion());
  switch (step) {
    case "plan":
      console.log(
        next ? `${next.previous} → ${next.version}\n\n${next.notes}` : "nothing since the last tag asks for a release",
      );
      if (argv.includes("--github") && process.env["GITHUB_OUTPUT"])
        appendFileSync(process.env["GITHUB_OUTPUT"], `version=${next?.version ?? ""}\n`);
      return;
    case "bump":
      if (!next) throw new Error("nothing to release");
      return bump(next);
    case "build":
      return build(await packageVersion());
    case "smoke":
      return smoke(argv[argv.indexOf("--version") + 1 || argv.length] ?? (await packageVersion()));
    case "dry-run":
      return dryRun(next, version, argv.includes("--skip-build"));
    default:
      throw new Error("usage: bun scripts/release.ts plan|bump|build|smoke|dry-run");
  }
}

if (import.meta.main) await main(process.argv.slice(2));
