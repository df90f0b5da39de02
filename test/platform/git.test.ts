import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findGitRoot, fingerprintLine, git, gitFingerprint } from "../../src/platform/git.ts";

function run(cwd: string, ...args: string[]): string {
  const result = Bun.spawnSync(["git", "-c", "user.email=t@example.test", "-c", "user.name=T", ...args], { cwd });
  if (!result.success) throw new Error(result.stderr.toString());
  return result.stdout.toString().trim();
}

function repository(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tokenix-git-")));
  run(root, "init", "-q", "-b", "main");
  run(root, "commit", "-q", "--allow-empty", "-m", "one");
  return root;
}

test("branch and commit are read as git says them, loose and packed", () => {
  const root = repository();
  const head = run(root, "rev-parse", "HEAD");
  expect(gitFingerprint(root)).toEqual({ worktree: root, branch: "main", head });
  run(root, "pack-refs", "--all");
  expect(gitFingerprint(root)).toEqual({ worktree: root, branch: "main", head });
});

test("a detached head has no branch", () => {
  const root = repository();
  run(root, "checkout", "-q", "--detach");
  expect(gitFingerprint(root)).toMatchObject({ branch: "", head: run(root, "rev-parse", "HEAD") });
});

test("a linked worktree is another checkout with a state of its own", () => {
  const root = repository();
  const tree = join(root, "wt");
  run(root, "worktree", "add", "-q", tree, "-b", "side");
  run(tree, "commit", "-q", "--allow-empty", "-m", "two");
  expect(gitFingerprint(tree)).toEqual({ worktree: tree, branch: "side", head: run(tree, "rev-parse", "HEAD") });
  expect(fingerprintLine(tree)).not.toBe(fingerprintLine(root));
});

test("a repository without a commit has a branch and no head; a plain folder has nothing", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tokenix-git-")));
  expect(fingerprintLine(root)).toBe("");
  run(root, "init", "-q", "-b", "main");
  expect(gitFingerprint(root)).toEqual({ worktree: root, branch: "main", head: "" });
  mkdirSync(join(root, "a", "b"), { recursive: true });
  expect(findGitRoot(join(root, "a", "b"))).toBe(root);
});

test("asking never touches the user's index, and a repository's fsmonitor is not started", async () => {
  const root = repository();
  writeFileSync(join(root, "a.txt"), "a");
  run(root, "add", "a.txt");
  const before = readFileSync(join(root, ".git", "index"));
  writeFileSync(join(root, "hook.sh"), `#!/bin/sh\ntouch "${root}/started"\n`, { mode: 0o755 });
  run(root, "config", "core.fsmonitor", join(root, "hook.sh"));
  const status = await git(["status", "--porcelain"], { cwd: root });
  expect(status.code).toBe(0);
  expect(readFileSync(join(root, ".git", "index")).equals(before)).toBe(true);
  expect(await Bun.file(join(root, "started")).exists()).toBe(false);
});
