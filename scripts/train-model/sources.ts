/** The list of training sources in `sources.json`, and which licences may be trained on. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Ecosystem = "npm" | "pypi" | "crates" | "go" | "maven" | "git";
export interface Source {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

export const LOCK = join(import.meta.dir, "sources.json");

export function readSources(): Source[] {
  return existsSync(LOCK) ? (JSON.parse(readFileSync(LOCK, "utf8")) as Source[]) : [];
}

/** Permissive only: no copyleft, not even in a choice that we would have to make. */
export function isPermissive(licence: string): boolean {
  if (/GPL|MPL|EPL|CDDL|proprietary|business/i.test(licence)) return false;
  return /MIT|Apache|BSD|ISC|Unlicense|CC0|0BSD|Zlib|Python Software Foundation|PostgreSQL|Boost|BSL-1\.0/i.test(
    licence,
  );
}
