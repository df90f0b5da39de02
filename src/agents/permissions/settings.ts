/**
 * The rules that a user, a project and an organisation have written for Claude Code, from every file it
 * reads them from. A file that is there and can't be read is a doubt, and a doubt means hands off.
 */
import { anyOf, firstOf, kept, mapped } from "../../platform/lists.ts";
import { isObject, type JsonObject } from "../json.ts";
import {
  type Env,
  type FileState,
  gitRootOf,
  hasBytes,
  homeOf,
  joined,
  jsonFile,
  namesIn,
  smallText,
} from "../places.ts";
import { parseRule, type Rule } from "./rule.ts";

export interface ClaudeRules {
  readonly allow: readonly Rule[];
  /** Deny and ask rules together: either means that we leave the call alone. */
  readonly refuse: readonly Rule[];
  /** Why nothing can be proved from these files. */
  readonly doubt: string | undefined;
}

export interface SettingsPlaces {
  readonly cwd: string | undefined;
  readonly env: Env;
  /** Where an organisation's settings lie; by default the system's own places. */
  readonly managedDirs?: readonly string[];
}

const MAX_WORKTREE_POINTER = 4096;

/** Rules from elsewhere than the files that are read here. */
const ELSEWHERE = [
  "CLAUDE_CODE_REMOTE_SETTINGS_PATH",
  "CLAUDE_CODE_MANAGED_SETTINGS_PATH",
  "CLAUDE_BG_SESSION_PERMISSION_RULES",
];

export async function claudeRules(places: SettingsPlaces): Promise<ClaudeRules> {
  const { env } = places;
  const elsewhere = firstOf(ELSEWHERE, (name) => env[name] !== undefined && env[name] !== "");
  if (elsewhere !== undefined) return { allow: [], refuse: [], doubt: `${elsewhere} is set` };
  const config = env["CLAUDE_CONFIG_DIR"] || joined(await homeOf(env), ".claude");
  // The folder that the session was started in is named by the agent; the call's own folder may lie deeper.
  const project = env["CLAUDE_PROJECT_DIR"];
  const own = [joined(config, "settings.json")];
  const certain = project ? projectFiles(project) : [];
  const possible = new Set<string>();
  for (const start of new Set([project, places.cwd])) {
    if (!start) continue;
    const root = gitRootOf(start);
    for (const place of [start, root, root && (await mainCheckout(root))])
      if (place) for (const file of projectFiles(place)) possible.add(file);
  }
  for (const file of [...own, ...certain]) possible.delete(file);
  const [managedFiles, ownFiles, certainFiles, possibleFiles] = await Promise.all([
    readAll(managedFilesOf(places, config)),
    readAll(own),
    readAll(certain),
    readAll([...possible]),
  ]);
  // What came with a repository allows nothing before its user trusts the folder (run against 2.1.332): asked only
  // where such a file allows something.
  const isTrusted =
    project !== undefined &&
    anyOf(certainFiles, ({ json }) => isObject(json?.["permissions"]) && json["permissions"]["allow"] !== undefined) &&
    (await isTrustedFolder(project, env));
  return combine(
    managedFiles,
    ownFiles,
    isTrusted ? certainFiles : [],
    isTrusted ? possibleFiles : [...certainFiles, ...possibleFiles],
  );
}

/** Larger than a year's worth of what Claude Code remembers, and quick to read. */
const MAX_STATE_BYTES = 8 * 1024 * 1024;

/** Whether the user has said so for this very folder; a parent's trust is not its own. */
async function isTrustedFolder(project: string, env: Env): Promise<boolean> {
  if (env["CLAUDE_CODE_IGNORE_PERSISTED_TRUST"]) return false;
  const home = env["CLAUDE_CONFIG_DIR"] || (await homeOf(env));
  const state = await jsonFile(joined(home, ".claude.json"), MAX_STATE_BYTES);
  const projects = state.json?.["projects"];
  if (!isObject(projects)) return false;
  const wanted = withSlashes(project);
  return Object.entries(projects).some(
    ([path, known]) => withSlashes(path) === wanted && isObject(known) && known["hasTrustDialogAccepted"] === true,
  );
}

function withSlashes(path: string): string {
  return path.replaceAll("\\", "/").replace(/(?<=.)\/+$/, "");
}

function managedFilesOf(places: SettingsPlaces, config: string): string[] {
  const found = [joined(config, "remote-settings.json")];
  for (const dir of places.managedDirs ?? systemManagedDirs(places.env)) {
    found.push(joined(dir, "managed-settings.json"));
    for (const name of namesIn(joined(dir, "managed-settings.d"))) found.push(joined(dir, "managed-settings.d", name));
  }
  return found;
}

function combine(
  managed: readonly FileState[],
  own: readonly FileState[],
  certain: readonly FileState[],
  possible: readonly FileState[],
): ClaudeRules {
  const allow: Rule[] = [];
  const refuse: Rule[] = [];
  let doubt: string | undefined;
  const onlyManaged = anyOf(managed, (file) => file.json?.["allowManagedPermissionRulesOnly"] === true);
  for (const [files, mayAllow] of [
    [managed, true],
    [[...own, ...certain], !onlyManaged],
    [possible, false],
  ] as const) {
    for (const file of files) {
      if (file.problem !== undefined) doubt ??= `${file.path} ${file.problem}`;
      if (!file.json) continue;
      doubt ??= takeRules(file.json, file.path, mayAllow ? allow : undefined, refuse);
    }
  }
  return { allow, refuse, doubt };
}

/** Adds a file's rules. @returns a doubt, when something in it can't be read. */
function takeRules(settings: JsonObject, path: string, allow: Rule[] | undefined, refuse: Rule[]): string | undefined {
  const sandbox = settings["sandbox"];
  if (isObject(sandbox) && sandbox["enabled"] === true && sandbox["excludedCommands"] !== undefined)
    return `${path} names commands that leave the sandbox`;
  const permissions = settings["permissions"];
  if (permissions === undefined) return undefined;
  if (!isObject(permissions)) return `${path} has permissions that are no table`;
  if (permissions["blockReadsOutsideWorkingDirectories"] === true) return `${path} blocks reads outside the project`;
  let doubt: string | undefined;
  for (const key of ["allow", "ask", "deny"] as const) {
    const list = permissions[key];
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      doubt ??= `${path}: permissions.${key} is no list`;
      continue;
    }
    for (const entry of list) {
      const rule = typeof entry === "string" ? parseRule(entry) : undefined;
      if (rule) (key === "allow" ? allow : refuse)?.push(rule);
      else if (key !== "allow") doubt ??= `${path}: a rule in permissions.${key} can't be read`;
    }
  }
  return doubt;
}

function projectFiles(root: string): string[] {
  return [joined(root, ".claude", "settings.json"), joined(root, ".claude", "settings.local.json")];
}

/** Approvals in a worktree are kept in the main checkout. */
async function mainCheckout(root: string): Promise<string | undefined> {
  // A folder is the main checkout itself; only a worktree has a file there.
  if (hasBytes(joined(root, ".git", "HEAD"))) return undefined;
  const pointer = await smallText(joined(root, ".git"), MAX_WORKTREE_POINTER);
  const gitDir = /^gitdir: (.+)$/m.exec(pointer ?? "")?.[1]?.replaceAll("\\", "/");
  const at = gitDir?.lastIndexOf("/.git/worktrees/") ?? -1;
  return at < 0 ? undefined : gitDir?.slice(0, at);
}

function systemManagedDirs(env: Env): string[] {
  switch (process.platform) {
    case "win32":
      return [
        joined(env["ProgramFiles"] ?? "C:\\Program Files", "ClaudeCode"),
        joined(env["ProgramData"] ?? "C:\\ProgramData", "ClaudeCode"),
      ];
    case "darwin":
      return ["/Library/Application Support/ClaudeCode"];
    default:
      return ["/etc/claude-code"];
  }
}

/** Most of these files are not there: a look tells, and only what is there is read. */
async function readAll(paths: readonly string[]): Promise<readonly FileState[]> {
  const present = kept(paths, hasBytes);
  return present.length === 0 ? [] : Promise.all(mapped(present, jsonFile));
}
