/** Where indexes lie. Apart from `open.ts`: to know that a project has one takes no database. */
import { gitFingerprint } from "../../platform/git.ts";
import { type Environment, projectPaths } from "../../platform/paths.ts";

/** Where the index of a project lies. With `TOKENIX_BRANCH_AWARE=1` each branch has its own. */
export function storePaths(root: string, env: Environment = process.env) {
  const aware = /^(1|true|yes|on)$/i.test(env["TOKENIX_BRANCH_AWARE"] ?? "");
  const branch = aware ? gitFingerprint(root)?.branch : undefined;
  return projectPaths(root, { env, ...(branch ? { branch } : {}) });
}
