/**
 * `.tokenix.toml` (or `tokenix.toml`) at the project root. The file comes with the repository, so it is
 * untrusted: bounded, checked key by key, and it can only tune. A fault in it is named on stderr by whoever
 * loads it, and the defaults are used for what it spoils: a silent fallback leaves people sure of a setting
 * that is not on.
 */
import { join } from "node:path";
import { messageOf } from "./errors.ts";
import { readTextIfPresent } from "./files.ts";
import { nearest } from "./nearest.ts";

export interface Config {
  readonly hook: {
    /** A whole Read of fewer lines passes through. */
    readonly readMinLines: number;
    /** A Grep pattern of at least this many words may be answered by meaning. */
    readonly grepMinWords: number;
    /** When not empty: only these commands are ever touched (`git`, `git log`). */
    readonly only: readonly string[];
    /** These commands are never touched. */
    readonly exclude: readonly string[];
  };
  readonly index: {
    /** Files above this are skipped whole. */
    readonly maxFileBytes: number;
    /** Extra ignore patterns, in gitignore's syntax. */
    readonly ignore: readonly string[];
    /** The embedding model; undefined leaves the index's own. */
    readonly model: string | undefined;
  };
  /** Extension (without a dot) to language id. */
  readonly languages: Readonly<Record<string, string>>;
  readonly update: {
    /** False switches the background check off. */
    readonly check: boolean;
    /** `notify` never installs by itself. */
    readonly mode: "install" | "notify";
  };
}

export const DEFAULT_CONFIG: Config = {
  hook: { readMinLines: 200, grepMinWords: 3, only: [], exclude: [] },
  index: { maxFileBytes: 1_500_000, ignore: [], model: undefined },
  languages: {},
  update: { check: true, mode: "install" },
};

export interface LoadedConfig {
  readonly config: Config;
  /** The file that was read; undefined when there is none. */
  readonly path: string | undefined;
  /** Sentences for stderr, each naming the key and what was used instead. */
  readonly problems: readonly string[];
}

const NAMES = [".tokenix.toml", "tokenix.toml"] as const;
const MAX_CONFIG_BYTES = 256 * 1024;

/** Reads the project's configuration. Never throws. The TOML parser is loaded only when there is a file. */
export async function loadConfig(root: string): Promise<LoadedConfig> {
  for (const name of NAMES) {
    const path = join(root, name);
    const text = readTextIfPresent(path, MAX_CONFIG_BYTES);
    if (text === undefined) continue;
    const { parse } = await import("smol-toml");
    try {
      const problems: string[] = [];
      return { config: toConfig(parse(text) as Table, problems), path, problems };
    } catch (error) {
      return {
        config: DEFAULT_CONFIG,
        path,
        problems: [`${name} is not valid TOML (${messageOf(error)}): defaults are used`],
      };
    }
  }
  return { config: DEFAULT_CONFIG, path: undefined, problems: [] };
}

type Table = Record<string, unknown>;

const KEYS = {
  hook: ["read_min_lines", "grep_min_words", "only", "exclude"],
  index: ["max_file_bytes", "ignore", "model"],
  update: ["check", "mode"],
} as const;

function toConfig(file: Table, problems: string[]): Config {
  const sections = [...Object.keys(KEYS), "languages"];
  for (const name of Object.keys(file)) if (!sections.includes(name)) problems.push(unknown("section", name, sections));
  const hook = section(file, "hook", problems);
  const index = section(file, "index", problems);
  const update = section(file, "update", problems);
  const languages = section(file, "languages", problems);
  const read = new Reader(problems);
  const base = DEFAULT_CONFIG;
  return {
    hook: {
      readMinLines: read.integer(hook, "hook.read_min_lines", base.hook.readMinLines, 1, 1_000_000),
      grepMinWords: read.integer(hook, "hook.grep_min_words", base.hook.grepMinWords, 1, 100),
      only: read.strings(hook, "hook.only"),
      exclude: read.strings(hook, "hook.exclude"),
    },
    index: {
      maxFileBytes: read.integer(index, "index.max_file_bytes", base.index.maxFileBytes, 1024, 64_000_000),
      ignore: read.strings(index, "index.ignore"),
      model: read.text(index, "index.model"),
    },
    languages: Object.fromEntries(
      Object.entries(languages).flatMap(([extension, id]) => {
        if (typeof id === "string") return [[extension.replace(/^\./, "").toLowerCase(), id]];
        problems.push(`languages.${extension} must be a language name in quotes: ignored`);
        return [];
      }),
    ),
    update: {
      check: read.flag(update, "update.check", base.update.check),
      mode: read.choice(update, "update.mode", ["install", "notify"] as const, base.update.mode),
    },
  };
}

function section(file: Table, name: string, problems: string[]): Table {
  const value = file[name];
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    problems.push(`${name} must be a table ([${name}]): defaults are used`);
    return {};
  }
  const known = (KEYS as Record<string, readonly string[]>)[name];
  if (known)
    for (const key of Object.keys(value))
      if (!known.includes(key)) problems.push(unknown("key", `${name}.${key}`, known));
  return value as Table;
}

function unknown(what: string, name: string, known: readonly string[]): string {
  const near = nearest(name.slice(name.lastIndexOf(".") + 1), known);
  return `unknown ${what} ${name}${near ? ` (did you mean ${near}?)` : `; known: ${known.join(", ")}`}: ignored`;
}

/** Reads single keys; a value of the wrong kind is named and the default used. */
class Reader {
  constructor(private readonly problems: string[]) {}

  integer(table: Table, path: string, fallback: number, least: number, most: number): number {
    const value = this.value(table, path);
    if (value === undefined) return fallback;
    const number = typeof value === "bigint" ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= least && number <= most) return number;
    return this.refuse(path, `a whole number from ${least} to ${most}`, fallback);
  }

  strings(table: Table, path: string): readonly string[] {
    const value = this.value(table, path);
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((one): one is string => typeof one === "string")) return value;
    return this.refuse(path, 'a list of strings (["a", "b"])', []);
  }

  text(table: Table, path: string): string | undefined {
    const value = this.value(table, path);
    if (value === undefined || typeof value === "string") return value;
    return this.refuse(path, "a string", undefined);
  }

  flag(table: Table, path: string, fallback: boolean): boolean {
    const value = this.value(table, path);
    if (value === undefined) return fallback;
    return typeof value === "boolean" ? value : this.refuse(path, "true or false", fallback);
  }

  choice<T extends string>(table: Table, path: string, choices: readonly T[], fallback: T): T {
    const value = this.value(table, path);
    if (value === undefined) return fallback;
    const found = choices.find((one) => one === value);
    return found ?? this.refuse(path, `one of ${choices.join(", ")}`, fallback);
  }

  private value(table: Table, path: string): unknown {
    return table[path.slice(path.lastIndexOf(".") + 1)];
  }

  private refuse<T>(path: string, wanted: string, fallback: T): T {
    this.problems.push(`${path} must be ${wanted}: the default is used`);
    return fallback;
  }
}
