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

export interface DispatchTable {
  readonly heads: readonly FilterHead[];
  /** First word of a command → places in `heads`, in the order to try them. */
  readonly words: Readonly<Record<string, readonly number[]>>;
  /** Filters whose first word can't be listed. */
  readonly any: readonly number[];
}

export function headOf(definition: FilterDefinition): FilterHead {
  return [definition.name, definition.match_command, definition.unless_command, definition.machine_output ? 1 : 0];
}
