/**
 * What tells a project apart on every machine: the first commits of its history, and where in the repository it is
 * rooted. A shallow clone has no first commit; there, and outside git, the origin's address stands in, without the
 * credentials that may be in it.
 */
import { relative } from "node:path";
import { findGitRoot, git } from "../../platform/git.ts";

/** A line of `kind:value` words; two projects are the same when they share one. */
export async function projectIdentity(root: string): Promise<string> {
  const top = findGitRoot(root);
  if (!top) return "";
  const below = relative(top, root).replaceAll("\\", "/") || ".";
  const words: string[] = [];
  const shallow = await git(["rev-parse", "--is-shallow-repository"], { cwd: root });
  if (shallow.stdout.trim() === "false") {
    const roots = await git(["rev-list", "--max-parents=0", "HEAD"], { cwd: root });
    for (const id of roots.stdout
      .split("\n")
      .filter((line) => /^[0-9a-f]{40,64}$/.test(line))
      .slice(-8))
      words.push(`root:${id}:${below}`);
  }
  const origin = await git(["config", "--get", "remote.origin.url"], { cwd: root });
  const address = normalOrigin(origin.stdout.trim());
  if (address) words.push(`origin:${address}:${below}`);
  return words.join(" ");
}

/** `git@host:a/b.git`, `https://user:pw@host/a/b` and `ssh://git@host/a/b/` all name `host/a/b`. */
export function normalOrigin(address: string): string | undefined {
  const match = /^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?([^:/]+)(?::\d+)?[:/](.+)$/i.exec(address);
  if (!match || /\s/.test(address)) return undefined;
  const path = (match[2] ?? "").replace(/\/+$/, "").replace(/\.git$/, "");
  return `${(match[1] ?? "").toLowerCase()}/${path}`;
}

export function sameProject(a: string, b: string): boolean {
  const words = new Set(a.split(" ").filter(Boolean));
  return b.split(" ").some((word) => words.has(word));
}
