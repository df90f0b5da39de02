/** Makes the dispatch table: which filters may match a command that begins with a word. Run at build time and when user filters change. */

import { translatePattern } from "./regex.ts";
import { firstWords, isAnchored, parseRegex } from "./regex-tree.ts";
import type { FilterDefinition } from "./schema.ts";
import { DispatchTable, headOf } from "./stored.ts";

export function buildDispatch(definitions: readonly FilterDefinition[]): DispatchTable {
  // The longer pattern is the more specific one: `^git\s+log` is asked before `^git\b`.
  const sorted = [...definitions].sort(
    (a, b) => b.match_command.length - a.match_command.length || (a.name < b.name ? -1 : 1),
  );
  const words: Record<string, number[]> = Object.create(null);
  const any: number[] = [];
  sorted.forEach((definition, at) => {
    const { pattern, flags } = translatePattern(definition.match_command);
    const node = parseRegex(pattern, flags);
    const first = isAnchored(node) ? firstWords(node) : undefined;
    if (!first) any.push(at);
    else for (const word of first) words[word] = [...(words[word] ?? []), at];
  });
  const lines = [
    ...sorted.map((definition, at) => `H${at}\t${JSON.stringify(headOf(definition))}`),
    ...Object.entries(words).map(([word, places]) => `W${word}\t${places.join(",")}`),
    `*\t${any.join(",")}`,
  ];
  return new DispatchTable(`\n${lines.join("\n")}\n`);
}
