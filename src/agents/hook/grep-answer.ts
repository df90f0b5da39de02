/** What the index says to a pattern: the symbol table for a bare name, the places nearest in meaning for a question. */
import { relative, resolve } from "node:path";
import { kept } from "../../platform/lists.ts";
import { countTokens } from "../../platform/tokens.ts";
import type { GrepInput } from "../tool-call.ts";
import type { HookContext } from "./context.ts";
import type { Project } from "./project.ts";

export interface GrepAnswer {
  readonly by: "symbols" | "meaning";
  readonly text: string;
  readonly tokens: number;
}

const NAME = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$~][\w$]*)*$/;
const SHORTEST_NAME = 3;

/** Words of a plain question; a regular expression has none. */
export function wordsOf(pattern: string): number {
  if (/[\\^$*+[\]{}()|<>=;]|\.\*/.test(pattern)) return 0;
  // A pattern of every letter takes long to make, and hardly any word needs it.
  return kept(pattern.split(/\s+/), (word) => /[A-Za-z0-9]/.test(word) || /[\p{L}\p{N}]/u.test(word)).length;
}

export function isBareName(pattern: string): boolean {
  return pattern.length >= SHORTEST_NAME && NAME.test(pattern);
}

export async function grepAnswer(
  grep: GrepInput,
  project: Project,
  context: HookContext,
  lead: string,
): Promise<GrepAnswer | undefined> {
  const pattern = grep.pattern.trim();
  const isName = isBareName(pattern);
  const { grepMinWords } = project.config.hook;
  const isQuestion = !(isName && grepMinWords > 1) && wordsOf(pattern) >= grepMinWords;
  if (!isQuestion && !isName) return undefined;
  const answers = await context.answers(project);
  const found = isQuestion
    ? await answers.meaning(pattern, folderOf(grep.path, project.root))
    : await answers.symbols(pattern);
  if (!found || found.hits === 0) return undefined;
  const how = isQuestion ? "the places nearest in meaning" : "what the symbol table has under that or a near name";
  const text = `[tokenix: ${lead} "${pattern}"; from the index, ${how}]\n${found.text.trimEnd()}`;
  return { by: isQuestion ? "meaning" : "symbols", text, tokens: countTokens(text) };
}

/** The searched folder, as the index names it; undefined for the whole project, or a place outside of it. */
function folderOf(path: string | undefined, root: string): string | undefined {
  if (path === undefined) return undefined;
  const name = relative(root, resolve(root, path)).replaceAll("\\", "/");
  return name === "" || name.startsWith("..") ? undefined : name;
}
