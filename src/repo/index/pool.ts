/**
 * Workers for parsing. Each holds one batch, so memory is bounded by their number; the next batch is handed out only
 * when its worker is free, so a slow disk or a slow commit holds the walk back instead of filling the memory.
 */
import type { Job, Processed, ProcessOptions } from "./process.ts";

export interface WorkerTask {
  readonly jobs: readonly Job[];
  readonly options: ProcessOptions;
}

export type WorkerAnswer = { readonly processed: Processed } | { readonly failure: string };

/** Works off all batches; `commit` is called in this thread, one batch at a time, in the order in which they are done. */
export async function processInWorkers(
  batches: Iterator<readonly Job[]>,
  options: ProcessOptions,
  count: number,
  commit: (batch: Processed) => void,
): Promise<void> {
  const workers = Array.from({ length: count }, () => new Worker(workerPath(), { smol: true }));
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let next = batches.next(); !next.done; next = batches.next())
          commit(await ask(worker, { jobs: next.value, options }));
      }),
    );
  } finally {
    for (const worker of workers) worker.terminate();
  }
}

function ask(worker: Worker, task: WorkerTask): Promise<Processed> {
  return new Promise((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<WorkerAnswer>) => {
      if ("processed" in event.data) resolve(event.data.processed);
      else reject(new Error(event.data.failure));
    };
    worker.onerror = (event) => reject(new Error(`an indexing worker failed: ${event.message}`));
    worker.postMessage(task);
  });
}

/** In a compiled binary the worker is an entry point of its own, found by its path below the source root. */
function workerPath(): string {
  return new URL("./process.worker.ts", import.meta.url).href;
}
