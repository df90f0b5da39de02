/** Checks filter files outside of the binary: form, patterns, cases. For `filter verify` and `doctor`. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { readBounded } from "../../platform/files.ts";
import { caseSetProblems, runCase } from "./cases.ts";
import { unprovenPatterns } from "./proven.ts";
import { parseFilterToml } from "./toml.ts";

export const MAX_FILTER_BYTES = 512 * 1024;

export interface VerifiedFile {
  readonly path: string;
  readonly filters: readonly string[];
  readonly cases: number;
  readonly problems: readonly string[];
  /** Not wrong, but worth knowing. */
  readonly remarks: readonly string[];
}

/** @param requireAll also demands what bundled filters must have: two cases and a failing one for each. */
export function verifyFile(path: string, requireAll = false): VerifiedFile {
  let text: string;
  try {
    text = new TextDecoder().decode(readBounded(path, MAX_FILTER_BYTES));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { path, filters: [], cases: 0, problems: [problem], remarks: [] };
  }
  const file = parseFilterToml(text);
  const problems = [...file.problems];
  const remarks: string[] = [];
  let cases = 0;
  for (const filter of file.filters) {
    for (const { key, pattern, problem } of unprovenPatterns(filter)) {
      const where = `${filter.name}: ${key} '${pattern}'`;
      if (key === "match_command" || key === "unless_command") problems.push(`${where} is not used: ${problem}`);
      else remarks.push(`${where} runs under a time budget: ${problem}`);
    }
    const list = file.cases.get(filter.name) ?? [];
    cases += list.length;
    if (requireAll) for (const problem of caseSetProblems(filter, list)) problems.push(`${filter.name} ${problem}`);
    else if (list.length === 0) remarks.push(`${filter.name} has no cases`);
    for (const one of list)
      for (const problem of runCase(filter, one).problems) problems.push(`${filter.name}: ${one.name}: ${problem}`);
  }
  return { path, filters: file.filters.map(({ name }) => name), cases, problems, remarks };
}

export function filterFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".toml"))
      .sort()
      .map((name) => join(folder, basename(name)));
  } catch {
    return [];
  }
}
