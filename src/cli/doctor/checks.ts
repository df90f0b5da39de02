/** The doctor's checks, in the order in which they are printed. */
import { agentChecks } from "./agent-checks.ts";
import { configCheck, gitCheck, grammarCheck, homeCheck, indexCheck } from "./index-checks.ts";
import type { Check } from "./types.ts";

export const checks: readonly Check[] = [homeCheck, indexCheck, gitCheck, configCheck, grammarCheck, ...agentChecks];
