/**
 * What a session has been shown of which file: an outline, or the whole. One small file a session; a second
 * asking for the whole file must give the whole file, in this process and in the next.
 */
import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensurePrivateDir, readTextIfPresent, removeQuietly } from "../../platform/files.ts";
import { type Environment, homePath } from "../../platform/paths.ts";

export type Shown = "outline" | "whole";

const MAX_STATE_BYTES = 256 * 1024;
const KEEP_MS = 2 * 24 * 3600 * 1000;
/** Without a session id, a showing this old is not "this conversation" any more. */
const NAMELESS_MS = 900_000;
const PRUNE_AT = 200;
const PRUNE_EVERY = 20;

export interface SessionKey {
  readonly dialect: string;
  readonly sessionId: string | undefined;
  /** For agents that send no session id. */
  readonly root: string;
  /** The call itself: when two settings files deliver it twice, the second is the same asking, not a second one. */
  readonly toolUseId?: string | undefined;
}

export function shownBefore(
  key: SessionKey,
  path: string,
  env: Environment,
  now: number = Date.now(),
): Shown | undefined {
  const text = readTextIfPresent(stateFile(key, env), MAX_STATE_BYTES);
  if (text === undefined) return undefined;
  const wanted = pathHash(path);
  let shown: Shown | undefined;
  for (const line of text.split("\n")) {
    const [hash, what, at, call] = line.split(" ");
    if (hash !== wanted || (what !== "outline" && what !== "whole")) continue;
    if (call !== undefined && call === callHash(key)) continue;
    if (key.sessionId === undefined && now - Number(at) > NAMELESS_MS) continue;
    shown = what;
  }
  return shown;
}

export function noteShown(
  key: SessionKey,
  path: string,
  what: Shown,
  env: Environment,
  now: number = Date.now(),
): void {
  const file = stateFile(key, env);
  const dir = stateDir(env);
  ensurePrivateDir(dir);
  const call = callHash(key);
  const isNew = statSync(file, { throwIfNoEntry: false }) === undefined;
  appendFileSync(file, `${pathHash(path)} ${what} ${now}${call === undefined ? "" : ` ${call}`}\n`, { mode: 0o600 });
  if (isNew) prune(dir, now);
}

function stateDir(env: Environment): string {
  return join(homePath("cache", env), "reads");
}

function stateFile(key: SessionKey, env: Environment): string {
  const id = key.sessionId === undefined ? `${key.dialect}\0\0${key.root}` : `${key.dialect}\0${key.sessionId}`;
  return join(stateDir(env), Bun.hash(id).toString(16).padStart(16, "0"));
}

function pathHash(path: string): string {
  const folded = process.platform === "win32" ? path.replaceAll("\\", "/").toLowerCase() : path;
  return Bun.hash(folded).toString(16).padStart(16, "0");
}

function callHash(key: SessionKey): string | undefined {
  return key.toolUseId === undefined ? undefined : Bun.hash(key.toolUseId).toString(16);
}

/** Old sessions go once there are many, and then with every twentieth new one; a folder that can't be read stays as it is. */
function prune(dir: string, now: number): void {
  const names = readdirSync(dir);
  if (names.length < PRUNE_AT || names.length % PRUNE_EVERY !== 0) return;
  for (const name of names) {
    const path = join(dir, name);
    try {
      if (now - statSync(path).mtimeMs > KEEP_MS) removeQuietly(path);
    } catch {
      // Another hook was faster.
    }
  }
}
