/**
 * `bun scripts/release.ts plan|bump|build|smoke|dry-run`: the steps of a release, each runnable on any machine.
 * - `plan`     says which version the commits since the last tag ask for (or none); `--github` writes step outputs
 * - `bump`     writes the version into package.json and the notes into CHANGELOG.md and dist/notes.md
 * - `build`    builds the six targets, compressed, with checksums, into dist/
 * - `smoke`    starts each asset in dist/ that this machine can run, from its compressed form, and checks its checksum
 * - `dry-run`  does plan, build and smoke for the next version and changes nothing that git tracks
 * `.github/workflows/release.yml` calls these and adds what only GitHub can do: the attestation and the release.
 */
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { assetName } from "../src/update/asset.ts";
import { checksumFor } from "../src/update/checksums.ts";
import { assetOf, buildRelease, DIST, packageVersion, ROOT, TARGETS } from "./build.ts";
import { generateAll } from "./generate.ts";
import { type Commit, type Plan, planRelease } from "./release/plan.ts";

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

async function bump({ version, notes }: Plan): Promise<void> {
  const path = join(ROOT, "package.json");
  writeFileSync(path, readFileSync(path, "utf8").replace(/^( {2}"version": ")[^"]+(",)$/m, `$1${version}$2`));
  if ((await packageVersion()) !== version) throw new Error("package.json did not take the version");
  const changelog = join(ROOT, "CHANGELOG.md");
  const before = existsSync(changelog) ? readFileSync(changelog, "utf8") : "# Changelog\n";
  const at = before.indexOf("\n## ");
  const entry = `\n## ${version}\n\n${notes.replaceAll(/^## /gm, "### ")}`;
  writeFileSync(changelog, at < 0 ? `${before}${entry}` : `${before.slice(0, at)}${entry}${before.slice(at)}`);
  await Bun.write(join(DIST, "notes.md"), notes);
}

async function build(version: string): Promise<void> {
  await generateAll();
  await buildRelease({ folder: DIST, version, repository: process.env["GITHUB_REPOSITORY"] });
}

/** Checks every asset's hash and starts the one (or, on a machine that runs more, the ones) made for this machine. */
function smoke(version: string): void {
  const sums = readFileSync(join(DIST, "sha256sums.txt"), "utf8");
  let started = 0;
  for (const target of TARGETS) {
    const asset = assetOf(target);
    if (!existsSync(join(DIST, asset))) continue;
    const bytes = readFileSync(join(DIST, asset));
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    if (hash !== checksumFor(sums, asset)) throw new Error(`${asset} has not the hash of its list`);
    if (asset !== assetName()) {
      console.log(`${asset}: hash right; not for this machine`);
      continue;
    }
    const folder = mkdtempSync(join(tmpdir(), "tokenix-smoke-"));
    try {
      const program = join(folder, process.platform === "win32" ? "tokenix.exe" : "tokenix");
      writeFileSync(program, gunzipSync(bytes));
      chmodSync(program, 0o755);
      for (const args of [["--version"], ["licenses"], ["doctor"]]) {
        const result = Bun.spawnSync([program, ...args], {
          cwd: folder,
          env: { ...process.env, TOKENIX_HOME: join(folder, "home"), TOKENIX_AIRGAP: "1" },
        });
        if (result.exitCode > 1)
          throw new Error(`${asset} ${args.join(" ")} ended with ${result.exitCode}: ${result.stderr.toString()}`);
        if (args[0] === "--version" && result.stdout.toString().trim() !== `tokenix ${version}`)
          throw new Error(`${asset} answers as '${result.stdout.toString().trim()}'`);
      }
      started++;
      console.log(`${asset}: hash right, starts, answers as ${version}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  if (started === 0) console.log("none of the assets is for this machine");
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
      return smoke(await packageVersion());
    case "dry-run":
      console.log(
        next
          ? `would release ${next.previous} → ${next.version}\n\n${next.notes}`
          : `no release is due; building ${version} all the same`,
      );
      await build(version);
      return smoke(version);
    default:
      throw new Error("usage: bun scripts/release.ts plan|bump|build|smoke|dry-run");
  }
}

if (import.meta.main) await main(process.argv.slice(2));
