/** An update from a release or from local files: find, verify, replace. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { EXIT, UserError } from "../platform/errors.ts";
import { acquireWriter } from "../platform/lock.ts";
import { type Environment, homePath } from "../platform/paths.ts";
import { capture } from "../platform/process.ts";
import { IS_COMPILED, IS_DEVELOPMENT, VERSION } from "../platform/version.ts";
import { assetName } from "./asset.ts";
import { checksumFor, listed, sha256Of } from "./checksums.ts";
import { fetchRelease, fetchText, fetchToFile, type Release } from "./fetch.ts";
import { replaceExecutable } from "./replace.ts";
import { CHECKSUMS, REPOSITORY, releaseSource } from "./source.ts";
import { isNewer } from "./version.ts";

export interface UpdateOptions {
  readonly env?: Environment;
  readonly executable?: string;
  readonly onProgress?: (text: string) => void;
}

export interface CheckResult {
  readonly current: string;
  readonly latest: string;
  readonly isNewer: boolean;
}

/** Asks which release is the newest; changes nothing. */
export async function checkForUpdate(options: UpdateOptions = {}): Promise<CheckResult> {
  const env = options.env ?? process.env;
  refuseAirgap(env);
  const { tag } = await fetchRelease(releaseSource(env), undefined, env);
  const latest = tag.replace(/^v/, "");
  return { current: VERSION, latest, isNewer: isNewer(latest, VERSION) };
}

/** Installs the newest release, or the one named. @returns the version that is installed now. */
export async function updateFromRelease(
  tag: string | undefined,
  options: UpdateOptions = {},
): Promise<{ version: string; changed: boolean }> {
  const env = options.env ?? process.env;
  refuseAirgap(env);
  const executable = target(options);
  const source = releaseSource(env);
  const release = await fetchRelease(source, tag?.replace(/^(?=\d)/, "v"), env);
  const version = release.tag.replace(/^v/, "");
  if (tag === undefined && !isNewer(version, VERSION)) return { version: VERSION, changed: false };
  return alone(env, async (folder) => {
    const sums = await fetchText(source.assetUrl(release.tag, CHECKSUMS));
    mustMatchApi(release, CHECKSUMS, sha256Of(sums));
    const asset = listed(sums, ourAssets());
    const archive = join(folder, asset);
    const wanted = checksumFor(sums, asset);
    options.onProgress?.(`downloading ${asset} of ${release.tag}`);
    const found = await fetchToFile(source.assetUrl(release.tag, asset), archive);
    mustMatchApi(release, asset, found);
    mustMatch(asset, found, wanted);
    if (!source.isMirror) await verifyProvenance(archive, options);
    await replaceExecutable({ archive, executable, version });
    return { version, changed: true };
  });
}

/** The same checks on local files: the asset, and `sha256sums.txt` beside it or named. For an air gap. */
export async function updateFromFile(
  file: string,
  sumsFile: string | undefined,
  options: UpdateOptions = {},
): Promise<{ version: string }> {
  const env = options.env ?? process.env;
  const executable = target(options);
  if (!existsSync(file))
    throw new UserError(`there is no file ${file}`, `name the asset of a release: ${ourAssets().join(" or ")}`);
  const list = sumsFile ?? join(dirname(file), CHECKSUMS);
  if (!existsSync(list))
    throw new UserError(`there is no ${list}`, `carry ${CHECKSUMS} of the same release along with the asset`);
  const expected = ourAssets();
  if (!expected.includes(basename(file)))
    throw new UserError(
      `${basename(file)} is not for this machine`,
      `this machine needs ${expected.join(" or ")}`,
      EXIT.usage,
    );
  return alone(env, async () => {
    mustMatch(basename(file), await hashFile(file), checksumFor(readFileSync(list, "utf8"), basename(file)));
    // A local file carries no tag that says what it is: whatever it answers as, it must answer.
    return { version: await replaceExecutable({ archive: file, executable }) };
  });
}

/** What a release has for this machine, the smaller form first. */
function ourAssets(): readonly [string, ...string[]] {
  return [assetName("zst"), assetName("gz")];
}

function refuseAirgap(env: Environment): void {
  if (/^(?:1|true|yes)$/i.test(env["TOKENIX_AIRGAP"] ?? ""))
    throw new UserError(
      "air-gap mode forbids asking for updates",
      "carry the files over and run: tokenix update --from FILE",
    );
}

/** What would be replaced: the running executable, and never a development build. */
function target(options: UpdateOptions): string {
  if (options.executable) return options.executable;
  if (!IS_COMPILED || IS_DEVELOPMENT)
    throw new UserError(
      `this is a development build (${VERSION}), which never replaces itself`,
      "install a release, or build one that may, in a clone: bun run build --version X.Y.Z (docs/shipping.md)",
    );
  return process.execPath;
}

/** Runs with the update lock held and a scratch folder that is gone afterwards. */
async function alone<T>(env: Environment, work: (folder: string) => Promise<T>): Promise<T> {
  const lock = acquireWriter(join(homePath("cache", env), "update.lock"), "update");
  if ("heldBy" in lock)
    throw new UserError(
      `another update is running${lock.heldBy ? ` (pid ${lock.heldBy.pid}, since ${lock.heldBy.startedAt})` : ""}`,
      "wait for it to end",
    );
  const folder = mkdtempSync(join(tmpdir(), "tokenix-update-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    lock.release();
  }
}

function mustMatch(asset: string, found: string, wanted: string, source: string = CHECKSUMS): void {
  if (found !== wanted)
    throw new UserError(
      `${asset} has the SHA-256 ${found.slice(0, 16)}…, but ${source} says ${wanted.slice(0, 16)}…`,
      "it was thrown away and the old program kept; do not use that source",
    );
}

/** The release API tells each asset's hash too: a swapped pair of asset and list does not pass. */
function mustMatchApi(release: Release, asset: string, found: string): void {
  const told = release.assets.find((one) => one.name === asset)?.sha256;
  if (told !== undefined) mustMatch(asset, found, told, "the release");
}

async function hashFile(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const part of Bun.file(path).stream()) hash.update(part);
  return hash.digest("hex");
}

/** With GitHub's own client at hand, the build's attestation is verified too; a failed verification refuses. */
export async function verifyProvenance(archive: string, options: UpdateOptions): Promise<void> {
  const present = await capture(["gh", "--version"], { timeoutMs: 5000 });
  if (present.code !== 0) {
    options.onProgress?.("provenance not verified: GitHub's client (gh) is not installed; the checksums are");
    return;
  }
  const result = await capture(["gh", "attestation", "verify", archive, "-R", REPOSITORY], { timeoutMs: 60_000 });
  if (result.code === 0) {
    options.onProgress?.("provenance verified");
    return;
  }
  // Not signed in, or no way to the attestation store: it could not be asked, which is not a "no". A release
  // without an attestation is one.
  if (
    /auth login|GH_TOKEN|dial tcp|no such host|connection refused|network is unreachable|timed? ?out/i.test(
      result.stderr,
    )
  ) {
    options.onProgress?.("provenance could not be asked for; the checksums were verified");
    return;
  }
  throw new UserError("the build's provenance does not verify", "the old program was kept; do not use that source");
}
