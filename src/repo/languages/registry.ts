/**
 * Which language a file is written in, told from its name, its first line and the user's `[languages]` table.
 * Cheap on purpose: loads no grammar, reads no file, keeps three maps.
 */
import { definitions } from "../../generated/languages.ts";
import type { LanguageDefinition } from "./definition.ts";
import type { LanguageId } from "./types.ts";

const byId = new Map<LanguageId, LanguageDefinition>();
const byExtension = new Map<string, LanguageId>();
const byFilename = new Map<string, LanguageId>();
const byInterpreter = new Map<string, LanguageId>();

for (const definition of definitions) {
  byId.set(definition.id, definition);
  for (const extension of definition.extensions ?? []) byExtension.set(extension, definition.id);
  for (const name of definition.filenames ?? []) byFilename.set(name.toLowerCase(), definition.id);
  for (const interpreter of definition.shebangs ?? []) byInterpreter.set(interpreter, definition.id);
}

/** Every language by its id. */
export const languages: ReadonlyMap<LanguageId, LanguageDefinition> = byId;

/** The language that people name: "typescript" for tsx, itself for most. */
export function familyOf(id: LanguageId): LanguageId {
  return byId.get(id)?.family ?? id;
}

/**
 * `path` may use either slash. `overrides` maps an extension (with or without dot) or a file name to a language id;
 * an id that does not exist is ignored here (the config loader reports it).
 */
export function languageOf(
  path: string,
  firstLine?: string,
  overrides?: Readonly<Record<string, string>>,
): LanguageId | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  if (overrides !== undefined) {
    const own = overridden(name, overrides);
    if (own !== undefined) return own;
  }
  const whole = byFilename.get(name);
  if (whole !== undefined) return whole;
  const known = byLongestExtension(name);
  if (known !== undefined) return known;
  const dot = name.indexOf(".");
  if (dot > 0) {
    // Dockerfile.dev, Makefile.am, Jenkinsfile.release: the name says more than the ending does.
    const stem = byFilename.get(name.slice(0, dot));
    if (stem !== undefined) return stem;
  }
  return firstLine === undefined ? undefined : byShebang(firstLine);
}

function byLongestExtension(name: string): LanguageId | undefined {
  let dot = name.indexOf(".");
  while (dot !== -1) {
    const found = byExtension.get(name.slice(dot + 1));
    if (found !== undefined) return found;
    dot = name.indexOf(".", dot + 1);
  }
  return undefined;
}

function overridden(name: string, overrides: Readonly<Record<string, string>>): LanguageId | undefined {
  for (const [pattern, id] of Object.entries(overrides)) {
    if (!byId.has(id)) continue;
    const wanted = pattern.toLowerCase().replace(/^\*?\./, "");
    if (name === wanted || name.endsWith(`.${wanted}`)) return id;
  }
  return undefined;
}

/** `#!/usr/bin/env -S python3.12 -u` → python; also Emacs and Vim mode lines are left alone. */
function byShebang(firstLine: string): LanguageId | undefined {
  if (!firstLine.startsWith("#!")) return firstLine.startsWith("<?php") ? "php" : undefined;
  const words = firstLine.slice(2, 300).trim().split(/\s+/);
  let program = baseName(words[0] ?? "");
  if (program === "env") {
    program = baseName(words.slice(1).find((word) => !word.startsWith("-") && !word.includes("=")) ?? "");
  }
  return byInterpreter.get(program) ?? byInterpreter.get(program.replace(/[\d.]+$/, ""));
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
