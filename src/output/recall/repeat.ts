/**
 * "This is the output you already have": only for exactly the same bytes of exactly the same command in the same project
 * within the time limit, only for successes, and always with the key that brings the whole back. Anything fuzzier would
 * hide a changed output.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../platform/files.ts";
import { type Environment, homePath, projectId } from "../../platform/paths.ts";

const DEFAULT_TTL_SECONDS = 3600;
/** A shorter output is cheaper to repeat than to explain. */
export const FEWEST_REPEAT_CHARS = 1000;

interface Seen {
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** `TOKENIX_DEDUP_TTL` in seconds; 0 switches repeat suppression off. */
export function repeatTtlSeconds(env: Environment = process.env): number {
  const named = env["TOKENIX_DEDUP_TTL"]?.trim() ?? "";
  return /^\d+$/.test(named) ? Number(named) : DEFAULT_TTL_SECONDS;
}

/** When the same output was last shown, or undefined. Does not remember this one. */
export function seenBefore(
  scope: { project: string; cwd: string; command: string },
  key: string,
  options: { now?: number; env?: Environment } = {},
): { agoSeconds: number } | undefined {
  const ttl = repeatTtlSeconds(options.env);
  if (ttl === 0) return undefined;
  try {
    const seen = JSON.parse(readFileSync(seenPath(scope, options.env), "utf8")) as Seen;
    const ago = ((options.now ?? Date.now()) - seen.at) / 1000;
    return seen.key === key && ago >= 0 && ago < ttl ? { agoSeconds: Math.round(ago) } : undefined;
  } catch {
    return undefined;
  }
}

export function rememberShown(
  scope: { project: string; cwd: string; command: string },
  key: string,
  options: { now?: number; env?: Environment } = {},
): void {
  if (repeatTtlSeconds(options.env) === 0) return;
  writeFileAtomic(seenPath(scope, options.env), JSON.stringify({ key, at: options.now ?? Date.now() } satisfies Seen));
}

function seenPath(scope: { project: string; cwd: string; command: string }, env: Environment | undefined): string {
  const hash = Bun.hash(`${scope.cwd}\0${scope.command}`).toString(16).padStart(16, "0");
  return join(homePath("stash", env), `seen-${projectId(scope.project).slice(-16)}-${hash}`);
}
