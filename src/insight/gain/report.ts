/** One report over the hook log: what `gain` prints, as data. */
import { type Account, account, capped } from "./account.ts";
import type { Entries, Entry } from "./entries.ts";
import { type Group, type Grouping, grouped } from "./groups.ts";
import { type CostEstimate, costEstimates, type Economics, economics } from "./money.ts";
import { type SessionShape, sessionShape } from "./sessions.ts";

export interface GainOptions {
  readonly by?: Grouping;
  readonly history?: boolean;
  readonly costEstimate?: boolean;
  readonly economics?: boolean;
  /** Longest list of groups and of history. */
  readonly limit: number;
}

export interface HistoryLine {
  readonly at: string;
  readonly action: string;
  readonly tool: string;
  readonly subject: string;
  readonly by: string | undefined;
  readonly rawTokens: number;
  readonly shownTokens: number;
}

export interface GainReport {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly total: Account;
  readonly sessions: SessionShape;
  readonly groups?: readonly Group[];
  readonly groupsLeftOut?: number;
  readonly history?: readonly HistoryLine[];
  readonly costEstimate?: readonly CostEstimate[];
  readonly economics?: readonly Economics[];
  readonly badLines: number;
}

export function gainReport(log: Entries, options: GainOptions): GainReport {
  const { entries, badLines } = log;
  const total = account(entries);
  const sessions = sessionShape(entries);
  const groups = options.by === undefined ? undefined : grouped(entries, options.by);
  return {
    from: entries[0]?.at,
    to: entries[entries.length - 1]?.at,
    total,
    sessions,
    badLines,
    ...(groups
      ? { groups: groups.slice(0, options.limit), groupsLeftOut: Math.max(0, groups.length - options.limit) }
      : {}),
    ...(options.history ? { history: entries.slice(-options.limit).reverse().map(historyLine) } : {}),
    ...(options.costEstimate ? { costEstimate: costEstimates(total) } : {}),
    ...(options.economics ? { economics: economics(total, sessions.meanCalls) } : {}),
  };
}

function historyLine(entry: Entry): HistoryLine {
  const [rawTokens, shownTokens] = capped(entry);
  const { at, action, tool, subject, by } = entry;
  return { at, action, tool, subject, by, rawTokens, shownTokens };
}
