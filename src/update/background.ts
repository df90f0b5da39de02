/**
 * The background check: once in 24 hours, only from an interactive command that a person typed, in a process of its
 * own. The running command neither waits for it nor is changed by it; what it installs is met by the next command.
 * Never in hooks, MCP, agents' commands, pipes, CI or air-gap mode. A development build only tells.
 */
import { readFileSync } from "node:fs";
import { loadConfig } from "../platform/config.ts";
import { writeFileAtomic } from "../platform/files.ts";
import { type Environment, homePath } from "../platform/paths.ts";
import { isInteractive } from "../platform/terminal.ts";
import { IS_COMPILED, IS_DEVELOPMENT, VERSION } from "../platform/version.ts";
import { isNewer, parseVersion } from "./version.ts";

const INTERVAL_MS = 24 * 60 * 60 * 1000;

export interface CheckRecord {
  /** Milliseconds since the epoch of the last try, also a failed one: a dead network is not asked on every command. */
  readonly triedAt: number;
  /** The newest release seen. */
  readonly latest: string | undefined;
  /** The version that the background update has put in place. */
  readonly installed: string | undefined;
}

export interface Situation {
  readonly interactive: boolean;
  readonly compiled: boolean;
  readonly env: Environment;
  readonly now: number;
}

export function readRecord(env: Environment = process.env): CheckRecord {
  try {
    const value = JSON.parse(readFileSync(homePath("update-check.json", env), "utf8")) as Partial<CheckRecord>;
    const version = (one: unknown): string | undefined =>
      typeof one === "string" && parseVersion(one) ? one : undefined;
    return {
      triedAt: typeof value.triedAt === "number" ? value.triedAt : 0,
      latest: version(value.latest),
      installed: version(value.installed),
    };
  } catch {
    return { triedAt: 0, latest: undefined, installed: undefined };
  }
}

export function writeRecord(record: CheckRecord, env: Environment = process.env): void {
  try {
    writeFileAtomic(homePath("update-check.json", env), JSON.stringify(record));
  } catch {
    // Without the record the next command asks again; nothing worse.
  }
}

/** Whether a check may be started now. */
export function mayCheck(situation: Situation, record: CheckRecord): boolean {
  const { env, now } = situation;
  if (!situation.interactive || !situation.compiled) return false;
  if (env["CI"] || env["TOKENIX_NO_UPDATE_CHECK"] || /^(?:1|true|yes)$/i.test(env["TOKENIX_AIRGAP"] ?? ""))
    return false;
  // An agent's shell tool may give its commands a terminal.
  if (env["CLAUDECODE"] || env["CODEX_SANDBOX"] || env["GEMINI_CLI"] || env["CURSOR_AGENT"] || env["OPENCODE"])
    return false;
  // A clock that was set back must not switch the check off for ever.
  return now - record.triedAt >= INTERVAL_MS || now < record.triedAt;
}

/**
 * After an interactive command for people: starts the check when one is due, and gives the one line to show, if any.
 * Costs a small file read; the check itself runs detached.
 */
export async function afterInteractiveCommand(
  cwd: string,
  env: Environment = process.env,
): Promise<string | undefined> {
  const situation: Situation = { interactive: isInteractive(), compiled: IS_COMPILED, env, now: Date.now() };
  if (!situation.interactive || !situation.compiled) return undefined;
  // Windows kept the file of the program that was running while it was replaced.
  if (process.platform === "win32") (await import("./replace.ts")).sweep(process.execPath);
  const record = readRecord(env);
  if (mayCheck(situation, record)) {
    const { config } = await loadConfig(cwd);
    if (config.update.check) {
      writeRecord({ ...record, triedAt: situation.now }, env);
      const mode = IS_DEVELOPMENT ? "notify" : config.update.mode;
      startDetached([process.execPath, "update", "--background", ...(mode === "notify" ? ["--check"] : [])]);
    }
  }
  if (record.latest && isNewer(record.latest, VERSION))
    return `tokenix ${record.latest} is out (this is ${VERSION}): tokenix update`;
  return undefined;
}

function startDetached(command: readonly string[]): void {
  try {
    const child = Bun.spawn([...command], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      detached: true,
      windowsHide: true,
    });
    child.unref();
  } catch {
    // The command that the person typed is done; that no check could start is not its fault.
  }
}
