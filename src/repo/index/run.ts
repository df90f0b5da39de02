/**
 * One indexing run: plan, process, commit, tidy. Every batch is committed by itself, so a run that is ended anywhere
 * keeps what it finished, and the next goes on from there. Never touches git's index or locks.
 */
import { availableParallelism } from "node:os";
import { EXTRACTOR_VERSION } from "../../generated/extractor.ts";
import type { Config } from "../../platform/config.ts";
import { fingerprintLine } from "../../platform/git.ts";
import { collectGarbage } from "../../platform/memory.ts";
import type { Environment } from "../../platform/paths.ts";
import { modelSpec } from "../embed/registry.ts";
import { loadProjectConfig } from "../languages/project-config.ts";
import { languageOf } from "../languages/registry.ts";
import type { LanguageId } from "../languages/types.ts";
import { mergeSegments } from "../store/merge.ts";
import { type Outcome, STORED_OUTCOMES } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { BatchWriter } from "../store/write.ts";
import { prepareFor } from "./analyse.ts";
import {
  chooseModel,
  type EmbeddingOptions,
  type EmbeddingReport,
  embedWaiting,
  type ModelChoice,
} from "./embeddings.ts";
import { type Plan, planChanges, planFull, stampIgnoreFiles, writeListings } from "./plan.ts";
import { processHere, processShared } from "./pool.ts";
import type { Job, Processed, ProcessOptions } from "./process.ts";
import { trackedButIgnored, Walker } from "./walk.ts";

export interface RunOptions {
  /** Read every file again. */
  readonly force?: boolean;
  /** Threads to parse with, this one included; default: the cores. */
  readonly jobs?: number;
  /** What to embed with; undefined leaves embeddings to a later run. */
  readonly embedding?: EmbeddingOptions | undefined;
  /** What has changed, when the caller has just looked: looking costs 4 µs a file. */
  readonly plan?: Plan | undefined;
  readonly onProgress?: (progress: Progress) => void;
  readonly env?: Environment;
  readonly now?: () => number;
}

export interface Progress {
  readonly filesDone: number;
  readonly files: number;
  readonly bytesDone: number;
  readonly bytes: number;
}

export interface RunReport {
  readonly root: string;
  /** Files by what became of them in this run. */
  readonly outcomes: ReadonlyMap<Outcome, number>;
  readonly unchanged: number;
  readonly removed: number;
  readonly bytes: number;
  /** What the index holds now. */
  readonly totals: Totals;
  /** Workers beside the main thread. */
  readonly workers: number;
  readonly elapsedMs: number;
  readonly embedding: EmbeddingReport | undefined;
  readonly configProblems: readonly string[];
}

export interface Totals {
  /** Files whose text is stored. */
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  /** Everything seen and not stored, by reason; an ignored folder counts once. */
  readonly leftOut: ReadonlyMap<Outcome, number>;
}

/** A batch is this many bytes of source, or this many files: small enough for two threads to stay at about 300 MB. */
const BATCH_BYTES = 300_000;
const BATCH_FILES = 500;

/** Above this there is something to collect before names are sorted: the program and its caches take about as much. */
const ROOM_TO_SORT_BYTES = 180e6;

/** Brings the index of `store.root` up to date. The caller holds the writer's lock. */
export async function runIndex(store: Store, options: RunOptions = {}): Promise<RunReport> {
  const { config, problems } = await loadProjectConfig(store.root);
  const embedding = options.embedding && {
    ...options.embedding,
    configured: config.index.model,
    env: options.env,
    now: options.now,
  };
  const choice = embedding && (await chooseModel(store, embedding));
  try {
    const report = await readAndEmbed(store, config, { ...options, embedding }, choice);
    return { ...report, configProblems: problems };
  } finally {
    await choice?.embedder?.close();
  }
}

async function readAndEmbed(
  store: Store,
  config: Config,
  options: RunOptions,
  choice: ModelChoice | undefined,
): Promise<Omit<RunReport, "configProblems">> {
  const started = performance.now();
  const isFirst = store.meta("indexed_at") === undefined;
  // A plan made against an index that has been set aside since says nothing about a new one.
  const given = isFirst ? undefined : options.plan;
  const plan = given ?? (await makePlan(store, config, options));
  if (isFirst) store.beginBulk();
  const writer = new BatchWriter(store);
  const outcomes = new Map<Outcome, number>();
  let unchanged = plan.unchanged;
  let filesDone = 0;
  let bytesDone = 0;
  const hasWork = plan.jobs.length + plan.removed.length + plan.listings.length + plan.removedDirs.length > 0;
  if (hasWork) {
    if (isFirst || options.force) store.setMeta("building", "1");
    store.transaction(() => writeListings(store, plan));
  }
  const removed = plan.removed.length > 0 ? writer.remove(plan.removed) : 0;
  const commit = (batch: Processed) => {
    writer.commit(batch);
    if (batch.same.length > 0)
      store.transaction(() => {
        for (const file of batch.same) store.files.setStamp(file.path, file.stamp);
      });
    if (batch.gone.length > 0) writer.remove(batch.gone);
    for (const file of batch.files) outcomes.set(file.outcome, (outcomes.get(file.outcome) ?? 0) + 1);
    unchanged += batch.same.length;
    filesDone += batch.files.length + batch.same.length + batch.gone.length;
    bytesDone += batch.bytes;
    options.onProgress?.({ filesDone, files: plan.jobs.length, bytesDone, bytes: plan.bytes });
  };
  const processing: ProcessOptions = {
    root: store.root,
    maxFileBytes: config.index.maxFileBytes,
    languages: config.languages,
    // Vectors of the model in the binary are made with the chunks themselves, in the same pass.
    embedStatic: choice && modelSpec(choice.model).kind === "static",
  };
  const workers = workerCount(plan, options);
  if (workers > 0)
    await processShared(batches(plan.jobs), processing, workers, languagesOf(plan.jobs, config.languages), commit);
  else await processHere(batches(plan.jobs), processing, commit);
  mergeSegments(store);
  if (isFirst) {
    // Sorting the names of a large tree takes the room that merging has left.
    collectGarbage(ROOM_TO_SORT_BYTES);
    store.endBulk();
  }
  finish(store, options, isFirst || hasWork, given ? undefined : settingsLine(config).reading);
  const embedding = options.embedding && choice ? await embedWaiting(store, options.embedding, choice) : undefined;
  return {
    root: store.root,
    outcomes,
    unchanged,
    removed,
    bytes: plan.bytes,
    totals: totalsOf(store),
    workers,
    elapsedMs: performance.now() - started,
    embedding,
  };
}

export function totalsOf(store: Store): Totals {
  const leftOut = new Map(store.files.leftOutCounts());
  let files = 0;
  for (const [outcome, n] of store.files.counts()) {
    if (STORED_OUTCOMES.includes(outcome)) files += n;
    if (outcome !== "indexed") leftOut.set(outcome, (leftOut.get(outcome) ?? 0) + n);
  }
  return { files, chunks: store.chunks.count(), symbols: store.graph.symbolCount(), leftOut };
}

async function makePlan(store: Store, config: Config, options: RunOptions): Promise<Plan> {
  const settings = settingsLine(config);
  const rulesChanged = store.meta("config_hash") !== settings.rules || store.meta("building") === "1";
  const readAnew = options.force || (store.meta("extractor") ?? settings.reading) !== settings.reading;
  const walkOptions = {
    extraIgnores: config.index.ignore,
    ...(options.env ? { env: options.env } : {}),
    ...(options.now ? { now: options.now } : {}),
  };
  const planOptions = {
    force: readAnew,
    maxFileBytes: config.index.maxFileBytes,
    ...(options.now ? { now: options.now } : {}),
  };
  let plan: Plan | undefined;
  if (!readAnew && !rulesChanged && store.meta("indexed_at") !== undefined) {
    let walker: Walker | undefined;
    plan = await planChanges(store, () => (walker ??= new Walker(store.root, walkOptions)), store.root, {
      ...planOptions,
      onEarlyChange: (path) => prepareFor(path, config.languages),
    });
  }
  if (plan) return plan;
  const walker = new Walker(store.root, { ...walkOptions, tracked: await trackedButIgnored(store.root) });
  plan = planFull(store, walker, planOptions);
  store.transaction(() => {
    store.setMeta("ignore_files", stampIgnoreFiles(walker.ignoreSources));
    store.setMeta("config_hash", settings.rules);
    // Only a finished run has read every file in the new way; the first one starts from nothing.
    if (store.meta("extractor") === undefined) store.setMeta("extractor", settings.reading);
  });
  return plan;
}

/** Settings that change which files are walked, and settings that change what is read from each. */
function settingsLine(config: Config): { rules: string; reading: string } {
  return {
    rules: JSON.stringify(config.index.ignore),
    reading: `${EXTRACTOR_VERSION} ${config.index.maxFileBytes} ${JSON.stringify(config.languages)}`,
  };
}

/** `reading`: how every file of the index has now been read; undefined when only some were looked at. */
function finish(store: Store, options: RunOptions, changed: boolean, reading: string | undefined): void {
  const fingerprint = fingerprintLine(store.root);
  if (!changed && store.meta("fingerprint") === fingerprint) return;
  store.transaction(() => {
    store.setMeta("root", store.root);
    store.setMeta("indexed_at", new Date((options.now ?? Date.now)()).toISOString());
    store.setMeta("fingerprint", fingerprint);
    if (reading !== undefined) store.setMeta("extractor", reading);
    store.setMeta("building", undefined);
  });
}

/** By their names alone: what turns out to be another language is met when it is read. */
function languagesOf(jobs: readonly Job[], overrides: Config["languages"]): Set<LanguageId> {
  const found = new Set<LanguageId>();
  for (const { path } of jobs) {
    const id = languageOf(path, "", overrides);
    if (id !== undefined) found.add(id);
  }
  return found;
}

function* batches(jobs: readonly Job[]): Generator<Job[]> {
  let batch: Job[] = [];
  let bytes = 0;
  for (const job of jobs) {
    batch.push(job);
    bytes += job.stamp.size;
    if (bytes < BATCH_BYTES && batch.length < BATCH_FILES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Below this a worker costs more than it brings: on two cores two threads that warm up at once wait for one another's
 * compilers (2 MB: 1.8 s with a worker, 1.5 s without).
 */
const WORTH_WORKERS_BYTES = 3_000_000;

/** Workers beside this thread; a number that was asked for is given, as far as there are cores and work. */
function workerCount(plan: Plan, options: RunOptions): number {
  const threads = Math.min(options.jobs || availableParallelism(), availableParallelism(), 16);
  const share = options.jobs ? BATCH_BYTES : WORTH_WORKERS_BYTES;
  if (plan.bytes < share) return 0;
  return Math.max(0, Math.min(threads, Math.ceil(plan.bytes / share)) - 1);
}
