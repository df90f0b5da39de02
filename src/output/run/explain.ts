/** `--explain`: which filter ran, what it dropped, where the rest is. For stderr, in a few lines. */

import type { Final } from "./deliver.ts";
import type { ChosenFilter } from "./print.ts";

export interface Explained {
  readonly filter: ChosenFilter | undefined;
  readonly out: Final;
  readonly err: Final | undefined;
  readonly keepsBytes: boolean;
  readonly verbatim: boolean;
  readonly names: readonly string[];
}

export function explain({ filter, out, err, keepsBytes, verbatim, names }: Explained): string {
  const lines = [`command: ${names.length > 0 ? names.join(" | ") : "several commands, or not understood"}`];
  if (filter) lines.push(`filter: ${filter.definition.name} (${filter.tier}): ${filter.definition.description}`);
  else lines.push("filter: none knows this command");
  if (keepsBytes) lines.push("a machine format was asked for: every byte is kept");
  if (verbatim) lines.push("it prints a file, a patch or a selection: only the token ceiling applies");
  lines.push(...streamLines("stdout", out), ...(err && err.rawChars > 0 ? streamLines("stderr", err) : []));
  return lines.map((line) => `tokenix: ${line}\n`).join("");
}

function streamLines(name: string, final: Final): string[] {
  if (final.isRaw) return [`${name}: ${final.rawChars} chars, as it came`];
  const lines = [`${name}: ${final.rawChars} → ${final.chars} chars`];
  for (const step of final.filter?.steps ?? []) lines.push(`  ${step.stage}: ${step.droppedLines} lines`);
  if (final.filter?.fellBack) lines.push(`  the filter's own result was not used: ${final.filter.fellBack}`);
  for (const step of final.generic?.steps ?? []) lines.push(`  ${step.stage}: ${step.droppedChars} chars`);
  return lines;
}
