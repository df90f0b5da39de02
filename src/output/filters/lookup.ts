/** Which filter of one table takes a command. Compiles only the patterns of filters that may match its first words. */
import { anyOf } from "../../platform/lists.ts";
import { asksForMachineFormat } from "./machine.ts";
import { type DispatchTable, type FilterHead, loadPattern } from "./stored.ts";

/** The first filter that takes one of the candidates, candidates in order. A pattern that can't be compiled matches nothing. */
export function lookup(table: DispatchTable, candidates: readonly string[]): FilterHead | undefined {
  for (const candidate of candidates) {
    for (const spelling of spellings(candidate)) {
      const command = spelling.trim();
      const words = firstTwo(command);
      if (!words) continue;
      const heads = table.headsFor(words[0], words[1]);
      if (heads.length === 0) continue;
      const machine = asksForMachineFormat(command);
      for (const head of heads) if ((head[3] === 1 || !machine) && matches(head, command)) return head;
    }
  }
  return undefined;
}

/** The first two words; found by hand where they are ASCII, as a first use of a pattern costs more than the rest. */
function firstTwo(command: string): [string, string] | undefined {
  const ends: number[] = [];
  let isInWord = false;
  for (let at = 0; at < command.length && ends.length < 4; at++) {
    const code = command.charCodeAt(at);
    if (code > 126) {
      const [first = "", second = ""] = command.split(/\s+/, 2);
      return first === "" ? undefined : [first, second];
    }
    const isWord = code > 32 || (code < 32 && (code < 9 || code > 13));
    if (isWord !== isInWord) ends.push(at);
    isInWord = isWord;
  }
  if (ends.length === 0) return undefined;
  const [from = 0, to, from2, to2] = ends;
  return [command.slice(from, to), from2 === undefined ? "" : command.slice(from2, to2)];
}

/** A command as it is, and with the program's bare name: `/usr/bin/gcc-13 a.c` is also `gcc a.c`, `pytest.exe` is `pytest`. */
export function spellings(candidate: string): string[] {
  if (isPlainCommand(candidate)) return [candidate];
  const blank = candidate.search(/\s/);
  const word = blank < 0 ? candidate : candidate.slice(0, blank);
  if (word === "") return [];
  const rest = candidate.slice(word.length);
  const name = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  const base = name.includes(".") ? name.replace(/\.(?:exe|cmd|bat)$/i, "") : name;
  const last = base.charCodeAt(base.length - 1);
  const plain = last < 48 || last > 57 ? base : base.replace(/^([a-zA-Z][\w+-]*?)-?\d+(?:\.\d+)*$/, "$1");
  const out = [word + rest];
  if (base !== word && base !== "") out.push(base + rest);
  if (plain !== base && plain !== word && plain !== "") out.push(plain + rest);
  return out;
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

function matches(head: FilterHead, command: string): boolean {
  try {
    return loadPattern(head[1]).test(command) && !anyOf(head[2], (unless) => loadPattern(unless).test(command));
  } catch {
    return false;
  }
}
