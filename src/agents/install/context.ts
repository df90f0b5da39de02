/** Where an integration goes and what it starts: everything that differs between machines, in one value. */
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import { type Environment, userHome } from "../../platform/paths.ts";

export interface InstallContext {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Root of the repository that `--local` writes to. */
  readonly project: string;
  readonly isLocal: boolean;
  /** The program that the agents start, as an absolute path with forward slashes. */
  readonly binary: string;
}

export function installContext(options: {
  readonly env: Environment;
  readonly project: string;
  readonly isLocal: boolean;
  readonly platform?: NodeJS.Platform;
  readonly binary?: string;
}): InstallContext {
  const platform = options.platform ?? process.platform;
  const binary = options.binary ?? ownBinary(options.env);
  return { ...options, platform, home: userHome(options.env), binary: forwardSlashes(resolve(binary)) };
}

/** Both kinds of Windows shells, JSON and Git Bash take forward slashes; only one of them takes the other kind. */
export const forwardSlashes = (path: string): string => path.replaceAll("\\", "/");

/** The program with this name in PATH, if any. */
export function findInPath(name: string, env: Environment): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""];
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    for (const ending of endings) {
      const path = join(folder, name + ending);
      if (folder !== "" && isExecutable(path)) return path;
    }
  }
  return undefined;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}

/**
 * The running program. Where PATH leads to the very same file, that path is taken: it survives an update that
 * moves the file behind a link.
 */
function ownBinary(env: Environment): string {
  const running = process.execPath;
  if (!/^tokenix/i.test(basename(running))) return findInPath("tokenix", env) ?? running;
  const named = findInPath("tokenix", env);
  try {
    if (named !== undefined && realpathSync(named) === realpathSync(running)) return named;
  } catch {
    // The file in PATH went away while we looked at it.
  }
  return running;
}
