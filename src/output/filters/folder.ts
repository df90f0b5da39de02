/**
 * A folder of filter files that are not in the binary: a user's, or a trusted repository's. Parsing TOML on every run
 * would cost more than the run; so the folder is indexed into the cache (one table, one small file a filter) and the index
 * is used as long as every file has its size and time of change.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readBounded, writeFileAtomic } from "../../platform/files.ts";
import { type Environment, homePath } from "../../platform/paths.ts";
import type { FilterDefinition } from "./schema.ts";
import { type DispatchTable, loadDefinition, storeDefinition } from "./stored.ts";

const MOST_FILES = 2000;
const MOST_BYTES = 512 * 1024;
/** Changes with what is stored: an index of another form is made anew. */
const FORM = 1;

interface FolderIndex {
  readonly form: number;
  /** File name, size and time of change of every file. */
  readonly state: string;
  readonly table: DispatchTable;
  /** Filter name → file it is in. */
  readonly files: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
  /** Filters with a pattern that is not proven to end soon: they run under a time budget. */
  readonly unproven: readonly string[];
}

export interface FilterFolder {
  readonly table: DispatchTable;
  /** One sentence each; the file's other filters still work. */
  readonly problems: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly unproven: readonly string[];
  load(name: string): FilterDefinition | undefined;
}

/** @param accepts tells which files may be used at all (the trust gate); it sees the bytes that will be parsed. */
export async function openFilterFolder(
  folder: string,
  accepts: (name: string, bytes: Uint8Array) => boolean = () => true,
  env: Environment = process.env,
  /** Whatever else the index depends on. */
  also = "",
): Promise<FilterFolder | undefined> {
  const names = tomlNames(folder);
  if (names.length === 0) return undefined;
  const cache = join(homePath("cache", env), `filters-${Bun.hash(folder).toString(16).padStart(16, "0")}`);
  const state = `${names.map((name) => stampOf(join(folder, name))).join("\n")}\n${also}`;
  const known = readIndex(join(cache, "index.json"));
  if (known && known.form === FORM && known.state === state) {
    return {
      ...known,
      load: (name) => readDefinition(join(cache, `${name}.json`)),
    };
  }
  return indexFolder(folder, names, state, accepts, cache);
}

async function indexFolder(
  folder: string,
  names: readonly string[],
  state: string,
  accepts: (name: string, bytes: Uint8Array) => boolean,
  cache: string,
): Promise<FilterFolder> {
  const { parseFilterToml } = await import("./toml.ts");
  const { buildDispatch } = await import("./dispatch.ts");
  const { unprovenPatterns } = await import("./proven.ts");
  const unproven: string[] = [];
  const definitions = new Map<string, FilterDefinition>();
  const files: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of names) {
    let bytes: Uint8Array;
    try {
      bytes = readBounded(join(folder, name), MOST_BYTES);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : error}`);
      continue;
    }
    if (!accepts(name, bytes)) continue;
    const file = parseFilterToml(new TextDecoder().decode(bytes));
    for (const problem of file.problems) problems.push(`${name}: ${problem}`);
    for (const filter of file.filters) {
      if (definitions.has(filter.name))
        problems.push(`${name}: filter '${filter.name}' is in ${files[filter.name]} too`);
      else {
        const risky = unprovenPatterns(filter);
        // These run before any budget could be set, on every command: such a filter is not used at all.
        const inChoice = risky.find(({ key }) => key === "match_command" || key === "unless_command");
        if (inChoice) {
          problems.push(`${name}: filter '${filter.name}' is not used: ${inChoice.key}: ${inChoice.problem}`);
          continue;
        }
        if (risky.length > 0) unproven.push(filter.name);
        definitions.set(filter.name, filter);
        files[filter.name] = name;
      }
    }
  }
  const table = buildDispatch([...definitions.values()]);
  try {
    for (const [name, definition] of definitions)
      writeFileAtomic(join(cache, `${name}.json`), storeDefinition(definition));
    const index: FolderIndex = { form: FORM, state, table, files, problems, unproven };
    writeFileAtomic(join(cache, "index.json"), JSON.stringify(index));
  } catch {
    // A home that can't be written to costs time, nothing else.
  }
  return { table, files, problems, unproven, load: (name) => definitions.get(name) };
}

function tomlNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".toml"))
      .sort()
      .slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

function stampOf(path: string): string {
  try {
    const { size, mtimeMs, ctimeMs, ino } = statSync(path);
    return `${path} ${size} ${mtimeMs} ${ctimeMs} ${ino}`;
  } catch {
    return `${path} gone`;
  }
}

function readIndex(path: string): FolderIndex | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as FolderIndex;
  } catch {
    return undefined;
  }
}

function readDefinition(path: string): FilterDefinition | undefined {
  try {
    return loadDefinition(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
