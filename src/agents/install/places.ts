/** Where each agent keeps its settings: user-wide, moved by the agent's own variables, or in the repository. */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { findInPath, type InstallContext } from "./context.ts";
import type { ToolName } from "./tools.ts";

export function claudeHome({ env, home }: InstallContext): string {
  return moved(env["CLAUDE_CONFIG_DIR"]) ?? join(home, ".claude");
}

export function codexHome({ env, home }: InstallContext): string {
  return moved(env["CODEX_HOME"]) ?? join(home, ".codex");
}

export function copilotHome({ env, home }: InstallContext): string {
  return moved(env["COPILOT_HOME"]) ?? join(home, ".copilot");
}

export function geminiHome({ home }: InstallContext): string {
  return join(home, ".gemini");
}

export function cursorHome({ home }: InstallContext): string {
  return join(home, ".cursor");
}

/** OpenCode follows the XDG variables on every system. */
export function opencodeHome({ env, home }: InstallContext): string {
  return join(moved(env["XDG_CONFIG_HOME"]) ?? join(home, ".config"), "opencode");
}

/** The user folder of VS Code, the stable build. */
export function vscodeUserFolder({ env, home, platform }: InstallContext): string {
  if (platform === "win32") return join(env["APPDATA"] ?? join(home, "AppData", "Roaming"), "Code", "User");
  if (platform === "darwin") return join(home, "Library", "Application Support", "Code", "User");
  return join(moved(env["XDG_CONFIG_HOME"]) ?? join(home, ".config"), "Code", "User");
}

/** True when the agent has been used on this machine, or could be. */
export function isPresent(tool: ToolName, context: InstallContext): boolean {
  const { env, home } = context;
  const has = (folder: string, ...programs: string[]): boolean =>
    existsSync(folder) || programs.some((name) => findInPath(name, env) !== undefined);
  switch (tool) {
    case "claude-code":
      return has(claudeHome(context), "claude");
    case "codex":
      return has(codexHome(context), "codex");
    case "copilot":
      return has(copilotHome(context), "copilot");
    case "vscode":
      return has(vscodeUserFolder(context), "code");
    case "antigravity":
      return has(join(geminiHome(context), "config"), "agy") || existsSync(join(home, ".gemini", "antigravity-cli"));
    case "gemini":
      return has(join(geminiHome(context), "settings.json"), "gemini");
    case "opencode":
      return has(opencodeHome(context), "opencode");
    case "cursor":
      return has(cursorHome(context), "cursor", "cursor-agent");
    case "mcp":
      return true;
  }
}

function moved(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
