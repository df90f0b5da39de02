/** Checks a repository out at its revision in a scratch place and indexes it with the product's own pipeline. */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runIndex } from "../../src/repo/index/run.ts";
import { withWriter } from "../../src/repo/index/writer.ts";
import { openStore } from "../../src/repo/store/open.ts";
import type { Store } from "../../src/repo/store/store.ts";
import type { Repository } from "./labels.ts";

export interface Indexed {
  readonly repository: Repository;
  readonly store: Store;
  readonly indexMs: number;
  readonly chunks: number;
  /** False when the clone lacks the revision and its newest commit stands in. */
  readonly exactRevision: boolean;
}

/**
 * The clone of a repository in `folder`, under any of the usual layouts. Repositories move between owners: a clone
 * under another owner counts when it has the very commit, and goes before one that lacks it.
 */
export function cloneOf(folder: string, repository: Repository): string | undefined {
  const path = repository.url.replace(/^.*?:\/\/[^/]+\//, "").replace(/\.git$/, "");
  const [owner = "", name = ""] = path.toLowerCase().split("/");
  const own = [repository.name.toLowerCase(), name, `${name}.git`, `${owner}+${name}`, `${owner}__${name}`];
  const entries = existsSync(folder) ? readdirSync(folder) : [];
  const named = own.flatMap((wanted) => entries.filter((entry) => entry.toLowerCase() === wanted));
  const moved = entries.filter(
    (entry) => !named.includes(entry) && /^.+(?:\+|__)(.+)$/.exec(entry)?.[1]?.toLowerCase() === name,
  );
  const dirOf = (entry: string): string | undefined =>
    [join(folder, entry), join(folder, entry, "repo"), join(folder, entry, ".git")].find(
      (dir) => existsSync(join(dir, "HEAD")) || existsSync(join(dir, ".git")),
    );
  const dirs = named.flatMap((entry) => dirOf(entry) ?? []);
  return (
    [...dirs, ...moved.flatMap((entry) => dirOf(entry) ?? [])].find((dir) => hasRevision(dir, repository)) ?? dirs[0]
  );
}

function hasRevision(dir: string, repository: Repository): boolean {
  return git(dir, ["cat-file", "-e", `${repository.revision}^{tree}`]).ok;
}

export function git(dir: string, args: readonly string[]): { ok: boolean; out: string } {
  const child = Bun.spawnSync(["git", "-C", dir, ...args], { stdout: "pipe", stderr: "ignore" });
  return { ok: child.exitCode === 0, out: child.stdout.toString().trim() };
}

/** Clones what is missing; false when the network says no. */
export function clone(folder: string, repository: Repository): boolean {
  mkdirSync(folder, { recursive: true });
  const child = Bun.spawnSync(
    ["git", "clone", "--quiet", "--bare", "--filter=blob:none", repository.url, join(folder, repository.name)],
    { stdout: "ignore", stderr: "ignore", timeout: 120_000, env: { ...process.env, GIT_TERMINAL_PROMPT: "0" } },
  );
  return child.exitCode === 0;
}

export async function indexRepository(
  folder: string,
  scratch: string,
  repository: Repository,
  options: { readonly reuse: boolean; readonly embed: boolean; readonly targets: readonly string[] },
): Promise<Indexed | undefined> {
  const source = cloneOf(folder, repository);
  if (!source) return undefined;
  const exactRevision = hasRevision(source, repository);
  const revision = exactRevision ? repository.revision : "HEAD";
  const tree = join(scratch, "trees", repository.name);
  const env = { ...process.env, TOKENIX_HOME: join(scratch, "home") };
  if (!options.reuse || !existsSync(tree)) {
    rmSync(tree, { recursive: true, force: true });
    mkdirSync(tree, { recursive: true });
    const wanted = repository.benchmark_root ? [repository.benchmark_root] : [];
    const archive = Bun.spawnSync(["git", "-C", source, "archive", revision, ...wanted], {
      stdout: "pipe",
      maxBuffer: 2 ** 30,
    });
    const unpacked = Bun.spawnSync(["tar", "-x", "-C", tree], { stdin: archive.stdout });
    if (archive.exitCode !== 0 || unpacked.exitCode !== 0) return undefined;
  }
  // Another commit may have moved what the labels name: then it is no stand-in.
  const named = options.targets.length;
  const present = options.targets.filter((path) => existsSync(join(tree, path))).length;
  if (!exactRevision && present < named * 0.8) return undefined;
  const started = performance.now();
  await withWriter(tree, { purpose: "eval", env, waitMs: 1000 }, (store) =>
    runIndex(store, { env, jobs: 1, force: !options.reuse, ...(options.embed ? { embedding: { env } } : {}) }),
  );
  const indexMs = performance.now() - started;
  const store = openStore(tree, { mode: "read", env });
  return { repository, store, indexMs, chunks: store.chunks.count(), exactRevision };
}
