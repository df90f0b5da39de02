/** The doctor's checks of the agents on this machine. */
import { agentChecks as checksOfAgents } from "../../agents/install/checks.ts";
import type { Check } from "./types.ts";

export const agentChecks: readonly Check[] = checksOfAgents();
