/**
 * Which ignore rules hold in a folder, and which of them wins. Order, strongest first: `.tokenixignore`, `.ignore`
 * (both at every depth, and able to take back what git ignores), then `.gitignore` from the folder up to the top of the
 * checkout, `.git/info/exclude`, and the user's `core.excludesFile`. Within a kind the deeper file wins, within a file
 * the last line. A submodule or nested repository begins a chain of its own: git applies no outer rules inside it.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { gitDirOf } from "../../platform/git.ts";
import { type Environment, userHome } from "../../platform/paths.ts";
import { byteString, type PatternList, parsePatterns } from "./ignore-patterns.ts";

/** An ignore file larger than this is not one. */
const MAX_IGNORE_BYTES = 1024 * 1024;

export type IgnoreFileName = ".gitignore" | ".ignore" | ".tokenixignore";
export const IGNORE_FILE_NAMES: readonly IgnoreFileName[] = [".tokenixignore", ".ignore", ".gitignore"];

interface Layer {
  /** Folder that the patterns are relative to, as an absolute path with "/" and without one at its end. */
  readonly base: string;
  readonly patterns: PatternList;
  /** What a reason calls it. */
  readonly source: string;
  readonly parent: Layer | undefined;
}

export interface Verdict {
  readonly ignored: boolean;
  /** `.gitignore: *.log`; undefined when no rule has matched. */
  readonly reason: string | undefined;
  /** The rule is in `.tokenixignore`, `.ignore` or our configuration, not in git's files: it also holds for tracked files. */
  readonly ours: boolean;
}

const NOT_MENTIONED: Verdict = { ignored: false, reason: undefined, ours: false };

/** The rules that hold in one folder. Immutable: entering a folder makes a new one only when the folder adds rules. */
export class IgnoreChain {
  private constructor(
    private readonly root: string,
    private readonly own: Layer | undefined,
    private readonly plain: Layer | undefined,
    private readonly git: Layer | undefined,
    private readonly excludes: readonly Layer[],
    private readonly ignoreCase: boolean,
    /** Every ignore file that was read or that would count if it were there. */
    readonly sources: Set<string>,
  ) {}

  /** The chain of a project's root: ignore files of its ancestors up to the top of its checkout included. */
  static forRoot(root: string, options: { extra?: readonly string[]; env?: Environment } = {}): IgnoreChain {
    const slashed = slash(root);
    const sources = new Set<string>();
    const top = topOf(root);
    let chain = new IgnoreChain(slashed, undefined, undefined, undefined, [], false, sources);
    if (top) chain = chain.withCheckout(top, options.env ?? process.env);
    for (const dir of foldersBetween(top ?? root, root)) chain = chain.enter(dir);
    if (options.extra && options.extra.length > 0) {
      const patterns = parsePatterns(options.extra.join("\n"), { ignoreCase: chain.ignoreCase });
      const layer: Layer = { base: slashed, patterns, source: "index.ignore", parent: chain.own };
      chain = chain.replaced({ own: layer });
    }
    return chain;
  }

  /** The chain inside `dir`, given the names that the folder holds (or by looking for the three files). */
  enter(dir: string, names?: ReadonlySet<string>): IgnoreChain {
    let { own, plain, git } = this;
    for (const name of IGNORE_FILE_NAMES) {
      if (names && !names.has(name)) continue;
      const path = `${slash(dir)}/${name}`;
      const source = readIgnoreFile(path);
      if (source === undefined) continue;
      this.sources.add(path);
      const layer = (parent: Layer | undefined): Layer => ({
        base: slash(dir),
        patterns: parsePatterns(source, { ignoreCase: this.ignoreCase }),
        source: relativeName(this.root, path),
        parent,
      });
      if (name === ".tokenixignore") own = layer(own);
      else if (name === ".ignore") plain = layer(plain);
      else git = layer(git);
    }
    if (own === this.own && plain === this.plain && git === this.git) return this;
    return this.replaced({ own, plain, git });
  }

  /** The chain at the top of a nested checkout: git's outer rules end here, ours go on. */
  enterCheckout(dir: string, env: Environment = process.env): IgnoreChain {
    return this.replaced({ git: undefined, excludes: [] }).withCheckout(dir, env);
  }

  /** Is this entry left out? `path` is absolute with "/". Its folder must be one that is walked. */
  test(path: string, name: string, isDir: boolean): Verdict {
    if (!this.own && !this.plain && !this.git && this.excludes.length === 0) return NOT_MENTIONED;
    const bytesName = byteString(name);
    const bytesPath = byteString(path);
    for (const start of [this.own, this.plain, this.git]) {
      for (let layer = start; layer; layer = layer.parent) {
        const verdict = ask(layer, path, bytesPath, bytesName, isDir, start !== this.git);
        if (verdict) return verdict;
      }
    }
    for (const layer of this.excludes) {
      const verdict = ask(layer, path, bytesPath, bytesName, isDir, false);
      if (verdict) return verdict;
    }
    return NOT_MENTIONED;
  }

  private replaced(change: {
    own?: Layer | undefined;
    plain?: Layer | undefined;
    git?: Layer | undefined;
    excludes?: readonly Layer[];
    ignoreCase?: boolean;
  }): IgnoreChain {
    return new IgnoreChain(
      this.root,
      "own" in change ? change.own : this.own,
      "plain" in change ? change.plain : this.plain,
      "git" in change ? change.git : this.git,
      change.excludes ?? this.excludes,
      change.ignoreCase ?? this.ignoreCase,
      this.sources,
    );
  }

  private withCheckout(top: string, env: Environment): IgnoreChain {
    const gitDir = gitDirOf(top);
    if (!gitDir) return this;
    const commonDir = commonDirOf(gitDir);
    const settings = readSettings(commonDir, env);
    const base = slash(top);
    const excludes: Layer[] = [];
    const add = (path: string, source: string) => {
      this.sources.add(slash(path));
      const text = readIgnoreFile(path);
      if (text === undefined) return;
      const patterns = parsePatterns(text, { ignoreCase: settings.ignoreCase });
      if (patterns.size > 0) excludes.push({ base, patterns, source, parent: undefined });
    };
    add(join(commonDir, "info", "exclude"), ".git/info/exclude");
    if (settings.excludesFile) add(settings.excludesFile, "core.excludesFile");
    return this.replaced({ excludes, ignoreCase: settings.ignoreCase });
  }
}

function ask(
  layer: Layer,
  path: string,
  bytesPath: string,
  bytesName: string,
  isDir: boolean,
  ours: boolean,
): Verdict | undefined {
  const base = bytesPath.length === path.length ? layer.base.length : byteString(layer.base).length;
  const hit = layer.patterns.match(bytesPath.slice(base + 1), bytesName, isDir);
  if (hit < 0) return undefined;
  return { ignored: !layer.patterns.isNegative(hit), reason: `${layer.source}: ${layer.patterns.text(hit)}`, ours };
}

/** The top of the checkout that holds `dir`: git's rules reach from there down. */
function topOf(dir: string): string | undefined {
  for (let at = dir; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function foldersBetween(top: string, dir: string): string[] {
  const folders: string[] = [];
  for (let at = dir; ; at = dirname(at)) {
    folders.unshift(at);
    if (at === top || dirname(at) === at) return folders;
  }
}

function commonDirOf(gitDir: string): string {
  try {
    const common = readFileSync(join(gitDir, "commondir"), "utf8").trim();
    return isAbsolute(common) ? common : join(gitDir, common);
  } catch {
    return gitDir;
  }
}

function readIgnoreFile(path: string): Uint8Array | undefined {
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > MAX_IGNORE_BYTES) return undefined;
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

interface GitSettings {
  readonly excludesFile: string | undefined;
  readonly ignoreCase: boolean;
}

/**
 * `core.excludesFile` and `core.ignoreCase` from git's own configuration files, weakest first. Read here and not asked
 * from a process: a question would pay 5 ms for it each time. Only a file with an `include` section makes git be asked.
 */
function readSettings(commonDir: string, env: Environment): GitSettings {
  const home = userHome(env);
  const xdg = env["XDG_CONFIG_HOME"] || join(home, ".config");
  const files = env["GIT_CONFIG_NOSYSTEM"] ? [] : [env["GIT_CONFIG_SYSTEM"] || "/etc/gitconfig"];
  if (env["GIT_CONFIG_GLOBAL"] !== undefined) files.push(env["GIT_CONFIG_GLOBAL"]);
  else files.push(join(xdg, "git", "config"), join(home, ".gitconfig"));
  files.push(join(commonDir, "config"));
  let excludesFile: string | undefined;
  let ignoreCase = false;
  for (const path of files) {
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch {
      continue;
    }
    if (/^\s*\[include/im.test(text)) return askGit(commonDir, home, xdg, env);
    const core = coreSection(text);
    const named = core.get("excludesfile");
    if (named !== undefined) excludesFile = named;
    const fold = core.get("ignorecase");
    if (fold !== undefined) ignoreCase = /^(true|yes|on|1|)$/i.test(fold);
  }
  return { excludesFile: resolveExcludes(excludesFile, home, xdg), ignoreCase };
}

function resolveExcludes(named: string | undefined, home: string, xdg: string): string | undefined {
  if (named === undefined) return join(xdg, "git", "ignore");
  const path = named.startsWith("~/") ? join(home, named.slice(2)) : named;
  return isAbsolute(path) ? path : undefined;
}

function askGit(commonDir: string, home: string, xdg: string, env: Environment): GitSettings {
  const get = (key: string, type: string): string | undefined => {
    try {
      const command = ["git", "--git-dir", commonDir, "config", `--type=${type}`, "--get", key];
      const { exitCode, stdout } = Bun.spawnSync(command, { env: { ...process.env, ...env }, stderr: "ignore" });
      return exitCode === 0 ? stdout.toString().trim() : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    excludesFile: resolveExcludes(get("core.excludesFile", "path"), home, xdg),
    ignoreCase: get("core.ignoreCase", "bool") === "true",
  };
}
function coreSection(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let inCore = false;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const section = /^\[\s*([A-Za-z0-9.-]+)\s*(?:"[^"]*")?\s*\](.*)$/.exec(line);
    if (section) inCore = section[1]?.toLowerCase() === "core" && !line.includes('"');
    const setting = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(section ? (section[2] ?? "").trim() : line);
    if (!inCore || !setting) continue;
    found.set(setting[1]?.toLowerCase() ?? "", unquote(setting[2] ?? ""));
  }
  return found;
}

/** A value of git's configuration: comments end it, quotes keep spaces, backslashes escape. */
function unquote(value: string): string {
  let out = "";
  let quoted = false;
  let kept = 0;
  for (let at = 0; at < value.length; at++) {
    const c = value[at] as string;
    if (c === '"') quoted = !quoted;
    else if (c === "\\") {
      at++;
      const next = value[at] ?? "";
      out += next === "n" ? "\n" : next === "t" ? "\t" : next;
    } else if (!quoted && (c === "#" || c === ";")) break;
    else out += c;
    if (quoted || (c !== " " && c !== "\t")) kept = out.length;
  }
  return out.slice(0, kept);
}

function relativeName(root: string, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

export function slash(path: string): string {
  const forward = process.platform === "win32" ? path.replaceAll("\\", "/") : path;
  return forward.length > 1 && forward.endsWith("/") ? forward.slice(0, -1) : forward;
}
