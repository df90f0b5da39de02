/** Filter files as TOML text. Kept apart from `schema.ts`: bundled filters never need a TOML parser at run time. */
import { parse } from "smol-toml";
import { patternProblem } from "./regex.ts";
import { type FilterFile, parseFilterFile } from "./schema.ts";

/** Parses one file; a TOML error, a wrong key and a bad regex all come back as `problems`, each in one line. */
export function parseFilterToml(text: string): FilterFile {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    const [first = "not TOML"] = (error instanceof Error ? error.message : String(error)).split("\n");
    const line = (error as { line?: number }).line;
    return { filters: [], cases: new Map(), problems: [`not TOML${line ? ` (line ${line})` : ""}: ${first}`] };
  }
  const file = parseFilterFile(document);
  const problems = [...file.problems];
  const filters = file.filters.filter((filter) => {
    const bad = patternsOf(filter).flatMap(({ key, pattern }) => {
      const problem = patternProblem(pattern);
      return problem ? [`filters.${filter.name}: ${key} '${pattern}': ${problem}`] : [];
    });
    problems.push(...bad);
    return bad.length === 0;
  });
  return { ...file, filters, problems };
}

/** Every regex of a filter with the key it stands under. */
export function patternsOf(filter: FilterFile["filters"][number]): { key: string; pattern: string }[] {
  const out: { key: string; pattern: string }[] = [{ key: "match_command", pattern: filter.match_command }];
  const add = (key: string, patterns: readonly (string | undefined)[]) => {
    for (const pattern of patterns) if (pattern !== undefined) out.push({ key, pattern });
  };
  add("unless_command", filter.unless_command);
  add(
    "match_output",
    filter.match_output.flatMap((rule) => [rule.pattern, rule.unless]),
  );
  add(
    "block_caps",
    filter.block_caps.flatMap((rule) => [rule.start, rule.end]),
  );
  add("strip_lines_matching", filter.strip_lines_matching);
  add("keep_lines_matching", filter.keep_lines_matching);
  add(
    "replace_in_lines",
    filter.replace_in_lines.map((rule) => rule.pattern),
  );
  add(
    "extract_sections",
    filter.extract_sections.flatMap((rule) => [rule.start, rule.end]),
  );
  add(
    "category_caps",
    filter.category_caps.map((rule) => rule.pattern),
  );
  add("priority_lines", filter.priority_lines);
  return out;
}
