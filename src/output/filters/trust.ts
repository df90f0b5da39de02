/**
 * The trust gate: what a clone can put into the tree that tokenix would act on, and whether its owner has approved exactly
 * these bytes. One list (`REPOSITORY_INPUTS`) defines the gate; hashes live in `trusted_filters.json` in the home, so
 * an edit, a branch switch or a pull that changes a file takes its trust away.
 */
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { readBounded, readTextIfPresent, writeFileAtomic } from "../../platform/files.ts";
import { type Environment, homePath } from "../../platform/paths.ts";

/** Folders of TOML files, and single files; nothing else of a repository is acted on. */
const REPOSITORY_INPUTS = {
  folders: [".tokenix/filters", ".tokenix/secret-rules", ".tokenix/egress-rules"],
  files: [".mcp.json", "opencode.json", ".vscode/mcp.json"],
} as const;

const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 500;

export interface RepositoryInput {
  /** With forward slashes, from the root. */
  readonly path: string;
  readonly sha256: string;
}

/** Every gated file of the tree with its hash. A link that leads out of the tree, and a file of more than 1 MB, is left out: it never gains trust. */
export function repositoryInputs(root: string): RepositoryInput[] {
  const inputs: RepositoryInput[] = [];
  const add = (path: string) => {
    if (inputs.length >= MOST_FILES) return;
    const full = join(root, path);
    try {
      if (lstatSync(full).isSymbolicLink() && !realpathSync(full).startsWith(realpathSync(root))) return;
      inputs.push({ path, sha256: hashOf(readBounded(full, MOST_BYTES)) });
    } catch {
      // Not there, not a file, or not readable.
    }
  };
  for (const folder of REPOSITORY_INPUTS.folders) {
    let names: string[] = [];
    try {
      names = readdirSync(join(root, folder));
    } catch {
      continue;
    }
    for (const name of names.sort()) if (name.endsWith(".toml")) add(`${folder}/${name}`);
  }
  for (const path of REPOSITORY_INPUTS.files) add(path);
  return inputs;
}

/** Root → path → hash, as approved. */
type TrustFile = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface TrustState {
  readonly trusted: readonly RepositoryInput[];
  /** Never approved. */
  readonly fresh: readonly RepositoryInput[];
  /** Approved once with other bytes. */
  readonly changed: readonly RepositoryInput[];
}

export function trustState(root: string, env: Environment = process.env): TrustState {
  const inputs = repositoryInputs(root);
  const approved = inputs.length === 0 ? {} : (readTrust(env)[rootKey(root)] ?? {});
  const hashFor = (path: string) => (Object.hasOwn(approved, path) ? approved[path] : undefined);
  return {
    trusted: inputs.filter(({ path, sha256 }) => hashFor(path) === sha256),
    fresh: inputs.filter(({ path }) => hashFor(path) === undefined),
    changed: inputs.filter(({ path, sha256 }) => hashFor(path) !== undefined && hashFor(path) !== sha256),
  };
}

/** Whether exactly these bytes of the file are approved; `bytes` are what the caller is about to use. */
export function isTrusted(root: string, path: string, bytes: Uint8Array, env: Environment = process.env): boolean {
  const approved = readTrust(env)[rootKey(root)];
  return approved !== undefined && Object.hasOwn(approved, path) && approved[path] === hashOf(bytes);
}

/** Approves what was shown: the inputs are the caller's, so that nothing that changed meanwhile slips in. */
export function trust(root: string, inputs: readonly RepositoryInput[], env: Environment = process.env): void {
  const approved = Object.fromEntries(inputs.map(({ path, sha256 }) => [path, sha256]));
  writeTrust({ ...readTrust(env), [rootKey(root)]: approved }, env);
}

/** Gives how many files lost their trust. */
export function revoke(root: string, env: Environment = process.env): number {
  const { [rootKey(root)]: approved, ...others } = readTrust(env);
  if (approved === undefined) return 0;
  writeTrust(others, env);
  return Object.keys(approved).length;
}

export function trustedRoots(env: Environment = process.env): { root: string; files: Record<string, string> }[] {
  return Object.entries(readTrust(env)).map(([root, files]) => ({ root, files: { ...files } }));
}

export function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

function rootKey(root: string): string {
  const full = resolve(root).replaceAll("\\", "/");
  return process.platform === "win32" ? full.toLowerCase() : full;
}

/** A file that can't be read or is no such table trusts nothing. */
function readTrust(env: Environment): TrustFile {
  const text = readTextIfPresent(homePath("trusted_filters.json", env), 8 * MOST_BYTES);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(
      Object.entries(value).filter(([, files]) => typeof files === "object" && files !== null && !Array.isArray(files)),
    );
  } catch {
    return {};
  }
}

function writeTrust(value: TrustFile, env: Environment): void {
  writeFileAtomic(homePath("trusted_filters.json", env), `${JSON.stringify(value, null, 2)}\n`, { durable: true });
}
