/** The one list of commands: help, README tables, completions and dispatch read it. */
import { agentsCommands } from "./catalog/agents.ts";
import { contextCommands } from "./catalog/context.ts";
import { graphCommands } from "./catalog/graph.ts";
import { insightCommands } from "./catalog/insight.ts";
import { outputCommands } from "./catalog/output.ts";
import { repoCommands } from "./catalog/repo.ts";
import { searchCommands } from "./catalog/search.ts";
import { serveCommands } from "./catalog/serve.ts";
import { snapshotCommands } from "./catalog/snapshot.ts";
import type { CommandEntry } from "./catalog/types.ts";
import { updateCommands } from "./catalog/update.ts";

export const catalog: readonly CommandEntry[] = [
  ...repoCommands,
  ...searchCommands,
  ...graphCommands,
  ...contextCommands,
  ...outputCommands,
  ...agentsCommands,
  ...serveCommands,
  ...insightCommands,
  ...snapshotCommands,
  ...updateCommands,
];
