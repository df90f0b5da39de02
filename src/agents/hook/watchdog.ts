/**
 * Ends the hook when its thread is held by a disk or a loop. Started only where a decision goes to the disk for more
 * than a look; the timer of the door does for the rest. A timer of the C library where silence is the answer (0.4 ms),
 * else a second thread that says what is to be said (1.2 ms, and as much of another processor).
 */

import type { Watch } from "./watchdog.worker.ts";
import { watchByTimer } from "./watchdog-timer.ts";

export interface Watchdog {
  /** The answer is known: from here on the hook may take what time its reader needs. */
  callOff(): void;
}

export function watch(wantedMs: number, stdout: string): Watchdog {
  // On a busy machine the time may be over already.
  const afterMs = Math.max(1, wantedMs);
  try {
    const watchdog = stdout === "" ? watchByTimer(afterMs) : undefined;
    if (watchdog) return watchdog;
  } catch {
    // No foreign functions here.
  }
  return watchByWorker(afterMs, stdout);
}

function watchByWorker(afterMs: number, stdout: string): Watchdog {
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
