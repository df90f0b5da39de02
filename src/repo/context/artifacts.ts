/**
 * Context artifacts: files beside the code that a task needs (schemas, API descriptions, decision records), named in
 * `.tokenix/artifacts.json` with a line of what they are. The list comes with the repository: its paths must stay inside
 * of it, and showing one is all that it can do.
 */
import { lstatSync, realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { EXIT, messageOf, UserError } from "../../platform/errors.ts";
import { readBounded, readTextIfPresent } from "../../platform/files.ts";
import { nearest } from "../../platform/nearest.ts";
import { redactCredentials } from "../../platform/redact.ts";
import { decodeText } from "../../platform/text.ts";
import { countTokens } from "../../platform/tokens.ts";

export interface Artifact {
  readonly name: string;
  /** Relative to the project root. */
  readonly path: string;
  readonly description: string;
  /** Bytes; undefined when there is no such file. */
  readonly bytes: number | undefined;
}

export const ARTIFACTS_FILE = ".tokenix/artifacts.json";
const MAX_LIST_BYTES = 512 * 1024;
const MAX_ARTIFACTS = 500;
const MAX_ARTIFACT_BYTES = 8_000_000;

/** @throws UserError that names what is wrong with the list. An absent list is an empty one. */
export function listArtifacts(root: string): readonly Artifact[] {
  const text = readTextIfPresent(join(root, ARTIFACTS_FILE), MAX_LIST_BYTES);
  if (text === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(
      `${ARTIFACTS_FILE} is not JSON (${messageOf(error)})`,
      'it looks like {"artifacts": [{"name": "schema", "path": "db/schema.sql", "description": "…"}]}',
    );
  }
  const entries = (value as { artifacts?: unknown } | null)?.artifacts;
  if (!Array.isArray(entries))
    throw new UserError(
      `${ARTIFACTS_FILE} has no list 'artifacts'`,
      'it looks like {"artifacts": [{"name": "schema", "path": "db/schema.sql"}]}',
    );
  if (entries.length > MAX_ARTIFACTS)
    throw new UserError(`${ARTIFACTS_FILE} names ${entries.length} artifacts; ${MAX_ARTIFACTS} are read at most`);
  return entries.map((entry: unknown, i) => {
    const { name, path, description } = (entry ?? {}) as Record<string, unknown>;
    if (typeof path !== "string" || path === "")
      throw new UserError(`artifact ${i + 1} in ${ARTIFACTS_FILE} has no 'path'`);
    if (!isInside(root, path))
      throw new UserError(
        `artifact '${path}' in ${ARTIFACTS_FILE} lies outside the project`,
        "only files of the project can be artifacts",
      );
    return {
      name: typeof name === "string" && name !== "" ? name : path,
      path,
      description: typeof description === "string" ? description : "",
      bytes: sizeOf(join(root, path)),
    };
  });
}

/** The artifact's text, credentials masked, cut at a budget with a line that says so. */
export function showArtifact(
  root: string,
  name: string,
  budgetTokens: number,
): { artifact: Artifact; text: string; leftOutTokens: number } {
  const all = listArtifacts(root);
  const artifact = all.find((one) => one.name === name) ?? all.find((one) => one.path === name);
  if (!artifact) {
    const near = nearest(
      name,
      all.map((one) => one.name),
    );
    throw new UserError(
      `there is no artifact '${name}'`,
      near ? `did you mean '${near}'?` : "'tokenix artifacts list' shows them",
      EXIT.usage,
    );
  }
  if (artifact.bytes === undefined) throw new UserError(`${artifact.path} does not exist`, `mend ${ARTIFACTS_FILE}`);
  const decoded = decodeText(readBounded(join(root, artifact.path), MAX_ARTIFACT_BYTES));
  if ("binary" in decoded) throw new UserError(`${artifact.path} is not a text file`);
  const text = redactCredentials(decoded.text);
  const tokens = countTokens(text);
  if (tokens <= budgetTokens) return { artifact, text, leftOutTokens: 0 };
  const cut = text.slice(0, text.lastIndexOf("\n", budgetTokens * 4) + 1 || budgetTokens * 4);
  return { artifact, text: cut, leftOutTokens: tokens - countTokens(cut) };
}

/** Inside after every link is followed; what does not exist yet is judged by its words. */
function isInside(root: string, path: string): boolean {
  const wanted = resolve(root, path);
  if (!wanted.startsWith(root + sep)) return false;
  try {
    return realpathSync(wanted).startsWith(realpathSync(root) + sep);
  } catch {
    return true;
  }
}

function sizeOf(path: string): number | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() || stat?.isSymbolicLink() ? stat.size : undefined;
}
