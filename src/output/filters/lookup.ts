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
    const heads = table.headsFor(word);
    if (heads.length === 0) continue;
    const machine = asksForMachineFormat(command);
    for (const head of heads) if ((head[3] === 1 || !machine) && matches(head, command)) return head;
  }
  return undefined;
}

/** A command as it is, and with the program's bare name: `/usr/bin/gcc-13 a.c` is also `gcc a.c`, `pytest.exe` is `pytest`. */
export function spellings(candidate: string): string[] {
  if (isPlainCommand(candidate)) return [candidate];
  const match = /^(\S+)(.*)$/s.exec(candidate);
  const word = match?.[1];
  if (!word) return [];
  const base = word
    .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .replace(/\.(?:exe|cmd|bat)$/i, "");
  const plain = base.replace(/^([a-zA-Z][\w+-]*?)-?\d+(?:\.\d+)*$/, "$1");
  return [...new Set([word, base, plain])].filter((name) => name !== "").map((name) => name + (match[2] ?? ""));
}

/** Begins with letters and hyphens alone: there is only one way to spell it, and no pattern is needed to know. */
function isPlainCommand(candidate: string): boolean {
  for (let at = 0; at < candidate.length; at++) {
    const code = candidate.charCodeAt(at);
    if (code === 32) return at > 0;
    if (!((code >= 97 && code <= 122) || code === 45)) return false;
  }
  return candidate !== "";
}

/** What a pattern may hold that JavaScript reads in another way, or not at all. */
const FOREIGN = [
  "(?i",
  "(?m",
  "(?s",
  "(?x",
  "(?u",
  "(?U",
  "(?P",
  "(?-",
  "(?#",
  "[[",
  "[]",
  "[^]",
  "\\A",
  "\\z",
  "\\Z",
  "\\h",
  "\\x",
  "\\p",
  "\\P",
];

function compiled(source: string): RegExp {
  // Translating costs ten times the compiling; nearly all bundled patterns are JavaScript already.
  const isOwn = isAscii(source) && !FOREIGN.some((mark) => source.includes(mark));
  return isOwn ? new RegExp(source) : compilePattern(source);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 126) return false;
  return true;
}

function matches(head: FilterHead, command: string): boolean {
  try {
    return compiled(head[1]).test(command) && !head[2].some((unless) => compiled(unless).test(command));
  } catch {
    return false;
  }
}
