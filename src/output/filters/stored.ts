/** A definition as it is stored in the binary and in the cache: JSON without what is at its default. */
import type { FilterDefinition } from "./schema.ts";

const DEFAULTS: Omit<FilterDefinition, "name" | "description" | "match_command"> = {
  unless_command: [],
  machine_output: false,
  match_output: [],
  strip_ansi: true,
  block_caps: [],
  strip_lines_matching: [],
  keep_lines_matching: [],
  replace_in_lines: [],
  extract_sections: [],
  category_caps: [],
  priority_lines: [],
  filter_stderr: false,
  on_failure: "filter",
  passthrough_when_emptied: false,
  cannot_fail: false,
};

export function storeDefinition(definition: FilterDefinition): string {
  const defaults: Readonly<Record<string, unknown>> = DEFAULTS;
  return JSON.stringify(definition, (key, value: unknown) =>
    key in defaults && JSON.stringify(value) === JSON.stringify(defaults[key]) ? undefined : value,
  );
}

export function loadDefinition(json: string): FilterDefinition {
  return { ...DEFAULTS, ...(JSON.parse(json) as FilterDefinition) };
}

/**
 * What choosing a filter needs to know of it: name, `match_command`, `unless_command`, `machine_output`. The patterns are
 * JavaScript's already, as `storePattern` writes them: translating one takes ten times as long as compiling it.
 */
export type FilterHead = readonly [name: string, match: string, unless: readonly string[], machine: 0 | 1];

/** `pattern`, or `/flags/pattern` where it has any (or begins with a slash itself). */
export function storePattern(pattern: string, flags: string): string {
  return flags === "" && !pattern.startsWith("/") ? pattern : `/${flags}/${pattern}`;
}

/** @throws SyntaxError when it is none. */
export function loadPattern(stored: string): RegExp {
  if (!stored.startsWith("/")) return new RegExp(stored);
  const at = stored.indexOf("/", 1);
  return new RegExp(stored.slice(at + 1), stored.slice(1, at));
}

/** Digits of a place in the table, so that one can be written before the table's length is known. */
export const PLACE_DIGITS = 8;

/**
 * Which filters may take a command that begins with one or two words. Kept as text and searched as text: to parse a table
 * of hundreds of filters takes longer than the question that is asked of it.
 *
 *     00001234                                   where the words begin
 *     ["git-log","^git\\s+log\\b",[],0]          one line a filter
 *     git log\t9,77                              one line a lead: where its filters stand, in the order to try them
 *     git\t77                                    filters of any other second word
 *     *\t99                                      filters whose first word can't be listed
 */
export class DispatchTable {
  private words: string | undefined;
  private anywhere: string | undefined;

  constructor(readonly text: string) {}

  /** In the order to try them. @param second the second word of the command, "" when there is none. */
  headsFor(first: string, second = ""): readonly FilterHead[] {
    this.anywhere ??= this.places("*") ?? "";
    const any = this.anywhere;
    if (first === "*" || /[\t\n]/.test(first)) return this.headsAt(any);
    const listed = (second && this.ofSecond(first, second)) || this.places(first) || "";
    return this.headsAt(listed && any ? `${listed},${any}` : listed || any);
  }

  /** Filters that are asked for every command. */
  get any(): readonly FilterHead[] {
    return this.headsAt(this.places("*") ?? "");
  }

  /** Every filter once; for lists, not for the hot door. */
  get heads(): readonly FilterHead[] {
    const end = Number(this.text.slice(0, PLACE_DIGITS)) - 1;
    const lines = this.text.slice(PLACE_DIGITS + 1, end).split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as FilterHead);
  }

  private ofSecond(first: string, second: string): string | undefined {
    if (second.includes("\t")) return undefined;
    const listed = this.places(`${first} ${second}`);
    if (listed !== undefined) return listed;
    let end = 0;
    while (isWordCode(second.charCodeAt(end))) end++;
    return end > 0 && end < second.length ? this.places(`${first} ${second.slice(0, end)}`) : undefined;
  }

  /** What stands behind `lead\t` at the start of a line; "" is none. */
  private places(lead: string): string | undefined {
    this.words ??= this.text.slice(Number(this.text.slice(0, PLACE_DIGITS)) - 1);
    const at = this.words.indexOf(`\n${lead}\t`);
    if (at < 0) return undefined;
    const from = at + lead.length + 2;
    return this.words.slice(from, this.words.indexOf("\n", from));
  }

  private headsAt(places: string): readonly FilterHead[] {
    if (places === "") return [];
    const heads: FilterHead[] = [];
    for (const place of places.split(",")) {
      const from = Number(place);
      heads.push(JSON.parse(this.text.slice(from, this.text.indexOf("\n", from))) as FilterHead);
    }
    return heads;
  }
}

/** What `\w` matches. */
export function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}
