/** Makes the dispatch table: which filters may match a command that begins with two words. Run at build time and when user filters change. */

import { translatePattern } from "./regex.ts";
import { isAnchored, type Lead, leads, parseRegex } from "./regex-tree.ts";
import type { FilterDefinition } from "./schema.ts";
import { DispatchTable, type FilterHead, isWordCode, PLACE_DIGITS, storePattern } from "./stored.ts";

/** A first word's filters, by their numbers in the order to try them. */
interface Words {
  readonly any: Set<number>;
  readonly exact: Map<string, Set<number>>;
  readonly goesOn: Map<string, Set<number>>;
}

export function buildDispatch(definitions: readonly FilterDefinition[]): DispatchTable {
  // The longer pattern is the more specific one: `^git\s+log` is asked before `^git\b`.
  const sorted = [...definitions].sort(
    (a, b) => b.match_command.length - a.match_command.length || (a.name < b.name ? -1 : 1),
  );
  const words = new Map<string, Words>();
  const any: number[] = [];
  sorted.forEach((definition, at) => {
    const found = leadsOf(definition);
    if (!found) any.push(at);
    else for (const lead of found) add(words, lead, at);
  });
  const heads = sorted.map((definition) => `${JSON.stringify(headOf(definition))}\n`);
  const places: number[] = [];
  let end = PLACE_DIGITS + 1;
  for (const head of heads) {
    places.push(end);
    end += head.length;
  }
  const line = (lead: string, numbers: Iterable<number>) =>
    `${lead}\t${[...numbers].map((number) => places[number]).join(",")}\n`;
  const lines = [...words].flatMap(([first, known]) => [
    ...secondsOf(known).map(([second, numbers]) => line(`${first} ${second}`, numbers)),
    line(first, sortedSet(known.any)),
  ]);
  return new DispatchTable(
    `${String(end).padStart(PLACE_DIGITS, "0")}\n${heads.join("")}${lines.join("")}${line("*", any)}`,
  );
}

function leadsOf(definition: FilterDefinition): readonly Lead[] | undefined {
  const { pattern, flags } = translatePattern(definition.match_command);
  const node = parseRegex(pattern, flags);
  return isAnchored(node) ? leads(node) : undefined;
}

function add(words: Map<string, Words>, { first, second, goesOn }: Lead, at: number): void {
  const known = words.get(first) ?? { any: new Set(), exact: new Map(), goesOn: new Map() };
  words.set(first, known);
  if (second === undefined) {
    known.any.add(at);
    return;
  }
  const seconds = goesOn ? known.goesOn : known.exact;
  seconds.set(second, (seconds.get(second) ?? new Set()).add(at));
}

/** Each second word that is listed, with every filter that could take it. */
function secondsOf({ any, exact, goesOn }: Words): [string, number[]][] {
  return [...new Set([...exact.keys(), ...goesOn.keys()])].map((second) => {
    let end = 0;
    while (isWordCode(second.charCodeAt(end))) end++;
    const also = [exact.get(second), goesOn.get(second), goesOn.get(second.slice(0, end))];
    return [second, sortedSet(any, ...also)];
  });
}

function sortedSet(...sets: readonly (ReadonlySet<number> | undefined)[]): number[] {
  return [...new Set(sets.flatMap((set) => [...(set ?? [])]))].sort((a, b) => a - b);
}

function headOf(definition: FilterDefinition): FilterHead {
  return [
    definition.name,
    stored(definition.match_command),
    definition.unless_command.map(stored),
    definition.machine_output ? 1 : 0,
  ];
}

function stored(source: string): string {
  const { pattern, flags } = translatePattern(source);
  return storePattern(pattern, flags);
}
