/**
 * A second thread that ends the hook when the first is held by a disk or a loop. Started only where a decision
 * goes to the disk for more than a look (1.2 ms); the timer of the door does for the rest.
 */
import type { Watch } from "./watchdog.worker.ts";

export interface Watchdog {
  /** The answer is known: from here on the hook may take what time its reader needs. */
  callOff(): void;
}

export function watch(afterMs: number, stdout: string): Watchdog {
  const done = new SharedArrayBuffer(4);
  try {
    const worker = new Worker(workerPath(), { smol: true });
    worker.onerror = () => undefined;
    worker.postMessage({ afterMs, stdout, done } satisfies Watch);
  } catch {
    // No thread to be had: the door's own timer is still there.
  }
  return {
    callOff() {
      Atomics.store(new Int32Array(done), 0, 1);
    },
  };
}

/** In a compiled binary this module is part of a chunk at the root of the embedded files, and the worker keeps its own path. */
function workerPath(): string {
  const isSource = import.meta.url.endsWith("/watchdog.ts");
  return new URL(isSource ? "./watchdog.worker.ts" : "./src/agents/hook/watchdog.worker.js", import.meta.url).href;
}
