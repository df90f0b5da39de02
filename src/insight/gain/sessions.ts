/**
 * The shape of sessions, as a description only: without a group that works without us, nothing can be said about
 * how many calls we cause or spare, and none of this enters a saving.
 */
import { sessionKey } from "./account.ts";
import type { Entry } from "./entries.ts";

export interface SessionShape {
  readonly sessions: number;
  readonly meanCalls: number;
  /** The same tool asked for the same thing again within a session, whatever the reason. */
  readonly askedAgain: number;
  readonly askedAgainShare: number;
}

/** Agents without a session id are cut where this much time passes. */
const GAP_MS = 30 * 60_000;

export function sessionShape(entries: readonly Entry[]): SessionShape {
  const open = new Map<string, { last: number; seen: Set<string> }>();
  let [sessions, calls, askedAgain] = [0, 0, 0];
  for (const entry of entries) {
    if (entry.action === "error") continue;
    calls++;
    const key = sessionKey(entry);
    let session = open.get(key);
    if (!session || (entry.session === undefined && entry.time - session.last > GAP_MS)) {
      session = { last: entry.time, seen: new Set() };
      open.set(key, session);
      sessions++;
    }
    session.last = entry.time;
    const what = `${entry.tool} ${entry.subject}`;
    if (session.seen.has(what)) askedAgain++;
    session.seen.add(what);
  }
  return {
    sessions,
    meanCalls: sessions === 0 ? 0 : calls / sessions,
    askedAgain,
    askedAgainShare: calls === 0 ? 0 : askedAgain / calls,
  };
}
