/**
 * The other agents tell no permission mode, so a rewrite is proved only by a setting that asks nothing at all.
 */
import { isObject, type JsonObject } from "../json.ts";
import { type Env, homeOf, joined, jsonFile, namesIn } from "../places.ts";
import type { Verdict } from "./claude.ts";

export const UNPROVED: Verdict = { may: false, why: "the agent does not tell what it would ask for" };

export async function judgeAntigravity(env: Env): Promise<Verdict> {
  const file = await jsonFile(joined(await homeOf(env), ".gemini", "antigravity-cli", "settings.json"));
  if (file.problem !== undefined || !file.json) return UNPROVED;
  if (file.json["toolPermission"] !== "always-proceed") return UNPROVED;
  const permissions = file.json["permissions"];
  const refuses = isObject(permissions) && (hasEntries(permissions, "deny") || hasEntries(permissions, "ask"));
  return refuses ? UNPROVED : { may: true, why: "toolPermission is always-proceed and no rule refuses anything" };
}

/** Settings and policies from elsewhere than the files that are read here. */
const ELSEWHERE = ["GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"];

/** Policies judge the rewritten words; only a blanket allowance of the shell tool makes them not matter. */
export async function judgeGemini(cwd: string | undefined, env: Env): Promise<Verdict> {
  if (ELSEWHERE.some((name) => env[name])) return UNPROVED;
  const home = joined(await homeOf(env), ".gemini");
  const system = process.platform === "win32" ? "C:\\ProgramData\\gemini-cli" : "/etc/gemini-cli";
  const project = cwd === undefined ? [] : [joined(cwd, ".gemini")];
  for (const dir of [home, system, ...project]) if (namesIn(joined(dir, "policies")).length > 0) return UNPROVED;
  for (const dir of [home, ...project]) if (await hasRefusingExtension(joined(dir, "extensions"))) return UNPROVED;
  // What came with the repository may refuse, and allows nothing: the folder may not be trusted.
  const own = [joined(home, "settings.json"), joined(system, "settings.json")];
  const others = [joined(system, "system-defaults.json"), ...project.map((dir) => joined(dir, "settings.json"))];
  const files = await Promise.all([...own, ...others].map((path) => jsonFile(path)));
  let allowed = false;
  for (const [at, { json, problem }] of files.entries()) {
    if (problem !== undefined) return UNPROVED;
    if (!json) continue;
    if (["policyPaths", "adminPolicyPaths", "excludeTools", "coreTools"].some((key) => hasEntries(json, key)))
      return UNPROVED;
    const tools = json["tools"];
    if (!isObject(tools)) continue;
    if (hasEntries(tools, "exclude") || hasEntries(tools, "core")) return UNPROVED;
    const list = tools["allowed"];
    if (at < own.length && Array.isArray(list) && list.some((name) => SHELL_TOOL.has(String(name)))) allowed = true;
  }
  return allowed ? { may: true, why: "the shell tool is allowed as a whole" } : UNPROVED;
}

const SHELL_TOOL = new Set(["run_shell_command", "ShellTool"]);

/** An extension may leave tools out, or bring policies. */
async function hasRefusingExtension(folder: string): Promise<boolean> {
  for (const name of namesIn(folder)) {
    const dir = joined(folder, name);
    if (namesIn(joined(dir, "policies")).length > 0) return true;
    const { json, problem } = await jsonFile(joined(dir, "gemini-extension.json"));
    if (problem !== undefined || (json && hasEntries(json, "excludeTools"))) return true;
  }
  return false;
}

function hasEntries(from: JsonObject, key: string): boolean {
  const value = from[key];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}
