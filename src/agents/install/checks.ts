/**
 * What `doctor` says about the agents on this machine: connected or not, trusted, switched off, pointing at a program
 * that is gone, running beside another tool's rewriting hook, or loaded twice. Reads settings, changes nothing.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { readTextIfPresent } from "../../platform/files.ts";
import type { Environment } from "../../platform/paths.ts";
import type { Change } from "./change.ts";
import { findInPath, type InstallContext, installContext, isExecutable } from "./context.ts";
import { integrationFor } from "./integrations/index.ts";
import { parseJsonc, plainValue } from "./jsonc/parse.ts";
import { commandsIn, startsOurHook } from "./own-entries.ts";
import { claudeHome, codexHome, copilotHome, geminiHome, isPresent } from "./places.ts";
import { short } from "./report.ts";
import { TOOLS, type ToolName } from "./tools.ts";

export interface AgentFinding {
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  readonly hint?: string | undefined;
}

export interface AgentCheck {
  readonly name: string;
  readonly run: (context: { readonly root: string }) => readonly AgentFinding[];
}

export interface CheckDeps {
  readonly env?: Environment;
  readonly binary?: string;
  readonly platform?: NodeJS.Platform;
}

/** One check for each agent that is on this machine. */
export function agentChecks(deps: CheckDeps = {}): readonly AgentCheck[] {
  const env = deps.env ?? process.env;
  const contextFor = (project: string, isLocal: boolean): InstallContext =>
    installContext({
      env,
      project,
      isLocal,
      ...(deps.platform ? { platform: deps.platform } : {}),
      ...(deps.binary ? { binary: deps.binary } : {}),
    });
  return TOOLS.filter((tool) => tool !== "mcp" && isPresent(tool, contextFor(".", false))).map((tool) => ({
    name: tool,
    run: ({ root }) => findingsFor(tool, contextFor(root, false), contextFor(root, true)),
  }));
}

const MAX_BYTES = 32 * 1024 * 1024;
/** Tools whose hook rewrites commands too: of two rewrites only the one that ends last counts. */
const REWRITERS = /(?:^|[\s/\\"'])(?:rtk|snip|tokf|squeez|lean-ctx|context-mode|headroom)(?:\.exe)?(?=$|[\s"'])/i;

function findingsFor(tool: ToolName, everywhere: InstallContext, here: InstallContext): AgentFinding[] {
  const places = [everywhere, here].flatMap((context) => {
    const entries = ours(tool, context);
    return entries.length > 0 ? [{ context, entries }] : [];
  });
  const env = everywhere.env;
  if (places.length === 0) {
    return [{ status: "ok", detail: "not connected", hint: `tokenix install-hook --tool ${tool}` }];
  }
  const findings: AgentFinding[] = places.map(({ context, entries }) => {
    const files = [...new Set(entries.map(({ path }) => short(path, env)))].join(", ");
    return {
      status: "ok",
      detail: `connected ${context.isLocal ? "in this repository" : "for every repository"} (${files})`,
    };
  });
  for (const { entries } of places) findings.push(...missingPrograms(tool, entries, everywhere));
  findings.push(
    ...switchedOff(tool, everywhere),
    ...trust(
      tool,
      places.flatMap(({ entries }) => entries),
      everywhere,
    ),
  );
  findings.push(...rivals(tool, everywhere, here), ...twice(tool, places.length, everywhere, here));
  return findings;
}

interface OurEntry {
  readonly path: string;
  readonly value: unknown;
}

/** Our hook entries as they stand in the agent's files, whichever version wrote them. */
function ours(tool: ToolName, context: InstallContext): OurEntry[] {
  return integrationFor(tool, context, { everywhere: true }).changes.flatMap((change) =>
    entriesIn(change).filter(({ value }) => startsOurHook(value)),
  );
}

function entriesIn(change: Change): OurEntry[] {
  const text = readTextIfPresent(change.path, MAX_BYTES);
  if (text === undefined) return [];
  const { path } = change;
  if (change.kind === "own-file")
    return path.endsWith(".js") ? [{ path, value: pluginAsEntry(text) }] : groups(path, jsonOf(text));
  if (change.kind === "json") return groups(path, jsonOf(text));
  return change.format === "toml" ? groups(path, tomlOf(text)) : [];
}

/** Each hook group of a settings file: the members of the lists under its event names. */
function groups(path: string, root: unknown): OurEntry[] {
  if (typeof root !== "object" || root === null) return [];
  const { hooks, tokenix } = root as { hooks?: unknown; tokenix?: unknown };
  return [hooks, tokenix].flatMap((events) => {
    if (typeof events !== "object" || events === null) return [];
    return Object.values(events).flatMap((list) =>
      Array.isArray(list) ? list.map((value: unknown) => ({ path, value })) : [],
    );
  });
}

function pluginAsEntry(text: string): unknown {
  const program = /^const program = (".*");$/m.exec(text)?.[1];
  return program === undefined ? {} : { command: JSON.parse(program) as string, args: ["hook"] };
}

function missingPrograms(tool: ToolName, entries: readonly OurEntry[], context: InstallContext): AgentFinding[] {
  const missing = new Set<string>();
  for (const { path, value } of entries) {
    for (const line of commandsIn(value)) {
      const program = programOf(line);
      if (program === undefined || isThere(program, context)) continue;
      // The other system's form of the same entry.
      if (context.platform !== "win32" && /\.exe$|\\/.test(program)) continue;
      missing.add(`${short(path, context.env)} starts ${program}, which is not there`);
    }
  }
  return [...missing].map((detail) => ({ status: "fail", detail, hint: `tokenix install-hook --tool ${tool}` }));
}

function programOf(line: string): string | undefined {
  if (/tokenix-hook\.(?:sh|cmd)$/i.test(line)) return line;
  if (/(?:^|[/\\])tokenix(?:\.exe)?$/i.test(line)) return line;
  const quoted = /(?:exec |& |^)'((?:[^']|'\\'')*tokenix(?:\.exe)?)' hook/i.exec(line)?.[1];
  return quoted ?? /([^\s"'(]*tokenix(?:\.exe)?) hook/i.exec(line)?.[1];
}

function isThere(program: string, context: InstallContext): boolean {
  if (/[/\\]/.test(program)) return existsSync(program) && isExecutable(program);
  return findInPath(program.replace(/\.exe$/i, ""), context.env) !== undefined;
}

/** The agents' own switches that make every hook do nothing. */
function switchedOff(tool: ToolName, context: InstallContext): AgentFinding[] {
  const off = (where: string): AgentFinding[] => [
    { status: "warn", detail: `hooks are switched off (${where})`, hint: "nothing of ours runs until they are on" },
  ];
  if (tool === "claude-code") {
    const project = join(context.project, ".claude");
    const files = [
      join(claudeHome(context), "settings.json"),
      join(project, "settings.json"),
      join(project, "settings.local.json"),
      join(managedFolder(context), "managed-settings.json"),
    ];
    for (const path of files) {
      const settings = jsonAt(path);
      for (const key of ["disableAllHooks", "allowManagedHooksOnly"])
        if (settings[key] === true) return off(`${key} in ${short(path, context.env)}`);
    }
  }
  if (tool === "gemini") {
    const config = jsonAt(join(geminiHome(context), "settings.json"))["hooksConfig"] as
      | { enabled?: unknown; disabled?: unknown }
      | undefined;
    if (config?.enabled === false) return off("hooksConfig.enabled");
    if (Array.isArray(config?.disabled) && config.disabled.includes("tokenix")) return off("hooksConfig.disabled");
  }
  if (tool === "codex") {
    const features = codexConfig(context)["features"] as { hooks?: unknown; codex_hooks?: unknown } | undefined;
    if (features?.hooks === false || features?.codex_hooks === false) return off("[features] hooks");
  }
  return [];
}

/** Where an organisation keeps Claude Code's settings. */
function managedFolder({ platform, env }: InstallContext): string {
  if (platform === "win32") return join(env["ProgramFiles"] ?? "C:\\Program Files", "ClaudeCode");
  return platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";
}

/** Claude Code runs hooks in an interactive session only once its user has said that they trust the folder. */
function folderTrust(context: InstallContext): AgentFinding[] {
  const state = jsonAt(join(context.env["CLAUDE_CONFIG_DIR"] || context.home, ".claude.json"));
  const projects = state["projects"] as Record<string, { hasTrustDialogAccepted?: unknown } | undefined> | undefined;
  if (projects?.[context.project]?.hasTrustDialogAccepted === true) return [];
  const detail = "this folder is not trusted in Claude Code yet: in a session with a person hooks wait for that";
  return [{ status: "ok", detail, hint: "start claude here once and say yes" }];
}

/** Codex keeps a record for each hook that its user has reviewed. Whether it is for this very text, only Codex knows. */
function trust(tool: ToolName, entries: readonly OurEntry[], context: InstallContext): AgentFinding[] {
  if (tool === "claude-code") return folderTrust(context);
  if (tool !== "codex" || entries.length === 0) return [];
  const hooks = codexConfig(context)["hooks"] as
    | { state?: Record<string, { trusted_hash?: unknown; enabled?: unknown }> }
    | undefined;
  const paths = new Set(entries.map(({ path }) => path));
  const records = Object.entries(hooks?.state ?? {}).filter(([key]) =>
    [...paths].some((path) => key.startsWith(`${path}:`)),
  );
  const hint = "type /hooks in a Codex session and review it";
  if (records.some(([, record]) => record.enabled === false)) {
    return [{ status: "warn", detail: "the hook is disabled in Codex", hint }];
  }
  const reviewed = records.filter(([, record]) => typeof record.trusted_hash === "string").length;
  if (reviewed >= entries.length) return [{ status: "ok", detail: "reviewed in Codex" }];
  return [{ status: "warn", detail: "not reviewed in Codex yet: until then it does not run", hint }];
}

/** Another tool's hook that rewrites the same commands. */
function rivals(tool: ToolName, ...contexts: readonly InstallContext[]): AgentFinding[] {
  const found = new Set<string>();
  for (const context of contexts) {
    for (const change of integrationFor(tool, context, { everywhere: true }).changes) {
      for (const { path, value } of entriesIn(change)) {
        if (startsOurHook(value)) continue;
        for (const line of commandsIn(value)) {
          if (REWRITERS.test(line))
            found.add(`${short(path, context.env)} also starts '${line.slice(0, 80)}', which rewrites commands`);
        }
      }
    }
  }
  return [...found].map((detail) => ({
    status: "warn",
    detail,
    hint: "of two rewrites only the last one counts: keep one of the tools",
  }));
}

/** Two installations that both run for one call. */
function twice(tool: ToolName, places: number, everywhere: InstallContext, here: InstallContext): AgentFinding[] {
  const findings: AgentFinding[] = [];
  const claudeFiles = ours("claude-code", everywhere).length > 0;
  if (places > 1 && tool !== "claude-code") {
    findings.push({
      status: "warn",
      detail: "connected twice: for every repository and in this one",
      hint: `tokenix remove-hook --tool ${tool} --local`,
    });
  }
  if (tool === "vscode" && claudeFiles && existsSync(join(copilotHome(everywhere), "hooks", "tokenix.json"))) {
    findings.push({
      status: "ok",
      detail: "reads Claude Code's settings too: the hook is called twice, and the second call does nothing",
    });
  }
  if (tool === "copilot" && ours("claude-code", here).length > 0) {
    findings.push({
      status: "ok",
      detail: "reads this repository's Claude settings too: the hook is called twice, and the second call does nothing",
    });
  }
  return findings;
}

function codexConfig(context: InstallContext): Record<string, unknown> {
  return tomlOf(readTextIfPresent(join(codexHome(context), "config.toml"), MAX_BYTES) ?? "");
}

function jsonAt(path: string): Record<string, unknown> {
  const value = jsonOf(readTextIfPresent(path, MAX_BYTES) ?? "");
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function jsonOf(text: string): unknown {
  try {
    return plainValue(parseJsonc(text));
  } catch {
    return undefined;
  }
}

function tomlOf(text: string): Record<string, unknown> {
  try {
    return parseToml(text.replace(/^\uFEFF/, ""));
  } catch {
    return {};
  }
}
