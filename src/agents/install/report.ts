/** What an installation or a removal says to people: what was written, where the old bytes are, what is left to do. */
import type { Environment } from "../../platform/paths.ts";
import { userHome } from "../../platform/paths.ts";
import type { FileResult } from "./install.ts";
import type { RemoveResult } from "./remove.ts";

export interface Said {
  readonly lines: readonly string[];
  /** True when something that was asked for could not be done. */
  readonly isIncomplete: boolean;
}

export function sayInstalled(
  title: string,
  results: readonly FileResult[],
  notes: readonly string[],
  options: { readonly env: Environment; readonly isDryRun: boolean },
): Said {
  const lines = [title];
  for (const result of results) {
    const path = short(result.path, options.env);
    if (result.state === "unchanged") lines.push(`  as it should be  ${path}`);
    if (result.state === "left") {
      lines.push(`  left alone       ${path}: ${result.why}`, "  put this there yourself:", ...indented(result.stanza));
    }
    if (result.state !== "written") continue;
    const word = options.isDryRun ? (result.isNew ? "would make" : "would change") : result.isNew ? "made" : "changed";
    const backup = result.backup === undefined ? "" : `  (as it was: ${short(result.backup, options.env)})`;
    lines.push(`  ${word.padEnd(15)}  ${path}${backup}`, ...cut(result.added).map((line) => `    + ${line}`));
  }
  if (results.length === 0) lines.push("  nothing to write: no agent that would read it is on this machine");
  const hasNew = results.some((result) => result.state === "written");
  if (hasNew) lines.push(...notes.map((note) => `  ${note}`));
  return { lines, isIncomplete: results.some((result) => result.state === "left") };
}

export function sayRemoved(
  title: string,
  results: readonly RemoveResult[],
  options: { readonly env: Environment; readonly isDryRun: boolean },
): Said {
  const lines: string[] = [];
  for (const result of results) {
    const path = short(result.path, options.env);
    if (result.state === "left") lines.push(`  left alone  ${path}: ${result.why}`);
    if (result.state !== "removed") continue;
    const state = result.isDeleted
      ? "file gone again"
      : result.isAsBefore
        ? "every byte as before"
        : "ours taken out, the rest kept";
    lines.push(`  ${options.isDryRun ? "would clean" : "cleaned"}  ${path}  (${state})`);
  }
  if (lines.length > 0) lines.unshift(title);
  return { lines, isIncomplete: results.some((result) => result.state === "left") };
}

export function short(path: string, env: Environment): string {
  const home = userHome(env);
  return path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path;
}

function indented(text: string): string[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `    ${line}`);
}

/** Nobody reads a whole plugin in a terminal. */
function cut(lines: readonly string[]): readonly string[] {
  return lines.length <= 24 ? lines : [...lines.slice(0, 6), `… ${lines.length - 6} more lines`];
}
