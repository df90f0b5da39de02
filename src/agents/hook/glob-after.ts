/** A long listing of files, by folder: every name stays, a folder's path is said once. */
import { countTokens } from "../../platform/tokens.ts";
import type { CallOf, Decision } from "../tool-call.ts";
import { type HookContext, pass } from "./context.ts";
import { isToolExcluded } from "./exclusions.ts";
import { logCall } from "./log.ts";

const FEWEST_PATHS = 20;
const LEAST_SAVING = 0.3;

export async function decideGlobAfter(call: CallOf<"glob">, context: HookContext): Promise<Decision> {
  const paths = call.result?.paths ?? [];
  if (paths.length < FEWEST_PATHS) return pass("a short listing");
  const lines = byFolder(paths);
  const rawTokens = countTokens(paths.join("\n"));
  const shownTokens = lines ? countTokens(lines.join("\n")) : rawTokens;
  const project = await context.project(call.cwd);
  if (isToolExcluded("Glob", project.config.hook)) return pass("excluded by the project's configuration");
  const isWorth = lines !== undefined && shownTokens <= rawTokens * (1 - LEAST_SAVING);
  await logCall(call, context, {
    action: isWorth ? "intercepted" : "pass",
    by: "folders",
    rawTokens,
    shownTokens: isWorth ? shownTokens : rawTokens,
  });
  if (!isWorth) return pass("folders in common spare too little");
  return { kind: "replace", with: { kind: "glob", lines }, why: `by folder: ${rawTokens} → ${shownTokens} tokens` };
}

/** Folders in the order they were met. Undefined when a name could be mistaken for two. */
export function byFolder(paths: readonly string[]): readonly string[] | undefined {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    if (/\s/.test(path)) return undefined;
    const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1;
    const folder = path.slice(0, at);
    const names = folders.get(folder);
    if (names) names.push(path.slice(at));
    else folders.set(folder, [path.slice(at)]);
  }
  return [
    `[tokenix: ${paths.length} files, by folder]`,
    ...[...folders].map(([folder, names]) => `${folder === "" ? "./" : folder}: ${names.join(" ")}`),
  ];
}
