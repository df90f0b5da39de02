/** The project a call belongs to: the nearest ancestor that was indexed or carries a marker, and its settings. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Config, loadConfig } from "../../platform/config.ts";
import { type Environment, projectPaths, userHome } from "../../platform/paths.ts";

export interface Project {
  readonly root: string;
  readonly isIndexed: boolean;
  readonly config: Config;
  /** Faults in the configuration, for `explain-hook` and the log. */
  readonly problems: readonly string[];
}

const MARKERS = [".git", ".tokenix.toml", "tokenix.toml", "package.json", "Cargo.toml", "pyproject.toml", "go.mod"];

export async function projectOf(cwd: string, env: Environment): Promise<Project> {
  const { root, isIndexed } = findRoot(resolve(cwd), env);
  const { config, problems } = await loadConfig(root);
  return { root, isIndexed, config, problems };
}

/** An index further up wins over a marker below it; a marker in the user's own home folder captures nothing. */
function findRoot(start: string, env: Environment): { root: string; isIndexed: boolean } {
  const home = userHome(env);
  let marked: string | undefined;
  for (let dir = start; ; dir = dirname(dir)) {
    const paths = projectPaths(dir, { env });
    if (existsSync(paths.database) || existsSync(paths.name)) return { root: dir, isIndexed: true };
    if (marked === undefined && dir !== home && MARKERS.some((name) => existsSync(join(dir, name)))) marked = dir;
    if (dirname(dir) === dir) return { root: marked ?? start, isIndexed: false };
  }
}
