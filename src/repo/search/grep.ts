/**
 * Finds lines of the stored text by a literal or a regular expression. The index's dictionary names the files that can
 * match, so that a search reads those and not the tree. A person's pattern may backtrack for ever, and a regular
 * expression can't be interrupted: one that could runs in a worker, which is ended when its time is up. (The engine also
 * gives a line up by itself after some million steps, and does not say so.)
 */
import { EXIT, messageOf, UserError } from "../../platform/errors.ts";
import type { Store } from "../store/store.ts";
import { termsWith } from "./dictionary.ts";
import { type FileMatches, type GrepTask, matchFile, textOf } from "./grep-match.ts";
import { type RequiredWord, wordsOfLiteral, wordsOfPattern } from "./grep-plan.ts";
import { PostingList } from "./postings.ts";

export interface GrepOptions {
  readonly pattern: string;
  /** The pattern is text, not an expression. */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  readonly limit: number;
  readonly keep?: ((path: string, language: string) => boolean) | undefined;
  readonly budgetMs?: number;
}

export interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface GrepResult {
  readonly matches: readonly GrepMatch[];
  /** The limit was reached: there may be more. */
  readonly more: boolean;
  /** The pattern's time was up: what is here is a part. */
  readonly timedOut: boolean;
  readonly filesRead: number;
}

export const GREP_BUDGET_MS = 2000;
/** Texts are handed to the worker in portions of about this size. */
const PORTION_BYTES = 4_000_000;

export async function grep(store: Store, options: GrepOptions): Promise<GrepResult> {
  if (options.pattern === "") throw new UserError("the pattern is empty", undefined, EXIT.usage);
  const task: GrepTask = {
    pattern: options.pattern,
    literal: options.literal ?? false,
    ignoreCase: options.ignoreCase ?? false,
  };
  if (!task.literal) {
    try {
      new RegExp(task.pattern, "u");
    } catch {
      try {
        new RegExp(task.pattern);
      } catch (error) {
        throw new UserError(
          `'${task.pattern}' is no regular expression: ${messageOf(error)}`,
          "add --fixed to look for it as text",
          EXIT.usage,
        );
      }
    }
  }
  const words = task.literal ? wordsOfLiteral(task.pattern) : wordsOfPattern(task.pattern);
  const files = candidates(store, words);
  const matches: GrepMatch[] = [];
  let filesRead = 0;
  const take = (path: string, found: FileMatches): void => {
    for (const one of found) if (matches.length <= options.limit) matches.push({ path, ...one });
  };
  function* texts(): Generator<{ path: string; bytes: Uint8Array }> {
    for (const [id, bytes] of files ? storedTexts(store, files) : store.files.texts()) {
      const file = store.files.byId(id);
      if (!file || (options.keep && !options.keep(file.path, file.language ?? ""))) continue;
      filesRead++;
      yield { path: file.path, bytes };
    }
  }
  let timedOut = false;
  if (task.literal || cannotRunAway(task.pattern)) {
    const match = matchFile(task);
    for (const { path, bytes } of texts()) {
      take(path, match(textOf(bytes), options.limit - matches.length + 1));
      if (matches.length > options.limit) break;
    }
  } else timedOut = await inWorker(task, texts(), options, matches, take);
  return {
    matches: matches.slice(0, options.limit),
    more: matches.length > options.limit,
    timedOut,
    filesRead,
  };
}

/** Without a repetition, or with single ones of single characters on short terms, matching is linear enough. */
export function cannotRunAway(pattern: string): boolean {
  const repetitions = pattern.replace(/\\./g, "x").match(/[*+{]/g)?.length ?? 0;
  return (
    repetitions === 0 || (repetitions === 1 && !/[()|]/.test(pattern.replace(/\\[()|]/g, "")) && !/\\\d/.test(pattern))
  );
}

/** Lists that are read for one word at most; beyond, reading the files is no slower. */
const MOST_TERMS = 1500;
/** The same once another word has narrowed the files. */
const TERMS_WORTH_IT = 100;
/** So few chunks need no further narrowing. */
const FEW_CHUNKS = 300;

/** Ids of the files that can match, in the order in which they were indexed; undefined when most of them can. */
function candidates(store: Store, words: readonly RequiredWord[]): number[] | undefined {
  const segments = store.lexical.segments();
  let best: Set<number> | undefined;
  const list = new PostingList();
  const most = segments.reduce((sum, segment) => sum + segment.chunkCount, 0) / 4;
  // What each word could be, in all segments; a word that could be nearly any is no help, and reading it is dear.
  const plans = words
    .filter((one) => one.text.length > 1)
    .map((word) => ({ word, lists: [] as { segment: (typeof segments)[number]; term: string }[] }));
  if (plans.length > 0)
    for (const [segment, dictionary] of store.lexical.dictionaries(segments)) {
      for (const plan of plans) {
        if (plan.lists.length > MOST_TERMS) continue;
        for (const term of termsWith(dictionary, plan.word)) plan.lists.push({ segment, term });
      }
    }
  for (const { lists } of plans.sort((one, other) => one.lists.length - other.lists.length)) {
    if (lists.length > (best ? TERMS_WORTH_IT : MOST_TERMS) || (best && best.size < FEW_CHUNKS)) break;
    const chunks = new Set<number>();
    for (const { segment, term } of lists) {
      const data = store.lexical.list(segment, term);
      if (!data) continue;
      list.clear();
      list.append(data);
      for (let i = 0; i < list.size; i++) chunks.add(list.chunks[i] as number);
      if (chunks.size > most) break;
    }
    if (chunks.size > most) continue;
    if (!best || chunks.size < best.size) best = chunks;
  }
  // Most of the index: its texts are read one after another, which ends as soon as the limit is reached.
  if (!best) return undefined;
  const files = new Set<number>();
  // A look-up a chunk is cheaper than reading all owners only while there are few.
  if (best.size < 2000) for (const id of best) addOwner(store, id, files);
  else for (const [chunk, file] of store.chunks.owners()) if (best.has(chunk)) files.add(file);
  return [...files].sort((a, b) => a - b);
}

function* storedTexts(store: Store, ids: readonly number[]): Generator<[number, Uint8Array]> {
  for (const id of ids) {
    const bytes = store.files.textBytes(id);
    if (bytes) yield [id, bytes];
  }
}

function addOwner(store: Store, chunk: number, files: Set<number>): void {
  const row = store.chunks.byId(chunk);
  if (row) files.add(row.fileId);
}

async function inWorker(
  task: GrepTask,
  texts: Iterator<{ path: string; bytes: Uint8Array }>,
  options: GrepOptions,
  matches: readonly GrepMatch[],
  take: (path: string, found: FileMatches) => void,
): Promise<boolean> {
  const worker = new Worker(workerUrl(), { smol: true });
  const deadline = performance.now() + (options.budgetMs ?? GREP_BUDGET_MS);
  try {
    for (;;) {
      const portion: { path: string; bytes: Uint8Array }[] = [];
      let size = 0;
      while (size < PORTION_BYTES) {
        const next = texts.next();
        if (next.done) break;
        portion.push(next.value);
        size += next.value.bytes.length;
      }
      if (portion.length === 0) return false;
      const answer = await oneAnswer(worker, { task, portion, limit: options.limit - matches.length + 1 }, deadline);
      if (answer === "late") return true;
      for (const one of answer) take(one.path, one.found);
      if (matches.length > options.limit) return false;
    }
  } finally {
    worker.terminate();
  }
}

export interface WorkerRequest {
  readonly task: GrepTask;
  readonly portion: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  readonly limit: number;
}
export type WorkerReply = readonly { readonly path: string; readonly found: FileMatches }[];

function oneAnswer(worker: Worker, request: WorkerRequest, deadline: number): Promise<WorkerReply | "late"> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve("late"), Math.max(1, deadline - performance.now()));
    worker.onmessage = (event: MessageEvent<WorkerReply>) => {
      clearTimeout(timer);
      resolve(event.data);
    };
    worker.onerror = (event) => {
      clearTimeout(timer);
      reject(new Error(`the search worker failed: ${event.message}`));
    };
    worker.postMessage(request);
  });
}

/** In the compiled binary workers keep their path below the root, where all code of this module's chunk is. */
function workerUrl(): string {
  const isSource = import.meta.url.endsWith("/grep.ts");
  return new URL(isSource ? "./grep.worker.ts" : "./src/repo/search/grep.worker.js", import.meta.url).href;
}
