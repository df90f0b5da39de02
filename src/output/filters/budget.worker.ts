/** Applies one filter away from the main thread, so that it can be ended. */
import { applyFilter, type CommandOutput } from "./pipeline.ts";
import type { FilterDefinition } from "./schema.ts";

declare const self: Worker;

self.onmessage = (event: MessageEvent<{ definition: FilterDefinition; output: CommandOutput }>) => {
  const { definition, output } = event.data;
  try {
    self.postMessage({ result: applyFilter(definition, output) });
  } catch (error) {
    self.postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
};
