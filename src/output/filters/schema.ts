/**
 * The filter language: what a filter file may say, parsed strictly into `FilterDefinition`.
 * Knows nothing of TOML, files or regex engines; a key that is not here is an error that names the nearest one,
 * since a mistyped key would otherwise be a rule that silently never runs.
 */
import { nearest } from "../../platform/nearest.ts";

/** `match_output`: the whole output becomes `message` (with `$1`, `$<name>` of the match) unless `unless` is found too. */
export interface OutputMatch {
  readonly pattern: string;
  readonly message: string;
  readonly unless?: string;
}

/** Keep the first `keep` lines of each block that starts at `start` and ends at a blank line, at `end` or at the next start. */
export interface BlockCap {
  readonly start: string;
  readonly keep: number;
  /** At most so many blocks are shown; the rest are counted. */
  readonly max?: number;
  /** First line that is no longer part of the block; a blank line when not given. */
  readonly end?: string;
}

/** Records (one commit, one diagnostic): lines outside of them go, unless `keep_outside`. */
export interface SectionRule {
  readonly start: string;
  /** Last line of a section, itself kept; a blank line ends one when neither this nor `split_on_start` is given. */
  readonly end?: string;
  /** A start line inside an open section begins the next one. */
  readonly split_on_start: boolean;
  /** Lines of one section that stay, then a count marker. */
  readonly max_lines?: number;
  readonly keep_outside: boolean;
}

/** At most `max` lines of a class stay where they are, then `… +N more <label>`. */
export interface CategoryCap {
  readonly pattern: string;
  readonly max: number;
  readonly label: string;
}

/** A line's matched text becomes `with` (`$1`, `$<name>` as in `String.replace`); a line that becomes empty stays. */
export interface LineReplacement {
  readonly pattern: string;
  readonly with: string;
}

export interface SemanticRule {
  readonly model: string;
  readonly query: string;
  readonly top_k: number;
}

/** `tail:N` carries its N; `filter` is the default: a failing output goes through the filter like any other. */
export type OnFailure = "filter" | "passthrough" | { readonly tail: number };

export interface FilterDefinition {
  readonly name: string;
  readonly description: string;
  readonly match_command: string;
  /** Command candidates that match one of these are left to another filter or to none. */
  readonly unless_command: readonly string[];
  /** The filter also takes commands that ask for a machine format (`--json`, `-o yaml`, `--format …`). */
  readonly machine_output: boolean;
  readonly match_output: readonly OutputMatch[];
  readonly strip_ansi: boolean;
  readonly block_caps: readonly BlockCap[];
  readonly strip_lines_matching: readonly string[];
  readonly keep_lines_matching: readonly string[];
  readonly replace_in_lines: readonly LineReplacement[];
  readonly extract_sections: readonly SectionRule[];
  readonly category_caps: readonly CategoryCap[];
  readonly priority_lines: readonly string[];
  readonly head_lines?: number;
  readonly tail_lines?: number;
  readonly max_lines?: number;
  readonly truncate_lines_at?: number;
  readonly filter_stderr: boolean;
  readonly on_failure: OnFailure;
  readonly on_empty?: string;
  readonly passthrough_when_emptied: boolean;
  readonly semantic_filter?: SemanticRule;
  /** The tool has no failing form (`true`, `echo`): its cases need no failing one. */
  readonly cannot_fail: boolean;
}

/** One golden case of a filter: a raw output, and what must become of it. */
export interface FilterCase {
  readonly name: string;
  /** The command line as it was typed, wrappers and all: it must lead to this filter. */
  readonly command: string;
  /** How the raw text was got. */
  readonly source: string;
  readonly exit_code: number;
  /** What the command printed to stdout; to stderr when `stream` says so. */
  readonly input: string;
  /** What it printed to stderr besides. */
  readonly stderr: string;
  readonly stream: "stdout" | "stderr";
  /** What the filter makes of it: the filter's own stages only, without the generic ones. Refreshed by `scripts/filter-try.ts --write`. */
  readonly expected?: string;
  /** Regexes of the facts an agent acts on; each must match what is finally printed. */
  readonly must_keep: readonly string[];
  /** A realistic long output: at least 70 % of it must go. */
  readonly verbose: boolean;
}

export interface FilterFile {
  readonly filters: readonly FilterDefinition[];
  readonly cases: ReadonlyMap<string, readonly FilterCase[]>;
  readonly problems: readonly string[];
}

/**
 * A parsed TOML document as filters and cases. Whatever is wrong is listed in `problems` (each names its filter and key);
 * a filter with a problem is left out, the others of the file still work.
 */
export function parseFilterFile(document: unknown): FilterFile {
  const problems: string[] = [];
  const filters: FilterDefinition[] = [];
  const cases = new Map<string, FilterCase[]>();
  const top = new TableReader(document, "the file", problems);
  for (const [name, value] of top.tables("filters")) {
    const before = problems.length;
    const filter = readFilter(name, new TableReader(value, `filters.${name}`, problems));
    if (problems.length === before) filters.push(filter);
  }
  for (const [name, value] of top.tables("tests")) {
    const list = Array.isArray(value) ? value : [value];
    cases.set(
      name,
      list.map((item, at) => readCase(new TableReader(item, `tests.${name}[${at}]`, problems))),
    );
  }
  top.finish();
  if (filters.length === 0 && problems.length === 0) problems.push("the file has no [filters.NAME] table");
  for (const name of cases.keys()) {
    if (!filters.some((filter) => filter.name === name) && problems.length === 0)
      problems.push(`tests.${name} belongs to no filter of the file`);
  }
  return { filters, cases, problems };
}

function readFilter(name: string, table: TableReader): FilterDefinition {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name))
    table.problem(`the name of a filter is lower-case words joined by '-', not '${name}'`);
  const filter = {
    name,
    description: table.text("description"),
    match_command: table.text("match_command"),
    unless_command: table.texts("unless_command"),
    machine_output: table.flag("machine_output", false),
    match_output: table.list("match_output", (entry) => ({
      pattern: entry.text("pattern"),
      message: entry.text("message"),
      ...optional("unless", entry.optionalText("unless")),
    })),
    strip_ansi: table.flag("strip_ansi", true),
    block_caps: table.list("block_caps", (entry) => ({
      start: entry.text("start"),
      keep: entry.count("keep") ?? 1,
      ...optional("max", entry.count("max")),
      ...optional("end", entry.optionalText("end")),
    })),
    strip_lines_matching: table.texts("strip_lines_matching"),
    keep_lines_matching: table.texts("keep_lines_matching"),
    replace_in_lines: table.list("replace_in_lines", (entry) => ({
      pattern: entry.text("pattern"),
      with: entry.text("with", true),
    })),
    extract_sections: table.list("extract_sections", (entry) => ({
      start: entry.text("start"),
      ...optional("end", entry.optionalText("end")),
      split_on_start: entry.flag("split_on_start", false),
      ...optional("max_lines", entry.count("max_lines")),
      keep_outside: entry.flag("keep_outside", false),
    })),
    category_caps: table.list("category_caps", (entry) => ({
      pattern: entry.text("pattern"),
      max: entry.count("max") ?? 0,
      label: entry.text("label"),
    })),
    priority_lines: table.texts("priority_lines"),
    ...optional("head_lines", table.count("head_lines")),
    ...optional("tail_lines", table.count("tail_lines")),
    ...optional("max_lines", table.count("max_lines")),
    ...optional("truncate_lines_at", table.count("truncate_lines_at")),
    filter_stderr: table.flag("filter_stderr", false),
    on_failure: readOnFailure(table),
    ...optional("on_empty", table.optionalText("on_empty")),
    passthrough_when_emptied: table.flag("passthrough_when_emptied", false),
    ...optional("semantic_filter", table.list("semantic_filter", readSemantic)[0]),
    cannot_fail: table.flag("cannot_fail", false),
  };
  table.finish();
  return filter as FilterDefinition;
}

function optional(key: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [key]: value };
}

function readSemantic(entry: TableReader): SemanticRule {
  return {
    model: entry.optionalText("model") ?? "static",
    query: entry.text("query"),
    top_k: entry.count("top_k") ?? 40,
  };
}

function readOnFailure(table: TableReader): OnFailure {
  const text = table.optionalText("on_failure") ?? "filter";
  if (text === "filter" || text === "passthrough") return text;
  const tail = /^tail:(\d+)$/.exec(text);
  if (tail) return { tail: Number(tail[1]) };
  table.problem(`on_failure is "passthrough", "tail:N" or "filter", not "${text}"`);
  return "filter";
}

function readCase(table: TableReader): FilterCase {
  const stream = table.optionalText("stream") ?? "stdout";
  if (stream !== "stdout" && stream !== "stderr") table.problem(`stream is "stdout" or "stderr", not "${stream}"`);
  const expected = table.optionalText("expected");
  const result: FilterCase = {
    name: table.text("name"),
    command: table.text("command"),
    source: table.text("source"),
    exit_code: table.count("exit_code") ?? 0,
    input: table.text("input", true),
    stderr: table.optionalText("stderr") ?? "",
    stream: stream === "stderr" ? "stderr" : "stdout",
    ...(expected === undefined ? {} : { expected }),
    must_keep: table.texts("must_keep"),
    verbose: table.flag("verbose", false),
  };
  table.finish();
  return result;
}

/** Reads one table key by key and remembers which keys the schema asked for; `finish` reports the others. */
class TableReader {
  private readonly known = new Set<string>();
  private readonly data: Readonly<Record<string, unknown>>;

  constructor(
    value: unknown,
    private readonly where: string,
    private readonly problems: string[],
  ) {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      this.data = value as Record<string, unknown>;
    } else {
      this.data = {};
      this.problem("is not a table");
    }
  }

  problem(text: string): void {
    this.problems.push(`${this.where}: ${text}`);
  }

  text(key: string, mayBeEmpty = false): string {
    const value = this.optionalText(key);
    if (value === undefined && this.data[key] === undefined) this.problem(`'${key}' is missing`);
    else if (value === "" && !mayBeEmpty) this.problem(`'${key}' is empty`);
    return value ?? "";
  }

  optionalText(key: string): string | undefined {
    const value = this.take(key);
    if (value === undefined || typeof value === "string") return value;
    this.problem(`'${key}' must be text`);
    return undefined;
  }

  texts(key: string): readonly string[] {
    const value = this.take(key);
    if (value === undefined) return [];
    if (typeof value === "string") return [value];
    if (Array.isArray(value) && value.every((item): item is string => typeof item === "string")) return value;
    this.problem(`'${key}' must be a list of texts`);
    return [];
  }

  flag(key: string, byDefault: boolean): boolean {
    const value = this.take(key);
    if (value === undefined || typeof value === "boolean") return value ?? byDefault;
    this.problem(`'${key}' must be true or false`);
    return byDefault;
  }

  /** A whole number from 0 up. */
  count(key: string): number | undefined {
    const value = this.take(key);
    const number = typeof value === "bigint" ? Number(value) : value;
    if (number === undefined) return undefined;
    if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
    this.problem(`'${key}' must be a whole number from 0 up`);
    return undefined;
  }

  /** A list of tables; one table alone is a list of one. */
  list<T>(key: string, read: (entry: TableReader) => T): readonly T[] {
    const value = this.take(key);
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map((item, at) => {
      const entry = new TableReader(item, `${this.where}.${key}[${at}]`, this.problems);
      const result = read(entry);
      entry.finish();
      return result;
    });
  }

  tables(key: string): [string, unknown][] {
    const value = this.take(key);
    if (value === undefined) return [];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
    this.problem(`'${key}' must be a table of tables`);
    return [];
  }

  finish(): void {
    for (const key of Object.keys(this.data)) {
      if (this.known.has(key)) continue;
      const near = nearest(key, this.known);
      this.problem(`unknown key '${key}'${near ? `; did you mean '${near}'?` : ""}`);
    }
  }

  private take(key: string): unknown {
    this.known.add(key);
    return this.data[key];
  }
}
