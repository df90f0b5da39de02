/**
 * Every path under the machine-wide home is built here, and nowhere else: a second builder
 * would sooner or later write to a user's real home from a test.
 *
 * `node:path` and `node:os` are loaded only for paths that need them (0.7 ms of a hook's 4): a plain absolute one
 * is what `resolve` would give back.
 */
import type NodePath from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

const IS_WINDOWS = process.platform === "win32";

/**
 * The machine-wide home: `TOKENIX_HOME` when it is absolute, else `~/.tokenix`.
 * A relative value would mean another folder in each working directory, so it is ignored.
 */
export function tokenixHome(env: Environment = process.env): string {
  const named = env["TOKENIX_HOME"];
  if (named && (isPlain(named) || isAbsolute(named))) return resolve(named);
  return join(userHome(env), ".tokenix");
}

/** The user's home folder; `HOME`/`USERPROFILE` first, so that a throw-away home works everywhere. */
export function userHome(env: Environment = process.env): string {
  return (IS_WINDOWS ? env["USERPROFILE"] : env["HOME"]) || process.getBuiltinModule("node:os").homedir();
}

function nodePath(): typeof NodePath {
  return process.getBuiltinModule("node:path");
}

/** `/a/b`: absolute, without a part that is empty, `.` or `..`. */
function isPlain(path: string): boolean {
  if (IS_WINDOWS || !path.startsWith("/")) return false;
  // Without a pattern: a first use of one costs more than all of this.
  const ended = `${path}/`;
  return !ended.includes("//") && !ended.includes("/./") && !ended.includes("/../");
}

function isAbsolute(path: string): boolean {
  return IS_WINDOWS ? nodePath().isAbsolute(path) : path.startsWith("/");
}

function resolve(path: string): string {
  return isPlain(path) ? path : nodePath().resolve(path);
}

/** @param part one plain name. */
function join(folder: string, part: string): string {
  return isPlain(folder) ? `${folder}/${part}` : nodePath().join(folder, part);
}

/** What may stand directly under the home. */
export type HomeEntry =
  | "indexes"
  | "logs"
  | "filters"
  | "secret-rules"
  | "egress-rules"
  | "stash"
  | "tee"
  | "recordings"
  | "cache"
  | "backups"
  | "trusted_filters.json"
  | "update-check.json"
  | "memory.json"
  | "recent_reads.json"
  | "errors.log";

export function homePath(entry: HomeEntry, env: Environment = process.env): string {
  return join(tokenixHome(env), entry);
}

/**
 * The name of a project in the home: readable, and unique by the hash of its absolute root.
 * Case is folded where the file system usually folds it.
 */
export function projectId(root: string): string {
  let full = resolve(root).replaceAll("\\", "/");
  if (IS_WINDOWS) full = full.toLowerCase();
  const name =
    full
      .slice(full.lastIndexOf("/") + 1)
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .slice(0, 40) || "root";
  return `${name}-${Bun.hash(full).toString(16).padStart(16, "0")}`;
}

/** Files of one project in the home. `branch` keeps an index of its own (`TOKENIX_BRANCH_AWARE`). */
export function projectPaths(root: string, options: { branch?: string; env?: Environment } = {}) {
  const env = options.env ?? process.env;
  const id = projectId(root);
  const suffix = options.branch ? `@${options.branch.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60)}` : "";
  const indexes = homePath("indexes", env);
  return {
    id,
    database: join(indexes, `${id}${suffix}.db`),
    /** Holds the absolute root, so that a folder can be recognised as indexed before any database is opened. */
    name: join(indexes, `${id}.name`),
    lock: join(indexes, `${id}${suffix}.lock`),
    log: join(homePath("logs", env), `${id}.log`),
  } as const;
}

/**
 * Downloaded models live in the operating system's cache folder, not in the home: wiping an index
 * must not cost a download. `TOKENIX_MODEL_CACHE` moves it.
 */
export function modelCacheDir(env: Environment = process.env): string {
  const named = env["TOKENIX_MODEL_CACHE"];
  if (named && isAbsolute(named)) return resolve(named);
  return nodePath().join(osCacheDir(env), "tokenix", "models");
}

/** Native libraries unpacked from the binary, by content hash. */
export function nativeCacheDir(env: Environment = process.env): string {
  return nodePath().join(osCacheDir(env), "tokenix", "native");
}

function osCacheDir(env: Environment): string {
  if (IS_WINDOWS) return env["LOCALAPPDATA"] || nodePath().join(userHome(env), "AppData", "Local");
  if (process.platform === "darwin") return nodePath().join(userHome(env), "Library", "Caches");
  const xdg = env["XDG_CACHE_HOME"];
  return xdg && isAbsolute(xdg) ? xdg : join(userHome(env), ".cache");
}

/** The folder that `install-binary` and the installer use. */
export function userBinDir(env: Environment = process.env): string {
  if (IS_WINDOWS) return nodePath().join(env["LOCALAPPDATA"] || join(userHome(env), "AppData/Local"), "tokenix", "bin");
  return nodePath().join(userHome(env), ".local", "bin");
}
