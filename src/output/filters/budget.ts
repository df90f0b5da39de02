/** Runs a filter whose patterns are not proven to end, for so long and no longer. A regex can't be interrupted, a worker can. */
import { applyFilter, type CommandOutput, type FilterResult } from "./pipeline.ts";
import type { FilterDefinition } from "./schema.ts";

export const BUDGET_MS = 1500;

export type Budgeted = { readonly result: FilterResult } | { readonly problem: string };

export function applyWithinBudget(
  definition: FilterDefinition,
  output: CommandOutput,
  options: { isUnproven: boolean; budgetMs?: number },
): Budgeted | Promise<Budgeted> {
  if (!options.isUnproven) return { result: applyFilter(definition, output) };
  const budgetMs = options.budgetMs ?? BUDGET_MS;
  return new Promise((resolve) => {
    const worker = new Worker(workerUrl());
    const finish = (answer: Budgeted) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(
      () => finish({ problem: `filter '${definition.name}' took more than ${budgetMs} ms: its patterns backtrack` }),
      budgetMs,
    );
    worker.onmessage = (event: MessageEvent<Budgeted>) => finish(event.data);
    worker.onerror = (event) => finish({ problem: `filter '${definition.name}': ${event.message}` });
    worker.postMessage({ definition, output });
  });
}

/** In the compiled binary workers keep their path below the root, where all code of this module's chunk is. */
function workerUrl(): string {
  const isSource = import.meta.url.endsWith("/budget.ts");
  return new URL(isSource ? "./budget.worker.ts" : "./src/output/filters/budget.worker.js", import.meta.url).href;
}
