/** What a file's language tells about it. The one place where the index meets the languages room. */
import { compileAhead } from "../languages/engine/runtime.ts";
import { dialectOf, extract } from "../languages/extract.ts";
import { languageOf, languages } from "../languages/registry.ts";
import type { Extraction } from "../languages/types.ts";

/** A parse that takes longer is given up, and the file becomes generic blocks that say so. */
const PARSE_LIMIT_MS = 1000;

export interface Analysis {
  readonly language: string;
  readonly isCode: boolean;
}

export function languageOfFile(path: string, text: string, overrides: Readonly<Record<string, string>>): Analysis {
  const end = text.indexOf("\n");
  const firstLine = text.slice(0, end < 0 ? 300 : Math.min(end, 300));
  const named = languageOf(path, firstLine, overrides);
  if (named === undefined) return { language: "text", isCode: false };
  const language = dialectOf(named, text);
  return { language, isCode: languages.get(language)?.isCode ?? false };
}

/** Begins to compile the grammar that a file will want, beside what this thread does meanwhile. */
export function prepareFor(path: string, overrides: Readonly<Record<string, string>>): void {
  const language = languageOf(path, "", overrides);
  if (language !== undefined) compileAhead(language);
}

export function extractFile(language: string, text: string): Promise<Extraction> {
  return extract(language, text, { timeLimitMs: PARSE_LIMIT_MS, now: busyClock() });
}

/**
 * Milliseconds since now, but no more than this process was at work: on an overloaded machine a second passes while
 * nothing is parsed, and which files are given up would depend on the neighbours.
 */
function busyClock(): () => number {
  const started = performance.now();
  const usage = process.cpuUsage();
  return () => {
    const elapsed = performance.now() - started;
    if (elapsed < PARSE_LIMIT_MS) return elapsed;
    const { user, system } = process.cpuUsage(usage);
    return Math.min(elapsed, (user + system) / 1000);
  };
}
