/** The outline in the place of a whole file: when it is worth it, and how it says what it is. */
import { readFileSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { decodeText } from "../../platform/text.ts";
import { countTokens } from "../../platform/tokens.ts";
import type { CallOf } from "../tool-call.ts";
import type { HookContext } from "./context.ts";
import type { Project } from "./project.ts";

/** An outline must spare at least this share. */
const LEAST_SAVING = 0.3;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

export interface OutlineAnswer {
  readonly text: string;
  readonly rawTokens: number;
  readonly shownTokens: number;
}

export function absolutePath(call: CallOf<"read">, context: HookContext): string {
  const path = call.read.path;
  return isAbsolute(path) ? resolve(path) : resolve(call.cwd ?? context.cwd, path);
}

/** The text of a regular file of sensible size, else undefined. */
export function textOnDisk(path: string): string | undefined {
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return undefined;
    const decoded = decodeText(readFileSync(path));
    return "text" in decoded ? decoded.text.replace(/^\uFEFF/, "") : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when the file is better read as it is. */
export async function outlineAnswer(
  path: string,
  text: string,
  project: Project,
  context: HookContext,
): Promise<OutlineAnswer | undefined> {
  const lines = lineCount(text);
  if (lines < project.config.hook.readMinLines) return undefined;
  const answers = await context.answers(project);
  const outline = await answers.outline(path, text);
  if (!outline) return undefined;
  const shown = withHeader(relative(project.root, path) || path, lines, outline.text);
  const rawTokens = countTokens(text);
  const shownTokens = countTokens(shown);
  if (shownTokens > rawTokens * (1 - LEAST_SAVING)) return undefined;
  return { text: shown, rawTokens, shownTokens };
}

export function lineCount(text: string): number {
  if (text === "") return 0;
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function withHeader(name: string, lines: number, outline: string): string {
  const file = name.replaceAll("\\", "/");
  return [
    `[tokenix: outline of ${file}, ${lines} lines; the numbers below are the file's own line numbers]`,
    outline.trimEnd(),
    "[to see code: read the file again with offset and limit for a range,",
    ` 'tokenix read ${quoted(file)} --symbol NAME' for one symbol, or the whole file once more for all of it]`,
  ].join("\n");
}

function quoted(file: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
