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
import { DispatchTable, loadDefinition, storeDefinition } from "./stored.ts";

const MOST_FILES = 2000;
const MOST_BYTES = 512 * 1024;
/** First line of an index; changes with its form, so that another one is made anew. */
const FORM = "tokenix filters 3";

/** An index file: `FORM`, the stamp, this as JSON, filter name → file as JSON, then the dispatch table's text. */
interface IndexHead {
  /** Names of the files that were there, used or not. */
  readonly names: readonly string[];
  readonly problems: readonly string[];
  /** Filters with a pattern that is not proven to end soon: they run under a time budget. */
  readonly unproven: readonly string[];
}

export interface FilterFolder {
  readonly table: DispatchTable;
  /** One sentence each; the file's other filters still work. */
  readonly problems: readonly string[];
  /** Filter name → file it is in. */
  readonly files: () => Readonly<Record<string, string>>;
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
  const cache = join(homePath("cache", env), `filters-${Bun.hash(folder).toString(16).padStart(16, "0")}`);
  const known = readIndex(join(cache, "index"), folder, also);
  if (known) {
    const { problems, unproven } = known.head;
    return {
      problems,
      unproven,
      table: known.table,
      files: () => JSON.parse(known.files) as Record<string, string>,
      load: (name) => readDefinition(join(cache, `${name}.json`)),
    };
  }
  const names = tomlNames(folder);
  return names.length === 0 ? undefined : indexFolder(folder, names, also, accepts, cache);
}

async function indexFolder(
  folder: string,
  names: readonly string[],
  also: string,
  accepts: (name: string, bytes: Uint8Array) => boolean,
  cache: string,
): Promise<FilterFolder> {
  // Taken before the files are read: an edit in between makes the index stale, not wrong.
  const stamp = stampOf(folder, names, also);
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
    const head: IndexHead = { names, problems, unproven };
    writeFileAtomic(
      join(cache, "index"),
      `${FORM}\n${stamp}\n${JSON.stringify(head)}\n${JSON.stringify(files)}${table.text}`,
    );
  } catch {
    // A home that can't be written to costs time, nothing else.
  }
  return { table, files: () => files, problems, unproven, load: (name) => definitions.get(name) };
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

/**
 * Changes when a file comes, goes or is written. The folder's own time tells the first two, so that its names need not
 * be listed; the files' sizes and times are folded into one number, as two hundred texts would cost more than the asking.
 */
function stampOf(folder: string, names: readonly string[], also: string): string {
  let folded = 0;
  let folderTime = 0;
  try {
    folderTime = statSync(folder).mtimeMs;
    for (const name of names) {
      const { size, mtimeMs, ino } = statSync(`${folder}/${name}`);
      folded = Math.imul(folded ^ ((mtimeMs * 1000) % 0x7fffffff), 16777619) ^ Math.imul(size + ino, 31);
    }
  } catch {
    return "gone";
  }
  return `${folderTime} ${folded} ${Bun.hash(also)}`;
}

function readIndex(
  path: string,
  folder: string,
  also: string,
): { head: IndexHead; files: string; table: DispatchTable } | undefined {
  try {
    const text = readFileSync(path, "utf8");
    const stampAt = FORM.length + 1;
    const headAt = text.indexOf("\n", stampAt) + 1;
    const filesAt = text.indexOf("\n", headAt) + 1;
    const tableAt = text.indexOf("\n", filesAt);
    if (!text.startsWith(`${FORM}\n`)) return undefined;
    const head = JSON.parse(text.slice(headAt, filesAt - 1)) as IndexHead;
    const stamp = stampOf(folder, head.names, also);
    if (stamp === "gone" || text.slice(stampAt, headAt - 1) !== stamp) return undefined;
    return { head, files: text.slice(filesAt, tableAt), table: new DispatchTable(text.slice(tableAt)) };
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
