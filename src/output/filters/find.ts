/**
 * Which filter takes a command: the trusted ones of the repository, then the user's, then the bundled. Opened once, asked
 * as often as needed; a filter's definition is loaded only when it was chosen.
 */
import { statSync } from "node:fs";
import { type Environment, homePath } from "../../platform/paths.ts";
import { bundledFilter, bundledTable } from "./bundled.ts";
import { type FilterFolder, openFilterFolder } from "./folder.ts";
import { lookup } from "./lookup.ts";
import type { FilterDefinition } from "./schema.ts";
import type { DispatchTable } from "./stored.ts";

export type FilterTier = "repository" | "user" | "bundled";

export interface FoundFilter {
  readonly name: string;
  readonly tier: FilterTier;
  /** A pattern of it may run away: use `applyWithinBudget`. */
  readonly isUnproven: boolean;
  load(): Promise<FilterDefinition | undefined>;
}

export interface FilterSet {
  /** The filter for the first candidate that one takes; see `candidates` of `output/shell`. */
  find(candidates: readonly string[]): FoundFilter | undefined;
  /** Faults of the user's and the repository's filter files, each one sentence with its file. */
  readonly problems: readonly string[];
  readonly tiers: readonly {
    readonly tier: FilterTier;
    readonly table: DispatchTable;
    readonly files: () => Readonly<Record<string, string>>;
    /** Not for the bundled tier: see `bundledFilter`. */
    readonly load?: (name: string) => FilterDefinition | undefined;
  }[];
}

export async function openFilters(root: string, env: Environment = process.env): Promise<FilterSet> {
  const folders: [FilterTier, FilterFolder][] = [];
  const problems: string[] = [];
  const repository = await openRepositoryFilters(root, env, problems);
  if (repository) folders.push(["repository", repository]);
  const user = await openFilterFolder(homePath("filters", env), undefined, env);
  if (user) folders.push(["user", user]);
  for (const [tier, folder] of folders)
    for (const problem of folder.problems) problems.push(`${tier} filter ${problem}`);
  return {
    problems,
    get tiers() {
      return [
        ...folders.map(([tier, { table, files, load }]) => ({ tier, table, files, load })),
        { tier: "bundled" as const, table: bundledTable(), files: () => ({}) },
      ];
    },
    find(candidates) {
      for (const [tier, folder] of folders) {
        const head = lookup(folder.table, candidates);
        if (head)
          return {
            name: head[0],
            tier,
            isUnproven: folder.unproven.includes(head[0]),
            load: async () => folder.load(head[0]),
          };
      }
      const head = lookup(bundledTable(), candidates);
      return head && { name: head[0], tier: "bundled", isUnproven: false, load: () => bundledFilter(head[0]) };
    },
  };
}

async function openRepositoryFilters(
  root: string,
  env: Environment,
  problems: string[],
): Promise<FilterFolder | undefined> {
  const folder = `${root}/.tokenix/filters`;
  if (!isThere(folder)) return undefined;
  const { isTrusted, trustState } = await import("./trust.ts");
  const { trusted, fresh, changed } = trustState(root, env);
  const waiting = [...fresh, ...changed].filter(({ path }) => path.startsWith(".tokenix/filters/")).length;
  if (waiting > 0)
    problems.push(
      `${waiting} filter ${waiting === 1 ? "file" : "files"} of this repository not trusted: 'tokenix trust' shows what they would do`,
    );
  const filters = trusted.filter(({ path }) => path.startsWith(".tokenix/filters/"));
  if (filters.length === 0) return undefined;
  const accepts = (name: string, bytes: Uint8Array) => isTrusted(root, `.tokenix/filters/${name}`, bytes, env);
  // The index in the cache was made with the trust of that time: it is another one when the trust is.
  return openFilterFolder(folder, accepts, env, filters.map(({ path, sha256 }) => `${path} ${sha256}`).join("\n"));
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file in the place of a folder above it.
    return false;
  }
}
