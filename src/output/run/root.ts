/** The project whose log a run belongs to: as the hook and the reports see it, an index first, then the nearest marker. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Environment, projectPaths, userHome } from "../../platform/paths.ts";

const MARKERS = [".git", ".tokenix.toml", "tokenix.toml", "package.json", "Cargo.toml", "pyproject.toml", "go.mod"];

export function loggedRoot(cwd: string, env: Environment): string {
  const home = userHome(env);
  let marked: string | undefined;
  for (let dir = cwd; ; dir = dirname(dir)) {
    const paths = projectPaths(dir, { env });
    if (existsSync(paths.database) || existsSync(paths.name)) return dir;
    if (marked === undefined && dir !== home && MARKERS.some((name) => existsSync(join(dir, name)))) marked = dir;
    if (dirname(dir) === dir) return marked ?? cwd;
  }
}
