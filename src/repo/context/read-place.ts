/**
 * Which file a reader means: as it is named, as hits print it (`path:10-20`, `path:10`, `path:name`), from the working
 * directory or from the project's root. A file of that very name goes before any reading of a colon.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EXIT, UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";
import type { Environment } from "../../platform/paths.ts";
import { openStore } from "../store/open.ts";
import { findProjectRoot } from "../store/root.ts";

export interface NamedPlace {
  readonly path: string;
  readonly lines?: string;
  readonly symbol?: string;
}

/** @throws UserError that offers the nearest path of the index when there is no such file. */
export function placeOf(file: string, cwd: string, env?: Environment): NamedPlace {
  const folders = [cwd, findProjectRoot(cwd, env).root];
  const existing = (name: string): string | undefined =>
    name === "" ? undefined : folders.map((folder) => resolve(folder, name)).find((path) => existsSync(path));
  const path = existing(file);
  if (path !== undefined) return { path };
  const place = /^(.+?):(\d+)(?:-(\d+)|:.*)?$/s.exec(file);
  const before = place && existing(place[1] ?? "");
  if (before) return { path: before, lines: place[3] === undefined ? `${place[2]}` : `${place[2]}-${place[3]}` };
  const named = /^(.+?):([^:\\/\d][^\\/]*)$/s.exec(file);
  const holder = named && existing(named[1] ?? "");
  if (holder) return { path: holder, symbol: named[2] ?? "" };
  const near = nearPath(place?.[1] ?? file, folders[1] ?? cwd, env);
  throw new UserError(
    `there is no file ${resolve(cwd, file)}`,
    near === undefined ? undefined : `did you mean '${near}'?`,
    EXIT.usage,
  );
}

/** By the whole path; else a file of that name elsewhere; else by the name alone. */
function nearPath(file: string, root: string, env?: Environment): string | undefined {
  const wanted = file.replaceAll("\\", "/").replace(/^\.\//, "");
  try {
    const store = openStore(root, { mode: "read", ...(env ? { env } : {}) });
    try {
      const paths = store.files.all().map((one) => one.path);
      const base = baseOf(wanted);
      const byName = new Map(paths.map((path) => [baseOf(path), path]));
      const near = byName.has(base) ? base : nearest(base, byName.keys());
      return paths.find((path) => path.endsWith(`/${wanted}`)) ?? nearest(wanted, paths) ?? byName.get(near ?? "");
    } finally {
      store.close();
    }
  } catch {
    // No index, or none that can be asked: there is nothing to offer.
    return undefined;
  }
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
