/** Hook logs as entries to count: of one project, or of all that this machine knows. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { textOf } from "../../agents/json.ts";
import { type HookEvent, readHookLogFile } from "../../platform/hook-log.ts";
import { type Environment, homePath, projectPaths } from "../../platform/paths.ts";

export interface Entry extends HookEvent {
  readonly project: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

export interface Entries {
  readonly entries: readonly Entry[];
  /** Lines that are no events: counted, never guessed at. */
  readonly badLines: number;
}

export function entriesOf(root: string, env: Environment): Entries {
  const { log, id } = projectPaths(root, { env });
  return read([{ path: log, project: id }]);
}

export function entriesOfAll(env: Environment): Entries {
  const dir = homePath("logs", env);
  let names: string[] = [];
  try {
    names = readdirSync(dir);
  } catch {
    // No log was ever written.
  }
  // A set-aside generation alone still belongs to its project.
  const projects = new Set(names.filter((name) => /\.log(?:\.1)?$/.test(name)).map((name) => name.replace(/\.1$/, "")));
  return read([...projects].sort().map((name) => ({ path: join(dir, name), project: basename(name, ".log") })));
}

function read(files: readonly { path: string; project: string }[]): Entries {
  const entries: Entry[] = [];
  let badLines = 0;
  for (const { path, project } of files) {
    const log = readHookLogFile(path);
    badLines += log.badLines;
    for (const event of log.events) {
      const time = Date.parse(event.at);
      const isSound = Number.isFinite(time) && isCount(event.rawTokens) && isCount(event.shownTokens);
      if (!isSound || textOf(event.tool) === undefined) badLines++;
      else entries.push({ ...event, subject: textOf(event.subject) ?? "", project, time });
    }
  }
  entries.sort((a, b) => a.time - b.time);
  return { entries, badLines };
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
