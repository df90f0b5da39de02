/**
 * Carries out the changes of one integration, or says what they would be. Each file is written whole or not at all;
 * one that can't be used is left as it is, and what belongs into it is handed back for a person to put there.
 */
import { addBlock, dropBlock, hasBlock } from "./block-change.ts";
import { type BlockChange, type Change, type JsonChange, signature } from "./change.ts";
import type { InstallContext } from "./context.ts";
import { addEntries, dropEntries, hasEntries, type Piece } from "./json-change.ts";
import { backupPath, type FileRecord, readRecord, writeBackup, writeRecord } from "./records.ts";
import { missingFolders, readSettings, type SettingsFile, writeSettings } from "./settings-file.ts";
import type { ToolName } from "./tools.ts";

export type FileResult =
  | { readonly state: "unchanged"; readonly path: string }
  | {
      readonly state: "written";
      readonly path: string;
      readonly added: readonly string[];
      readonly backup?: string;
      readonly isNew: boolean;
    }
  | { readonly state: "left"; readonly path: string; readonly why: string; readonly stanza: string };

export function installChange(
  change: Change,
  context: InstallContext,
  options: { readonly tool: ToolName; readonly isDryRun: boolean },
): FileResult {
  const { path } = change;
  try {
    const file = readSettings(path);
    const record = readRecord(path, context.env);
    const mine = { tool: options.tool, isLocal: context.isLocal, signature: signature(change) };
    const plan = planned(change, file, record, options.tool);
    if (plan === undefined) {
      // It is there by another integration that adds the same: from now on it belongs to both.
      const isNew = record?.added.every((one) => one.tool !== options.tool) === true;
      if (record && isNew && !options.isDryRun) {
        writeRecord({ ...record, added: [...record.added, { ...mine, pieces: [] }] }, context.env);
      }
      return { state: "unchanged", path };
    }
    const backup = file.text !== undefined && record === undefined ? backupPath(path, context.env) : undefined;
    if (!options.isDryRun) {
      const madeFolders = missingFolders(file.realPath);
      if (file.text !== undefined && record === undefined) writeBackup(path, file.text, context.env);
      writeSettings(path, file, plan.text, {
        isShared: change.isShared,
        isExecutable: change.kind === "own-file" && change.isExecutable === true,
      });
      const others = record?.added.filter((one) => one.tool !== options.tool) ?? [];
      const fresh = {
        path,
        ...(context.isLocal ? { project: context.project } : {}),
        isOurs: file.text === undefined,
        madeFolders,
      };
      writeRecord({ ...(record ?? fresh), added: [...others, { ...mine, pieces: plan.pieces }] }, context.env);
    }
    return {
      state: "written",
      path,
      added: shown(change, plan),
      isNew: file.text === undefined,
      ...(backup ? { backup } : {}),
    };
  } catch (error) {
    return {
      state: "left",
      path,
      why: error instanceof Error ? error.message : String(error),
      stanza: stanzaOf(change),
    };
  }
}

interface Plan {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** The new text, or nothing where the file is as it should be. */
function planned(change: Change, file: SettingsFile, record: FileRecord | undefined, tool: ToolName): Plan | undefined {
  const pieces = record?.added.find((one) => one.tool === tool)?.pieces ?? [];
  switch (change.kind) {
    case "own-file":
      return file.text === change.text ? undefined : { text: change.text, pieces: [] };
    case "block":
      return plannedBlock(change, file.text, pieces);
    case "json":
      return plannedJson(change, file.text, pieces);
  }
}

function plannedJson(change: JsonChange, text: string | undefined, pieces: readonly Piece[]): Plan | undefined {
  // A file without anything in it is taken for one that is not there yet.
  const start = text === undefined || text.replace("\uFEFF", "").trim() === "" ? "{}\n" : text;
  if (start === text && hasEntries(start, change)) return undefined;
  return addEntries(dropEntries(start, change, pieces), change);
}

function plannedBlock(change: BlockChange, text: string | undefined, pieces: readonly Piece[]): Plan | undefined {
  if (text !== undefined && hasBlock(text, change)) return undefined;
  const { text: result, piece } = addBlock(dropBlock(text ?? "", change, pieces[0]?.piece), change);
  return { text: result, pieces: [{ piece, commaApart: false }] };
}

function shown(change: Change, plan: Plan): string[] {
  if (change.kind === "own-file") return change.text.trimEnd().split("\n");
  return plan.pieces.flatMap(({ piece }) => piece.split(/\r?\n/).filter((line) => line.trim() !== ""));
}

/** What belongs into the file, in a form to copy. */
export function stanzaOf(change: Change): string {
  switch (change.kind) {
    case "own-file":
      return change.text;
    case "block":
      return change.lines.join("\n");
    case "json":
      return JSON.stringify(plainOf(change), null, 2);
  }
}

/** The entries alone, as a settings file that holds nothing else. */
function plainOf(change: JsonChange): unknown {
  return JSON.parse(addEntries("{}", change).text);
}
