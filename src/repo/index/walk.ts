/**
 * Lists a project folder by folder. It reads names and stamps only, follows no link (so loops end and nothing outside
 * the project is read), and says of everything it leaves out why.
 */
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { lstatIfSeen } from "../../platform/files.ts";
import { git } from "../../platform/git.ts";
import type { Environment } from "../../platform/paths.ts";
import type { LeftOut, Stamp } from "../store/records.ts";
import { gitLink } from "../store/root.ts";
import { IgnoreChain, slash } from "./ignore-chain.ts";
import { settled } from "./stamps.ts";

/** Folders that hold nobody's own code. Only these are left out by name; every other folder is a matter of ignore files. */
const IGNORED_DIRS = new Set([
  ".git",
  ".hg",
  ".svn",
  ".jj",
  ".bzr",
  "node_modules",
  "bower_components",
  "__pycache__",
  ".venv",
  ".tox",
  ".nox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".gradle",
  ".terraform",
  ".idea",
  ".vs",
  ".next",
  ".nuxt",
  ".svelte-kit",
  ".parcel-cache",
  ".turbo",
  ".dart_tool",
  ".eggs",
  ".direnv",
  ".tokenix",
]);

/** A file that says of its folder: a cache, or an installed environment. */
const DIR_MARKERS: Readonly<Record<string, string>> = {
  "CACHEDIR.TAG": "a cache folder (CACHEDIR.TAG)",
  "pyvenv.cfg": "a Python environment (pyvenv.cfg)",
};

export interface SeenFile {
  /** Relative to the root, with "/". */
  readonly path: string;
  readonly stamp: Stamp;
}

export interface Listing {
  /** Relative to the root; "" is the root itself. */
  readonly dir: string;
  readonly mtime: number;
  readonly ctime: number;
  readonly files: readonly SeenFile[];
  readonly dirs: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

interface Scope {
  readonly chain: IgnoreChain;
  /** The folder itself is ignored by git, and walked only for the tracked files in it. */
  readonly onlyTracked: boolean;
}

export interface WalkOptions {
  /** More patterns, from the project's configuration. */
  readonly extraIgnores?: readonly string[];
  readonly env?: Environment;
  readonly now?: () => number;
  /** Files that git tracks although a rule ignores them (`trackedButIgnored`). */
  readonly tracked?: ReadonlySet<string>;
}

export class Walker {
  private readonly base: string;
  private readonly scopes = new Map<string, Scope | undefined>();
  private readonly trackedDirs = new Set<string>();
  private readonly seenRepositories = new Set<string>();
  private readonly chain: IgnoreChain;

  constructor(
    root: string,
    private readonly options: WalkOptions = {},
  ) {
    this.base = slash(resolve(root));
    const extra = options.extraIgnores;
    this.chain = IgnoreChain.forRoot(root, {
      ...(extra ? { extra } : {}),
      ...(options.env ? { env: options.env } : {}),
    });
    this.scopes.set("", { chain: this.chain, onlyTracked: false });
    for (const path of options.tracked ?? [])
      for (let dir = parentOf(path); dir !== ""; dir = parentOf(dir)) this.trackedDirs.add(dir);
    const link = gitLink(root);
    this.seenRepositories.add(slash(link ? link.commonDir : `${this.base}/.git`));
  }

  /** Every ignore file that was read, or that would count if it were there; absolute. */
  get ignoreSources(): ReadonlySet<string> {
    return this.chain.sources;
  }

  /** The folder and all below it, each folder before what it holds. */
  *walk(from = ""): Generator<Listing> {
    const pending = [from];
    for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
      const listing = this.list(dir);
      if (!listing) continue;
      yield listing;
      for (let i = listing.dirs.length - 1; i >= 0; i--) pending.push(listing.dirs[i] as string);
    }
  }

  /** One folder; undefined when it is gone, is no folder, or is one that the rules leave out. */
  list(dir: string): Listing | undefined {
    const absolute = dir === "" ? this.base : `${this.base}/${dir}`;
    const scope = this.scopeOf(dir);
    if (!scope) return undefined;
    const leftOut: LeftOut[] = [];
    const files: SeenFile[] = [];
    const dirs: string[] = [];
    let mtime = -1;
    let ctime = -1;
    let entries: ReturnType<typeof readEntries>;
    try {
      const stat = lstatSync(absolute);
      if (!stat.isDirectory()) return undefined;
      ({ mtime, ctime } = settled(stat.mtimeMs, stat.ctimeMs, this.now()));
      entries = readEntries(absolute);
    } catch (error) {
      if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
      leftOut.push({ path: dir, outcome: "unreadable", detail: codeOf(error) });
      return { dir, mtime, ctime, files, dirs, leftOut };
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const { name } = entry;
      const path = dir === "" ? name : `${dir}/${name}`;
      const full = `${absolute}/${name}`;
      if (name === ".git") continue;
      let kind = kindOf(entry);
      try {
        if (kind === "unknown") kind = kindOf(lstatSync(full));
      } catch (error) {
        leftOut.push({ path, outcome: "unreadable", detail: codeOf(error) });
        continue;
      }
      const isDir = kind === "dir";
      const reason = this.reasonToIgnore(scope, full, path, name, isDir);
      if (reason !== undefined) leftOut.push({ path, outcome: "ignored", detail: reason });
      else if (isDir) {
        const other = this.otherCheckout(full);
        const marker = markerOf(full);
        if (other) leftOut.push({ path, outcome: "other-checkout", detail: other });
        else if (marker) leftOut.push({ path, outcome: "ignored", detail: marker });
        else dirs.push(path);
      } else if (kind === "link") leftOut.push({ path, outcome: "link", detail: `link to ${targetOf(full)}` });
      else if (kind === "special") leftOut.push({ path, outcome: "special", detail: "not a regular file" });
      else {
        try {
          const stat = lstatSync(full);
          if (stat.isFile())
            files.push({ path, stamp: { size: stat.size, ...settled(stat.mtimeMs, stat.ctimeMs, this.now()) } });
        } catch (error) {
          const isGone = codeOf(error) === "ENOENT";
          const detail = isGone ? "its name is not UTF-8" : codeOf(error);
          if (!isGone || name.includes("\ufffd")) leftOut.push({ path, outcome: "unreadable", detail });
        }
      }
    }
    return { dir, mtime, ctime, files, dirs, leftOut };
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }

  private reasonToIgnore(scope: Scope, full: string, path: string, name: string, isDir: boolean): string | undefined {
    const verdict = scope.chain.test(full, name, isDir);
    const tracked = () => this.options.tracked?.has(path) || (isDir && this.trackedDirs.has(path));
    if (isDir && IGNORED_DIRS.has(name)) {
      const takenBack = verdict.reason !== undefined && !verdict.ignored;
      return takenBack ? undefined : `folders named ${name} are left out`;
    }
    if (verdict.ignored) return !verdict.ours && tracked() ? undefined : (verdict.reason ?? "ignored");
    if (scope.onlyTracked && !tracked()) return "in an ignored folder";
    return undefined;
  }

  /** A linked worktree of a repository whose files are walked already, or will be. */
  private otherCheckout(dir: string): string | undefined {
    const link = gitLink(dir);
    if (link?.kind !== "worktree") return undefined;
    const common = slash(link.commonDir);
    // A bare repository has no checkout of its own that would be walked instead.
    const main = common.endsWith("/.git") ? slash(dirname(common)) : undefined;
    const isWalked = main !== undefined && (main === this.base || main.startsWith(`${this.base}/`));
    if (this.seenRepositories.has(common) || isWalked) return `another worktree of ${main ?? common}`;
    this.seenRepositories.add(common);
    return undefined;
  }

  /** The rules inside a folder; undefined when they leave the folder out. */
  private scopeOf(dir: string): Scope | undefined {
    if (this.scopes.has(dir)) return this.scopes.get(dir);
    const parent = this.scopeOf(parentOf(dir));
    const scope = parent && this.enter(parent, dir);
    this.scopes.set(dir, scope);
    return scope;
  }

  private enter(parent: Scope, dir: string): Scope | undefined {
    const full = `${this.base}/${dir}`;
    const name = dir.slice(dir.lastIndexOf("/") + 1);
    if (this.reasonToIgnore(parent, full, dir, name, true) !== undefined) return undefined;
    const verdict = parent.chain.test(full, name, true);
    const onlyTracked = parent.onlyTracked || (verdict.ignored && !verdict.ours);
    const dotGit = lstatIfSeen(`${full}/.git`);
    const chain = dotGit ? parent.chain.enterCheckout(full, this.options.env) : parent.chain;
    return { chain: chain.enter(full), onlyTracked: dotGit ? false : onlyTracked };
  }
}

/**
 * Files that git tracks although its rules ignore them (added by force, or ignored later): `git check-ignore` does not
 * report them, so they are not ignored. Relative to the root. Empty outside git, or when git is missing.
 */
export async function trackedButIgnored(root: string): Promise<ReadonlySet<string>> {
  const { code, stdout } = await git(["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"], { cwd: root });
  return new Set(code === 0 ? stdout.split("\0").filter(Boolean) : []);
}

function readEntries(dir: string) {
  return readdirSync(dir, { withFileTypes: true });
}

type Kind = "file" | "dir" | "link" | "special" | "unknown";

function kindOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isCharacterDevice(): boolean;
  isBlockDevice(): boolean;
}): Kind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "dir";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice()) return "special";
  return "unknown";
}

function markerOf(dir: string): string | undefined {
  for (const [name, detail] of Object.entries(DIR_MARKERS)) if (lstatIfSeen(`${dir}/${name}`)) return detail;
  return undefined;
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "somewhere unreadable";
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

function parentOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}
