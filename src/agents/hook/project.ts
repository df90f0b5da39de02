/** The project a call belongs to, and its settings. */
import { type Config, loadConfig } from "../../platform/config.ts";
import type { Environment } from "../../platform/paths.ts";
import { findProjectRoot } from "../../repo/store/root.ts";

export interface Project {
  readonly root: string;
  readonly isIndexed: boolean;
  readonly config: Config;
  /** Faults in the configuration, for `explain-hook`. */
  readonly problems: readonly string[];
}

export async function projectOf(cwd: string, env: Environment): Promise<Project> {
  const { root, indexed } = findProjectRoot(cwd, env);
  const { config, problems } = await loadConfig(root);
  return { root, isIndexed: indexed, config, problems };
}
