/**
 * Shares batches between this thread and workers. A worker costs about 100 MB once it has a grammar or two, so this
 * thread parses as well, and there is one worker less than there are cores to use. Each worker has two batches in hand
 * (one to go on with while this thread is busy), no more: a slow disk holds the walk back instead of filling the memory.
 */
import { collectGarbage, roomFor } from "../../platform/memory.ts";
import { type CompiledCode, codeFor } from "../languages/engine/runtime.ts";
import type { LanguageId } from "../languages/types.ts";
import type { FileRecord } from "../store/records.ts";
import { type Job, type Processed, type ProcessOptions, processBatch } from "./process.ts";

export interface WorkerTask {
  readonly jobs: readonly Job[];
  readonly options: ProcessOptions;
  /** What the whole process may hold before this thread is asked to collect. */
  readonly roomBytes: number;
  /** With the first task: what this thread has compiled, so that the worker need not. */
  readonly code?: CompiledCode | undefined;
}

export type WorkerAnswer = { readonly processed: Packed } | { readonly failure: string };

/**
 * What a worker has made of a batch, on its way to this thread. A structured clone of the records takes 17 ms for
 * 300 kB of source, their text as JSON and back 5 ms.
 */
interface Packed extends Omit<Processed, "files"> {
  /** JSON of the file records; what is bytes in them stands in `texts`, in order. */
  readonly records: string;
  readonly texts: readonly Uint8Array[];
}

export function pack({ files, ...rest }: Processed): Packed {
  const texts = files.flatMap(({ content }) => (content ? [content.text] : []));
  const records = JSON.stringify(
    files.map((record) => (record.content ? { ...record, content: { ...record.content, text: undefined } } : record)),
  );
  return { ...rest, records, texts };
}

function unpack({ records, texts, ...rest }: Packed): Processed {
  let next = 0;
  const files = (JSON.parse(records) as FileRecord[]).map((record) =>
    record.content ? { ...record, content: { ...record.content, text: texts[next++] as Uint8Array } } : record,
  );
  return { ...rest, files };
}

const IN_HAND = 2;

/** Works off all batches; `commit` is called in this thread, one batch at a time, in the order in which they are done. */
export async function processShared(
  batches: Iterator<readonly Job[]>,
  options: ProcessOptions,
  workerCount: number,
  languages: ReadonlySet<LanguageId>,
  commit: (batch: Processed) => void,
): Promise<void> {
  const code = codeFor(languages);
  const roomBytes = roomFor(workerCount + 1);
  const workers = Array.from({ length: workerCount }, () => new IndexWorker(batches, options, code, roomBytes, commit));
  try {
    const all = Promise.all(workers.map((worker) => worker.run()));
    // Awaited below; a failure meanwhile must not count as unhandled.
    all.catch(() => undefined);
    await processHere(batches, options, commit, roomBytes, () => workers.some((worker) => worker.hasFailed));
    await all;
  } finally {
    for (const worker of workers) worker.end();
  }
}

/** Works off batches in this thread alone. */
export async function processHere(
  batches: Iterator<readonly Job[]>,
  options: ProcessOptions,
  commit: (batch: Processed) => void,
  roomBytes = roomFor(1),
  shouldStop: () => boolean = () => false,
): Promise<void> {
  for (let next = batches.next(); !next.done && !shouldStop(); next = batches.next()) {
    commit(await processBatch(next.value, options));
    collectGarbage(roomBytes);
    // Signals, timers and the workers' answers get their turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

class IndexWorker {
  hasFailed = false;
  private worker: Worker | undefined;

  constructor(
    private readonly batches: Iterator<readonly Job[]>,
    private readonly options: ProcessOptions,
    private readonly code: CompiledCode,
    private readonly roomBytes: number,
    private readonly commit: (batch: Processed) => void,
  ) {}

  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (reason: unknown) => {
        this.hasFailed = true;
        reject(reason);
      };
      let inHand = 0;
      const post = (): boolean => {
        const next = this.batches.next();
        if (next.done) return false;
        const { options, roomBytes } = this;
        const code = this.worker ? undefined : this.code;
        this.worker ??= this.start(answered, fail);
        inHand++;
        this.worker.postMessage({ jobs: next.value, options, roomBytes, code } satisfies WorkerTask);
        return true;
      };
      const answered = (answer: WorkerAnswer) => {
        inHand--;
        try {
          if ("failure" in answer) throw new Error(answer.failure);
          post();
          this.commit(unpack(answer.processed));
        } catch (error) {
          fail(error);
          return;
        }
        if (inHand === 0) resolve();
      };
      while (inHand < IN_HAND && post());
      if (inHand === 0) resolve();
    });
  }

  end(): void {
    this.worker?.terminate();
  }

  private start(answered: (answer: WorkerAnswer) => void, fail: (reason: unknown) => void): Worker {
    const worker = new Worker(workerPath(), { smol: true });
    worker.onmessage = (event: MessageEvent<WorkerAnswer>) => answered(event.data);
    worker.onerror = (event) => fail(new Error(`an indexing worker failed: ${event.message}`));
    return worker;
  }
}

/** In a compiled binary this module is part of a chunk at the root of the embedded files, and the worker keeps its own path. */
function workerPath(): string {
  const isSource = import.meta.url.endsWith("/pool.ts");
  return new URL(isSource ? "./process.worker.ts" : "./src/repo/index/process.worker.js", import.meta.url).href;
}
