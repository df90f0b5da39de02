/**
 * Facts about a checkout. Read-only by construction: optional locks are off, so that no call of ours
 * refreshes or locks the user's index, and no hook, pager, credential helper or prompt can start.
 */
import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readTextIfPresent } from "./files.ts";
import { capture, type Finished } from "./process.ts";

const MAX_POINTER_BYTES = 64 * 1024;
const MAX_PACKED_REFS_BYTES = 64 * 1024 * 1024;

const QUIET_ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  LC_ALL: "C",
  // A caller inside a hook has these set to its own repository; ours is named by cwd.
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
} as const;

export interface GitOptions {
  readonly cwd: string;
  readonly timeoutMs?: number;
  readonly stdin?: string;
  readonly maxBytes?: number;
}

/** Runs git. `fsmonitor` and hooks of the repository are switched off: a clone must not start a program through us. */
export function git(args: readonly string[], options: GitOptions): Promise<Finished> {
  return capture(["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", ...args], {
    cwd: options.cwd,
    env: QUIET_ENVIRONMENT,
    timeoutMs: options.timeoutMs ?? 30_000,
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
  });
}

/** The nearest ancestor that holds `.git` (a folder, or the file of a worktree or submodule). */
export function findGitRoot(from: string): string | undefined {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    if (existsSync(join(dir, ".git"))) return dir;
    if (dirname(dir) === dir) return undefined;
  }
}

export interface GitFingerprint {
  readonly worktree: string;
  /** Branch name, or "" when HEAD is detached. */
  readonly branch: string;
  /** Commit id, or "" before the first commit. */
  readonly head: string;
}

/**
 * Worktree, branch and commit, read from the files themselves: no process is started, since a hook asks
 * this on every call. Reftable repositories, which have no such files, answer with `head: "?"`.
 */
export function gitFingerprint(root: string): GitFingerprint | undefined {
  const worktree = findGitRoot(root);
  if (!worktree) return undefined;
  const gitDir = gitDirOf(worktree);
  if (!gitDir) return undefined;
  const head = readSmall(join(gitDir, "HEAD"));
  if (head === undefined) return undefined;
  const reference = /^ref: (.+)$/.exec(head)?.[1];
  if (!reference) return { worktree, branch: "", head };
  const branch = reference.replace(/^refs\/heads\//, "");
  const commonDir = commonDirOf(gitDir);
  if (existsSync(join(commonDir, "reftable"))) return { worktree, branch, head: "?" };
  const loose = readSmall(join(gitDir, reference)) ?? readSmall(join(commonDir, reference));
  return { worktree, branch, head: loose ?? packedReference(commonDir, reference) ?? "" };
}

/** One line that names the checkout's state; equal lines mean the same worktree, branch and commit. */
export function fingerprintLine(root: string): string {
  const print = gitFingerprint(root);
  return print ? `${print.worktree}\t${print.branch}\t${print.head}` : "";
}

/** The folder with HEAD in it; a worktree's `.git` is a file that names it. */
export function gitDirOf(worktree: string): string | undefined {
  const dotGit = join(worktree, ".git");
  try {
    if (statSync(dotGit).isDirectory()) return dotGit;
  } catch {
    return undefined;
  }
  const target = /^gitdir: (.+)$/m.exec(readSmall(dotGit) ?? "")?.[1];
  if (!target) return undefined;
  return isAbsolute(target) ? target : resolve(worktree, target);
}

function commonDirOf(gitDir: string): string {
  const common = readSmall(join(gitDir, "commondir"));
  if (!common) return gitDir;
  return isAbsolute(common) ? common : resolve(gitDir, common);
}

function packedReference(commonDir: string, reference: string): string | undefined {
  const packed = readTextIfPresent(join(commonDir, "packed-refs"), MAX_PACKED_REFS_BYTES) ?? "";
  for (const line of packed.split("\n")) if (line.slice(41) === reference) return line.slice(0, 40);
  return undefined;
}

function readSmall(path: string): string | undefined {
  return readTextIfPresent(path, MAX_POINTER_BYTES)?.trim();
}
