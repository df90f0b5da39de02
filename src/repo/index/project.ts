/** From what a person or an agent typed to the project that is meant, with clear refusals. */
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { EXIT, UserError } from "../../platform/errors.ts";
import { type Environment, userHome } from "../../platform/paths.ts";
import { findProjectRoot } from "../store/root.ts";

/** The folder to index: the one that was named, or the project around the working directory. */
export function rootToIndex(named: string | undefined, cwd: string, env: Environment = process.env): string {
  if (named === undefined) return findProjectRoot(realpathSync(cwd), env).root;
  const path = resolve(cwd, named);
  if (!existsSync(path)) throw new UserError(`there is no folder ${path}`, undefined, EXIT.usage);
  if (!statSync(path).isDirectory())
    throw new UserError(`${path} is a file`, `index its folder: tokenix index ${dirname(path)}`, EXIT.usage);
  return realpathSync(path);
}

/** The project to ask: around the named folder, else around the working directory. */
export function projectToAsk(named: string | undefined, cwd: string, env: Environment = process.env): string {
  const path = resolve(cwd, named ?? ".");
  if (!existsSync(path)) throw new UserError(`there is no folder ${path}`, undefined, EXIT.usage);
  const from = realpathSync(statSync(path).isDirectory() ? path : dirname(path));
  const { root, indexed } = findProjectRoot(from, env);
  if (!indexed) throw new UserError(`${root} is not indexed`, `run 'tokenix index${named ? ` ${named}` : ""}' first`);
  return root;
}

/** How far a folder is counted before it is refused: the number is a warning, not a statistic. */
const COUNT_LIMIT = 50_000;

/**
 * A home folder, a folder above it, or the root of a disk holds everything but a project.
 * @throws UserError that names how many entries it saw.
 */
export function refuseWideRoot(root: string, env: Environment = process.env): void {
  const home = realOr(userHome(env));
  const isWide = root === home || home.startsWith(root.endsWith("/") ? root : `${root}/`) || dirname(root) === root;
  if (!isWide) return;
  const seen = countEntries(root);
  throw new UserError(
    `${root} is ${root === home ? "your home folder" : dirname(root) === root ? "the root of a disk" : "above your home folder"}, with ${seen >= COUNT_LIMIT ? `more than ${COUNT_LIMIT}` : seen} files and folders in it`,
    "name the project's own folder, or insist with --force-root",
    EXIT.usage,
  );
}

function countEntries(root: string): number {
  let count = 0;
  const pending = [root];
  for (let dir = pending.pop(); dir !== undefined && count < COUNT_LIMIT; dir = pending.pop()) {
    try {
      for (const entry of readdirSync(dir, { withFileTypes: true })) {
        count++;
        if (entry.isDirectory()) pending.push(`${dir}/${entry.name}`);
      }
    } catch {
      // A folder of somebody else's counts as one.
    }
  }
  return count;
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
