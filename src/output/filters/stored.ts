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

/** What choosing a filter needs to know of it: name, `match_command`, `unless_command`, `machine_output`. */
export type FilterHead = readonly [name: string, match: string, unless: readonly string[], machine: 0 | 1];

export function headOf(definition: FilterDefinition): FilterHead {
  return [definition.name, definition.match_command, definition.unless_command, definition.machine_output ? 1 : 0];
}

/**
 * Which filters may take a command that begins with a word. Kept as text and searched as text: to parse a table of
 * hundreds of filters takes longer than the question that is asked of it.
 *
 *     H0\t["git-log","^git\\s+log\\b",[],0]      one line a filter
 *     Wgit\t0,3                               one line a word: its filters in the order to try them
 *     *\t7                                    filters whose first word can't be listed
 */
export class DispatchTable {
  constructor(readonly text: string) {}

  /** In the order to try them. */
  headsFor(word: string): readonly FilterHead[] {
    if (/[\t\n]/.test(word)) return [];
    return [...this.headsOf(`W${word}`), ...this.any];
  }

  get any(): readonly FilterHead[] {
    return this.headsOf("*");
  }

  /** Every filter once; for lists, not for the hot door. */
  get heads(): readonly FilterHead[] {
    return [...this.text.matchAll(/^H\d+\t(.*)$/gm)].map((match) => JSON.parse(match[1] ?? "[]") as FilterHead);
  }

  private headsOf(key: string): readonly FilterHead[] {
    const places = this.line(key);
    if (!places) return [];
    return places.split(",").flatMap((place) => {
      const head = this.line(`H${place}`);
      return head ? [JSON.parse(head) as FilterHead] : [];
    });
  }

  /** What stands behind `key\t` at the start of a line. */
  private line(key: string): string | undefined {
    const at = this.text.indexOf(`\n${key}\t`);
    if (at < 0) return undefined;
    const from = at + key.length + 2;
    const end = this.text.indexOf("\n", from);
    return this.text.slice(from, end < 0 ? undefined : end);
  }
}
