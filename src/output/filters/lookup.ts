/** Which filter of one table takes a command. Compiles only the patterns of filters that may match its first word. */
import { asksForMachineFormat } from "./machine.ts";
import { compilePattern } from "./regex.ts";
import type { DispatchTable, FilterHead } from "./stored.ts";

/** The first filter that takes one of the candidates, candidates in order. A pattern that can't be compiled matches nothing. */
export function lookup(table: DispatchTable, candidates: readonly string[]): FilterHead | undefined {
  for (const candidate of candidates.flatMap(spellings)) {
    const command = candidate.trim();
    const word = /^\S+/.exec(command)?.[0];
    if (!word) continue;
    const places = [...(Object.hasOwn(table.words, word) ? (table.words[word] ?? []) : []), ...table.any];
    if (places.length === 0) continue;
    const machine = asksForMachineFormat(command);
    for (const place of places) {
      const head = table.heads[place];
      if (head && (head[3] === 1 || !machine) && matches(head, command)) return head;
    }
  }
  return undefined;
}

/** A command as it is, and with the program's bare name: `/usr/bin/gcc-13 a.c` is also `gcc a.c`, `pytest.exe` is `pytest`. */
export function spellings(candidate: string): string[] {
  const match = /^(\S+)(.*)$/s.exec(candidate);
  const word = match?.[1];
  if (!word) return [];
  const base = word
    .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .replace(/\.(?:exe|cmd|bat)$/i, "");
  const plain = base.replace(/^([a-zA-Z][\w+-]*?)-?\d+(?:\.\d+)*$/, "$1");
  return [...new Set([word, base, plain])].filter((name) => name !== "").map((name) => name + (match[2] ?? ""));
}

function matches(head: FilterHead, command: string): boolean {
  try {
    return compilePattern(head[1]).test(command) && !head[2].some((unless) => compilePattern(unless).test(command));
  } catch {
    return false;
  }
}
