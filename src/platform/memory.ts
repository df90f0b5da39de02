/**
 * Asks the engine to collect where the process has grown. The collector is in no hurry by itself (a run over 12 MB of
 * source peaks at 510 MB), and a collection forced after every batch takes a fifth of the time; a small job never pays.
 */

/** Two threads that parse stand at about 200 MB with nothing to collect, and each further one at 100 MB more. */
export function roomFor(threads: number): number {
  return Math.max(250e6, 50e6 + threads * 100e6);
}

export function collectGarbage(aboveBytes = roomFor(1)): void {
  if (process.memoryUsage.rss() > aboveBytes) Bun.gc(true);
}
