/** Where filters of a repository and recordings are: the checkout's root, else the working directory. */
import { findGitRoot } from "../../../platform/git.ts";

export function filterRoot(): string {
  return findGitRoot(process.cwd()) ?? process.cwd();
}
