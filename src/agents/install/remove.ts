/** Takes an integration out again: the bytes that were there before, or, after somebody else's edits, theirs without ours. */
import { sep } from "node:path";
import { dropBlock } from "./block-change.ts";
import { type Change, signature } from "./change.ts";
import type { InstallContext } from "./context.ts";
import { addEntries, dropEntries, isSameButForSpace } from "./json-change.ts";
import { allRecords, deleteRecord, type FileRecord, readBackup, readRecord, writeRecord } from "./records.ts";
import { deleteSettings, readSettings, writeSettings } from "./settings-file.ts";
import type { ToolName } from "./tools.ts";

export type RemoveResult =
  | { readonly state: "absent"; readonly path: string }
  | { readonly state: "removed"; readonly path: string; readonly isAsBefore: boolean; readonly isDeleted: boolean }
  | { readonly state: "left"; readonly path: string; readonly why: string };

export function removeChange(
  change: Change,
  context: InstallContext,
  options: { readonly tool: ToolName; readonly isDryRun: boolean },
): RemoveResult {
  const { path } = change;
  try {
    const file = readSettings(path);
    const record = readRecord(path, context.env);
    if (file.text === undefined) {
      if (!options.isDryRun) deleteRecord(path, context.env);
      return { state: "absent", path };
    }
    if (isSharedWithOthers(change, record, options.tool)) {
      if (!options.isDryRun) forget(record, options.tool, context);
      return { state: "absent", path };
    }
    const rest = without(change, file.text, record, options.tool);
    if (rest === file.text || (rest === undefined && !file.text.includes("tokenix"))) {
      if (!options.isDryRun) forget(record, options.tool, context);
      return { state: "absent", path };
    }
    const isLast = record === undefined || record.added.every((one) => one.tool === options.tool);
    const before = readBackup(path, context.env);
    const isGone =
      change.kind === "own-file"
        ? before === undefined
        : isLast && record?.isOurs === true && isBare(change, rest ?? "");
    // White space is all that can differ when others' additions and ours came and went in any order.
    const isBefore =
      before !== undefined &&
      (rest === undefined || isSameButForSpace(rest, before) || (isBlank(before) && isBare(change, rest)));
    const text = isLast && isBefore ? before : rest;
    if (!options.isDryRun) {
      if (isGone) handOver(deleteSettings(file.realPath, record?.madeFolders ?? []), path, context);
      else if (text !== undefined) writeSettings(path, file, text, { isShared: change.isShared });
      forget(record, options.tool, context);
    }
    return { state: "removed", path, isDeleted: isGone, isAsBefore: isGone || (isLast && text === before) };
  } catch (error) {
    return { state: "left", path, why: error instanceof Error ? error.message : String(error) };
  }
}

/** The text without what is ours; nothing for a file that is ours as a whole. */
function without(change: Change, text: string, record: FileRecord | undefined, tool: ToolName): string | undefined {
  const pieces = record?.added.find((one) => one.tool === tool)?.pieces ?? [];
  switch (change.kind) {
    case "own-file":
      return undefined;
    case "block":
      return dropBlock(text, change, pieces[0]?.piece);
    case "json":
      return text.trim() === "" ? text : dropEntries(text, change, pieces);
  }
}

/** True when a file that we made holds nothing but what we made it with. */
function isBare(change: Change, rest: string): boolean {
  if (change.kind !== "json") return rest.trim() === "";
  const needs = change.entries.filter((entry) => entry.how === "need");
  const made = addEntries("{}\n", { ...change, entries: needs }).text;
  return isSameButForSpace(rest, made) || isSameButForSpace(rest, "{}");
}

/** True while another integration that adds the very same is still installed. */
function isSharedWithOthers(change: Change, record: FileRecord | undefined, tool: ToolName): boolean {
  const mine = signature(change);
  const others = record?.added.filter((one) => one.tool !== tool && one.signature === mine) ?? [];
  return others.length > 0 && record?.added.some((one) => one.tool === tool) === true;
}

/** Folders that we made and that still hold another file of ours go when that one goes. */
function handOver(folders: readonly string[], path: string, context: InstallContext): void {
  for (const folder of folders) {
    const heir = allRecords(context.env).find((record) => record.path !== path && record.path.startsWith(folder + sep));
    if (heir === undefined) continue;
    writeRecord({ ...heir, madeFolders: [...heir.madeFolders, folder] }, context.env);
  }
}

function forget(record: FileRecord | undefined, tool: ToolName, context: InstallContext): void {
  if (record === undefined) return;
  const gone = record.added.find((one) => one.tool === tool);
  // What two shared stays removable to the byte: the other one inherits how it was added.
  const added = record.added
    .filter((one) => one.tool !== tool)
    .map((one) =>
      one.pieces.length === 0 && one.signature === gone?.signature ? { ...one, pieces: gone.pieces } : one,
    );
  if (added.length === 0) deleteRecord(record.path, context.env);
  else writeRecord({ ...record, added }, context.env);
}

const isBlank = (text: string): boolean => text.replace("\uFEFF", "").trim() === "";
