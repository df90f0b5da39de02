/**
 * Which project a folder belongs to: the nearest ancestor that was indexed, else the nearest that carries a marker.
 * The walk up ends at a checkout of its own (a repository or a linked worktree): an outer index holds another branch,
 * and answering from it would be answering for other code. A submodule belongs to its outer repository.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../platform/paths.ts";
import { storePaths } from "./paths.ts";

const MARKERS = [
  ".git",
  ".tokenix.toml",
  "tokenix.toml",
  "Cargo.toml",
  "package.json",
  "go.mod",
  "pyproject.toml",
  "setup.py",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "composer.json",
  "Gemfile",
  "mix.exs",
  "pubspec.yaml",
  "CMakeLists.txt",
  "Makefile",
  "deno.json",
];

export interface ProjectRoot {
  readonly root: string;
  /** True when an index of it exists. */
  readonly indexed: boolean;
}

export function findProjectRoot(from: string, env: Environment = process.env): ProjectRoot {
  const start = resolve(from);
  let marked: string | undefined;
  for (let dir = start; ; dir = dirname(dir)) {
    if (isIndexed(dir, env)) return { root: dir, indexed: true };
    if (!marked && MARKERS.some((marker) => existsSync(join(dir, marker)))) marked = dir;
    if (isCheckout(dir)) return { root: dir, indexed: false };
    if (dirname(dir) === dir) return { root: marked ?? start, indexed: false };
  }
}

export function isIndexed(dir: string, env: Environment = process.env): boolean {
  const paths = storePaths(dir, env);
  return existsSync(paths.database) || existsSync(paths.name);
}

/** A repository or a linked worktree, not a submodule. */
function isCheckout(dir: string): boolean {
  const dotGit = join(dir, ".git");
  try {
    if (statSync(dotGit).isDirectory()) return true;
  } catch {
    return false;
  }
  return gitLink(dir)?.kind !== "submodule";
}

/** What the `.git` file of a folder points to; undefined when it is a folder, is missing or says nothing. */
export function gitLink(dir: string): { kind: "worktree" | "submodule"; commonDir: string } | undefined {
  let text: string;
  try {
    const dotGit = join(dir, ".git");
    const stat = statSync(dotGit);
    if (!stat.isFile() || stat.size > 4096) return undefined;
    text = readFileSync(dotGit, "utf8");
  } catch {
    return undefined;
  }
  const target = /^gitdir: (.+)$/m.exec(text)?.[1]?.trim();
  if (!target) return undefined;
  const gitDir = isAbsolute(target) ? target : resolve(dir, target);
  try {
    const common = readFileSync(join(gitDir, "commondir"), "utf8").trim();
    return { kind: "worktree", commonDir: resolve(gitDir, common) };
  } catch {
    // Without a commondir file the git folder stands for itself: a submodule, or one made with --separate-git-dir.
    return { kind: "submodule", commonDir: gitDir };
  }
}
