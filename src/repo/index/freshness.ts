/**
 * Proves an index fresh before an answer is made from it: every known file's stamp is compared with the disk, and what
 * has changed is read again, in this call. No clock and no watcher decides, so text written a moment ago is found.
 * The walk, the parsers and the writer are loaded only when something has changed: a question that finds all as it was
 * needs none of them (4 ms). It fails open: when the index cannot be written just now, the answer comes from what there is, and says so.
 */
import type { Config } from "../../platform/config.ts";
import { messageOf } from "../../platform/errors.ts";
import { fingerprintLine } from "../../platform/git.ts";
import type { Environment } from "../../platform/paths.ts";
import { DEFAULT_MODEL } from "../embed/registry.ts";
import { loadProjectConfig } from "../languages/project-config.ts";
import { isMarkedDamaged } from "../store/damage.ts";
import { isDamage, openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { type Plan, planChanges } from "./plan.ts";
import { readsAlike } from "./reading.ts";
import type { Progress, RunReport } from "./run.ts";
import type { Walker } from "./walk.ts";

export interface FreshOptions {
  readonly env?: Environment;
  readonly now?: () => number;
  /** Called while a large change is taken in. */
  readonly onProgress?: (progress: Progress) => void;
  /** Give up and answer as things stand when more files than this have changed; default: no limit. */
  readonly maxFiles?: number;
}

export interface Freshness {
  /** Files read again, or new. */
  readonly refreshed: number;
  readonly removed: number;
  /** Why changes that were seen are not in the answer; undefined when the index equals the disk. */
  readonly stale: string | undefined;
}

const OTHER_VERSION = "the index was made by another version of tokenix: 'tokenix index' reads the files anew";

const FRESH: Freshness = { refreshed: 0, removed: 0, stale: undefined };

export interface FreshStore extends Freshness {
  /** For reading; the caller closes it. */
  readonly store: Store;
  /** Sentences about the project's configuration, for stderr. */
  readonly configProblems: readonly string[];
}

/**
 * Opens the index of `root` and brings it up to date first.
 * @throws UserError when there is no index, or it cannot be read at all.
 */
export async function openFresh(root: string, options: FreshOptions = {}): Promise<FreshStore> {
  const open = () => openStore(root, { mode: "read", ...(options.env ? { env: options.env } : {}) });
  const store = open();
  const { config, problems: configProblems } = await loadProjectConfig(root);
  // Ending somebody's interrupted first run could take minutes: that is theirs to start.
  if (store.meta("indexed_at") === undefined || store.meta("building") !== undefined)
    return { store, configProblems, ...FRESH, stale: "the index is not complete yet: 'tokenix index' goes on with it" };
  let plan: Plan | undefined;
  try {
    plan = hasSameRules(store, config.index.ignore)
      ? await planChanges(store, walkerFor(root, config, options), root, {
          ...options,
          force: false,
          onEarlyChange: async (path) => (await import("./analyse.ts")).prepareFor(path, config.languages),
        })
      : undefined;
  } catch (error) {
    if (isDamage(error)) {
      store.close();
      throw error;
    }
    return { store, configProblems, ...FRESH, stale: `changes could not be looked for: ${messageOf(error)}` };
  }
  const stale = readsAlike(store) ? undefined : OTHER_VERSION;
  if (plan && isEmpty(plan) && store.meta("fingerprint") === fingerprintLine(root))
    return { store, configProblems, ...FRESH, stale };
  const changed = plan ? plan.jobs.length + plan.removed.length : undefined;
  if (changed !== undefined && options.maxFiles !== undefined && changed > options.maxFiles)
    return {
      store,
      configProblems,
      ...FRESH,
      stale: `${changed === 1 ? "1 file has" : `${changed} files have`} changed since the index was made`,
    };
  store.close();
  const freshness = await refresh(root, options, plan);
  return { store: open(), configProblems, ...freshness, stale: freshness.stale ?? stale };
}

/** For `index --if-stale`: there is an index, and it equals the disk. */
export async function projectToIndexIsFresh(root: string, options: FreshOptions = {}): Promise<boolean> {
  let store: Store;
  try {
    store = openStore(root, { mode: "read", ...(options.env ? { env: options.env } : {}) });
  } catch {
    return false;
  }
  try {
    const { config } = await loadProjectConfig(root);
    if (staleness(store) !== undefined || store.meta("building") !== undefined) return false;
    if (!hasSameRules(store, config.index.ignore) || !readsAlike(store)) return false;
    const walker = walkerFor(root, config, options);
    const plan = await planChanges(store, walker, root, { ...options, force: false });
    return plan !== undefined && isEmpty(plan) && !isMarkedDamaged(store.path);
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  } finally {
    store.close();
  }
}

/** One walker a check, made when a folder has to be listed. */
function walkerFor(root: string, config: Config, options: FreshOptions): () => Promise<Walker> {
  let made: Promise<Walker> | undefined;
  const make = async () => {
    const { Walker } = await import("./walk.ts");
    return new Walker(root, { ...options, extraIgnores: config.index.ignore });
  };
  return () => (made ??= make());
}

/** How long a question waits for another one that is taking changes in: an agent asks several at once, after an edit. */
const WAIT_FOR_REFRESH_MS = 5000;

async function refresh(root: string, options: FreshOptions, plan: Plan | undefined): Promise<Freshness> {
  try {
    const [{ runIndex }, { withWriter, WriterBusy }] = await Promise.all([import("./run.ts"), import("./writer.ts")]);
    const until = Date.now() + WAIT_FOR_REFRESH_MS;
    const take = (changes: Plan | undefined): Promise<RunReport> =>
      withWriter(
        root,
        { purpose: "refresh", ...(options.env ? { env: options.env } : {}) },
        // The model in the binary embeds in passing; another one would make a question wait for it, and a question
        // switches no model, whatever the environment asks for.
        (store) =>
          runIndex(store, {
            ...options,
            plan: changes,
            ...(store.meta("model") === DEFAULT_MODEL ? { embedding: { model: DEFAULT_MODEL } } : {}),
          }),
      ).catch(async (error: unknown) => {
        const isBrief = error instanceof WriterBusy && (error.holder?.purpose ?? "refresh") === "refresh";
        if (!isBrief || Date.now() > until) throw error;
        await Bun.sleep(20);
        // What the other one has taken in is no longer new: look again.
        return take(undefined);
      });
    const report = await take(plan);
    const refreshed = [...report.outcomes.values()].reduce((sum, n) => sum + n, 0);
    return { refreshed, removed: report.removed, stale: undefined };
  } catch (error) {
    const changed = plan && plan.jobs.length + plan.removed.length;
    const what =
      changed === undefined
        ? "the index is not up to date"
        : changed === 1
          ? "1 file has changed"
          : `${changed} files have changed`;
    return { ...FRESH, stale: `${what}, and it could not be brought up to date: ${messageOf(error)}` };
  }
}

function isEmpty(plan: Plan): boolean {
  return plan.jobs.length + plan.removed.length + plan.listings.length + plan.removedDirs.length === 0;
}

/** Other ignore settings call for a walk in full. */
function hasSameRules(store: Store, ignore: readonly string[]): boolean {
  return store.meta("config_hash") === JSON.stringify(ignore);
}

/**
 * Whether the index may answer for the checkout as it is now, without looking at files: what the hook asks. A dirty
 * file does not make it stale; another worktree, branch or commit does, and so does another model when one is asked for.
 */
export function staleness(store: Store, options: { model?: string } = {}): string | undefined {
  if (store.meta("indexed_at") === undefined) return "its first run has not finished";
  if (options.model !== undefined && store.meta("model") !== options.model)
    return `it was embedded with ${store.meta("model") ?? "no model"}, not with ${options.model}`;
  if (store.meta("fingerprint") !== fingerprintLine(store.root)) return "the checkout has moved to another commit";
  return undefined;
}

/** True when a stored file is still what lies on the disk, by its stamp alone. */
export function isUnchanged(file: { size: number; mtime: number; ctime: number }, stat: StatLike | undefined): boolean {
  return stat !== undefined && stat.size === file.size && stat.mtimeMs === file.mtime && stat.ctimeMs === file.ctime;
}

interface StatLike {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}
