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

/** Policies judge the rewritten words; only a blanket allowance of the shell tool makes them not matter. */
export async function judgeGemini(cwd: string | undefined, env: Env): Promise<Verdict> {
  const home = joined(await homeOf(env), ".gemini");
  const system = process.platform === "win32" ? "C:\\ProgramData\\gemini-cli" : "/etc/gemini-cli";
  if (namesIn(joined(home, "policies")).length > 0 || namesIn(joined(system, "policies")).length > 0) return UNPROVED;
  if (cwd !== undefined && namesIn(joined(cwd, ".gemini", "policies")).length > 0) return UNPROVED;
  const folders = [home, system, ...(cwd === undefined ? [] : [joined(cwd, ".gemini")])];
  const files = await Promise.all(folders.map((dir) => jsonFile(joined(dir, "settings.json"))));
  let allowed = false;
  for (const [at, { json, problem }] of files.entries()) {
    if (problem !== undefined) return UNPROVED;
    const tools = json?.["tools"];
    if (!isObject(tools)) continue;
    if (hasEntries(tools, "exclude") || hasEntries(tools, "core")) return UNPROVED;
    const list = tools["allowed"];
    // What came with the repository may refuse, and allows nothing: the folder may not be trusted.
    if (at < 2 && Array.isArray(list) && list.some((name) => name === "run_shell_command" || name === "ShellTool"))
      allowed = true;
  }
  return allowed ? { may: true, why: "the shell tool is allowed as a whole" } : UNPROVED;
}

function hasEntries(from: JsonObject, key: string): boolean {
  const value = from[key];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}
