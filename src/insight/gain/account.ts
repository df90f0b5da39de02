/**
 * The savings account. In the denominator is every call whose output we measured, those that saved nothing
 * included; what was withheld and then fetched after all is taken off again, and no output counts for more
 * than an agent would have been shown of it.
 */
import type { Entry } from "./entries.ts";

export interface Account {
  /** Calls whose output was measured. */
  readonly calls: number;
  readonly shortened: number;
  /** Let through on the user's own word. */
  readonly bypassed: number;
  readonly errors: number;
  /** What agents would have been shown without us. */
  readonly rawTokens: number;
  readonly shownTokens: number;
  /** Withheld, then fetched: by `retrieve`, by a second whole read, by reading parts of an outlined file. */
  readonly fetchedTokens: number;
  readonly fetches: number;
  /** The same command again within three calls after a shortened success: what it showed is taken off. */
  readonly repeatedTokens: number;
  readonly repeats: number;
  /** raw − shown − fetched − repeated; below zero when we cost more than we saved. */
  readonly savedTokens: number;
  /** Of the raw tokens; undefined when nothing was measured. */
  readonly savedShare: number | undefined;
  /** Answers from the index, limits on searches: used, and claimed as no saving. */
  readonly neutral: number;
}

/** 30,000 characters of a command's output, 25,000 tokens of a file: what agents show at most. */
const MOST_SHOWN: Readonly<Record<string, number>> = { shell: 7500, mcp: 25_000, read: 25_000, grep: 7500 };
const REPEAT_WITHIN_CALLS = 3;
const NEUTRAL = new Set(["head-limit", "symbols", "meaning"]);

/** @param repeats of the whole log, so that a group's share adds up to the whole. */
export function account(entries: readonly Entry[], repeats: Repeats = repeatsIn(entries)): Account {
  let [calls, shortened, bypassed, errors, raw, shown, neutral] = [0, 0, 0, 0, 0, 0, 0];
  let [fetchedTokens, fetches, repeatedTokens, repeated] = [0, 0, 0, 0];
  for (const entry of entries) {
    switch (entry.action) {
      case "bypassed":
        bypassed++;
        continue;
      case "error":
        errors++;
        continue;
      case "retrieve":
        fetches++;
        // No fetch shows an agent more than any other output does.
        fetchedTokens += Math.min(entry.shownTokens, mostShown(entry));
        continue;
      default:
    }
    if (NEUTRAL.has(entry.by ?? "")) {
      neutral++;
      continue;
    }
    const [before, after] = capped(entry);
    calls++;
    raw += before;
    shown += after;
    if (after < before) shortened++;
    const cost = repeats.get(entry);
    if (cost === undefined) continue;
    repeated++;
    repeatedTokens += cost;
  }
  const savedTokens = raw - shown - fetchedTokens - repeatedTokens;
  return {
    calls,
    shortened,
    bypassed,
    errors,
    rawTokens: raw,
    shownTokens: shown,
    fetchedTokens,
    fetches,
    repeatedTokens,
    repeats: repeated,
    savedTokens,
    savedShare: raw === 0 ? undefined : savedTokens / raw,
    neutral,
  };
}

/** What to take off for a command that was asked again right after we had shortened it. */
export type Repeats = ReadonlyMap<Entry, number>;

export function repeatsIn(entries: readonly Entry[]): Repeats {
  const repeats = new Map<Entry, number>();
  const recent = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.action !== "intercepted" && entry.action !== "pass") continue;
    const session = sessionKey(entry);
    const last = recent.get(session) ?? [];
    const first = last.find((one) => one.subject === entry.subject && one.tool === entry.tool);
    if (first && entry.tool === "shell" && isShortenedSuccess(first)) {
      // Asking once more costs what it shows; the first saving can't be claimed for it.
      const [firstRaw, firstShown] = capped(first);
      repeats.set(entry, Math.min(capped(entry)[1], firstRaw - firstShown));
    }
    recent.set(session, [...last, entry].slice(-REPEAT_WITHIN_CALLS));
  }
  return repeats;
}

export function capped(entry: Entry): readonly [raw: number, shown: number] {
  const most = mostShown(entry);
  const raw = Math.min(entry.rawTokens, most);
  return [raw, Math.min(entry.shownTokens, Math.max(raw, most))];
}

function mostShown(entry: Entry): number {
  return MOST_SHOWN[entry.tool] ?? 7500;
}

function isShortenedSuccess(entry: Entry): boolean {
  return entry.action === "intercepted" && (entry.exitCode ?? 0) === 0 && entry.shownTokens < entry.rawTokens;
}

export function sessionKey(entry: Entry): string {
  return `${entry.project} ${entry.agent} ${entry.session ?? ""}`;
}
