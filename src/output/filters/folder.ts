/**
 * A folder of filter files that are not in the binary: a user's, or a trusted repository's. Parsing TOML on every run
 * would cost more than the run; so the folder is compiled into one file of the cache, which is used as long as every file
 * of the folder has its size and times, and is made anew when it is not exactly what was written.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { readBounded, writeFileAtomic } from "../../platform/files.ts";
import { type Environment, homePath } from "../../platform/paths.ts";
import type { FilterDefinition } from "./schema.ts";
import { DispatchTable, loadDefinition, storeDefinition } from "./stored.ts";

const MOST_FILES = 2000;
const MOST_BYTES = 512 * 1024;
/** First word of a cache file; changes with its form, so that another one is made anew. */
const FORM = "tokenix-filters-5";
const MOST_CACHE_BYTES = 64 * 1024 * 1024;
/** File systems stamp by ticks of up to 10 ms: within one, an edit leaves no trace. */
const YOUNG_MS = 100;

/**
 * A cache file, line by line: `FORM hash` (of all that follows), the stamp, the names of the files that were there (used
 * or not, with a slash between), this as JSON, the filters' files as JSON; then one definition a line and the dispatch
 * table. What every command needs is taken apart without JSON where there can be much of it.
 */
interface Head {
  readonly problems: readonly string[];
  /** Filters with a pattern that is not proven to end soon: they run under a time budget. */
  readonly unproven: readonly string[];
  /** Characters of the definitions. */
  readonly definitions: number;
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
  /** Whatever else the compiled form depends on. */
  also = "",
): Promise<FilterFolder | undefined> {
  const times = folderTimes(folder);
  if (!times) return undefined;
  const cache = `${homePath("cache", env)}/filters-${Bun.hash(folder).toString(16).padStart(16, "0")}.txt`;
  return readCache(cache, folder, times, also) ?? compileFolder(folder, times, also, accepts, cache);
}

async function compileFolder(
  folder: string,
  /** Taken before the folder is listed and its files are read: a change in between makes the cache stale, not wrong. */
  times: Times,
  also: string,
  accepts: (name: string, bytes: Uint8Array) => boolean,
  cache: string,
): Promise<FilterFolder | undefined> {
  const names = tomlNames(folder);
  if (names.length === 0) return undefined;
  const stamp = stampOf(folder, times, names, also);
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
      bytes = readBounded(`${folder}/${name}`, MOST_BYTES);
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
  if (stamp !== undefined && !stamp.isYoung) {
    const lines = [...definitions].map(([name, definition]) => `${name}\t${storeDefinition(definition)}\n`).join("");
    const head: Head = { problems, unproven, definitions: lines.length };
    const first = [stamp.text, names.join("/"), JSON.stringify(head), JSON.stringify(files)];
    writeCache(cache, `${first.join("\n")}\n${lines}${table.text}`);
  }
  return { table, files: () => files, problems, unproven, load: (name) => definitions.get(name) };
}

function tomlNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".toml") && !name.includes("\n"))
      .sort()
      .slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

interface Times {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

function folderTimes(folder: string): Times | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Changes when a file comes, goes or is written. The folder's own times tell the first two, so that its names need not be
 * listed. Numbers in one buffer, as two hundred texts would cost more than the asking. Undefined when a file is gone.
 */
function stampOf(
  folder: string,
  times: Times,
  names: readonly string[],
  also: string,
): { readonly text: string; readonly isYoung: boolean } | undefined {
  const numbers = new Float64Array(2 + names.length * 4);
  let youngest = Math.max(times.mtimeMs, times.ctimeMs);
  let at = 0;
  numbers[at++] = times.mtimeMs;
  numbers[at++] = times.ctimeMs;
  try {
    for (const name of names) {
      const { size, mtimeMs, ctimeMs, ino } = statSync(`${folder}/${name}`);
      numbers[at++] = size;
      numbers[at++] = mtimeMs;
      numbers[at++] = ctimeMs;
      numbers[at++] = ino;
      if (ctimeMs > youngest) youngest = ctimeMs;
    }
  } catch {
    return undefined;
  }
  return {
    text: `${hashOf(new Uint8Array(numbers.buffer))} ${hashOf(also)}`,
    isYoung: Math.abs(Date.now() - youngest) < YOUNG_MS,
  };
}

/** Undefined when there is none, it is not whole, or the folder is another one by now. */
function readCache(cache: string, folder: string, times: Times, also: string): FilterFolder | undefined {
  try {
    const text = readFileSync(cache, "utf8");
    const stampAt = text.indexOf("\n") + 1;
    if (text.slice(0, stampAt) !== `${FORM} ${hashOf(text.slice(stampAt))}\n`) return undefined;
    const namesAt = text.indexOf("\n", stampAt) + 1;
    const headAt = text.indexOf("\n", namesAt) + 1;
    const filesAt = text.indexOf("\n", headAt) + 1;
    const linesAt = text.indexOf("\n", filesAt) + 1;
    const names = text.slice(namesAt, headAt - 1).split("/");
    if (text.slice(stampAt, namesAt - 1) !== stampOf(folder, times, names, also)?.text) return undefined;
    const head = JSON.parse(text.slice(headAt, filesAt - 1)) as Head;
    const tableAt = linesAt + head.definitions;
    if (!Number.isInteger(tableAt) || !Array.isArray(head.problems) || !Array.isArray(head.unproven)) return undefined;
    return {
      problems: head.problems,
      unproven: head.unproven,
      files: () => JSON.parse(text.slice(filesAt, linesAt - 1)) as Record<string, string>,
      table: new DispatchTable(text.slice(tableAt)),
      load(name) {
        const lead = `\n${name}\t`;
        const at = text.indexOf(lead, linesAt - 1);
        if (at < 0 || at >= tableAt) return undefined;
        return loadDefinition(text.slice(at + lead.length, text.indexOf("\n", at + 1)));
      },
    };
  } catch {
    return undefined;
  }
}

function writeCache(cache: string, body: string): void {
  if (body.length > MOST_CACHE_BYTES) return;
  try {
    writeFileAtomic(cache, `${FORM} ${hashOf(body)}\n${body}`);
  } catch {
    // A home that can't be written to costs time, nothing else.
  }
}

function hashOf(data: string | Uint8Array): string {
  return Bun.hash(data).toString(16).padStart(16, "0");
}
