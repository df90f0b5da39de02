/**
 * Notes that outlive a session: decisions, gotchas, where things are. Kept in the home, per project or for all, and
 * surfaced by context and explore where their words fit. Text that holds a credential is refused, not masked: a note
 * with a hole in it helps nobody, and a masked one would teach the habit.
 */
import { readFileSync } from "node:fs";
import { EXIT, UserError } from "../../platform/errors.ts";
import { ensurePrivateDir, writeFileAtomic } from "../../platform/files.ts";
import { acquireWriter } from "../../platform/lock.ts";
import { type Environment, homePath, projectId, tokenixHome } from "../../platform/paths.ts";
import { holdsCredential } from "../../platform/redact.ts";
import { countTokens } from "../../platform/tokens.ts";
import { tokenize } from "../search/tokenize.ts";

export interface Note {
  readonly id: number;
  readonly text: string;
  /** The project's id; null: for every project. */
  readonly project: string | null;
  /** ISO 8601. */
  readonly at: string;
}

const MAX_CHARACTERS = 2000;
const MAX_NOTES = 1000;
const MAX_FILE_BYTES = 8_000_000;

/** Notes of a project and those for all, oldest first. A damaged file reads as none and is never overwritten. */
export function listNotes(root: string | undefined, env: Environment = process.env): readonly Note[] {
  const project = root === undefined ? undefined : projectId(root);
  return load(env).notes.filter((note) => note.project === null || note.project === project);
}

/** @throws UserError for text that is empty, too long, or holds a credential. */
export function addNote(
  text: string,
  root: string | null,
  env: Environment = process.env,
  now: () => number = Date.now,
): Note {
  const clean = checked(text);
  return change(env, (notes) => {
    if (notes.length >= MAX_NOTES)
      throw new UserError(
        `there are ${MAX_NOTES} notes already`,
        "remove some: tokenix memory list, tokenix memory remove ID",
      );
    const note: Note = {
      id: notes.reduce((most, one) => Math.max(most, one.id), 0) + 1,
      text: clean,
      project: root === null ? null : projectId(root),
      at: new Date(now()).toISOString(),
    };
    return { notes: [...notes, note], result: note };
  });
}

export function editNote(id: number, text: string, env: Environment = process.env): Note {
  const clean = checked(text);
  return change(env, (notes) => {
    const before = known(notes, id);
    const note = { ...before, text: clean };
    return { notes: notes.map((one) => (one.id === id ? note : one)), result: note };
  });
}

export function removeNote(id: number, env: Environment = process.env): Note {
  return change(env, (notes) => ({ result: known(notes, id), notes: notes.filter((one) => one.id !== id) }));
}

/** The notes that share words with the question, best first, within a budget of tokens. */
export function notesFor(
  question: string,
  root: string,
  budgetTokens: number,
  env: Environment = process.env,
): readonly Note[] {
  const wanted = new Set(tokenize(question).filter((word) => word.length > 2));
  const scored = listNotes(root, env)
    .map((note) => ({ note, score: new Set(tokenize(note.text).filter((word) => wanted.has(word))).size }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.note.id - a.note.id);
  const found: Note[] = [];
  let tokens = 0;
  for (const { note } of scored) {
    tokens += countTokens(note.text) + 4;
    if (tokens > budgetTokens) break;
    found.push(note);
  }
  return found;
}

function checked(text: string): string {
  const clean = text.trim();
  if (clean === "") throw new UserError("a note needs some text", undefined, EXIT.usage);
  if (clean.length > MAX_CHARACTERS)
    throw new UserError(
      `the note has ${clean.length} characters; ${MAX_CHARACTERS} are kept at most`,
      "say it shorter, or put it into a file of the repository",
    );
  if (holdsCredential(clean))
    throw new UserError(
      "the note holds what looks like a credential, and was not kept",
      "name where the secret lies instead of the secret",
    );
  return clean;
}

function known(notes: readonly Note[], id: number): Note {
  const found = notes.find((note) => note.id === id);
  if (!found) throw new UserError(`there is no note ${id}`, "'tokenix memory list' shows their numbers");
  return found;
}

function change<T>(env: Environment, body: (notes: readonly Note[]) => { notes: readonly Note[]; result: T }): T {
  ensurePrivateDir(tokenixHome(env));
  const lock = acquireWriter(`${homePath("memory.json", env)}.lock`, "memory", 2000);
  if ("heldBy" in lock) throw new UserError("the notes are being written by another process", "try again");
  try {
    const { notes, damaged } = load(env);
    if (damaged)
      throw new UserError(
        `${homePath("memory.json", env)} can't be read as notes`,
        "mend it or move it away; nothing was changed",
      );
    const { notes: after, result } = body(notes);
    writeFileAtomic(homePath("memory.json", env), `${JSON.stringify({ version: 1, notes: after }, null, 1)}\n`);
    return result;
  } finally {
    lock.release();
  }
}

function load(env: Environment): { notes: readonly Note[]; damaged: boolean } {
  let text: string;
  try {
    text = readFileSync(homePath("memory.json", env), "utf8");
  } catch {
    return { notes: [], damaged: false };
  }
  try {
    if (text.length > MAX_FILE_BYTES) return { notes: [], damaged: true };
    const { notes } = JSON.parse(text) as { notes: unknown };
    if (!Array.isArray(notes)) return { notes: [], damaged: true };
    return { notes: notes.filter(isNote), damaged: false };
  } catch {
    return { notes: [], damaged: true };
  }
}

function isNote(value: unknown): value is Note {
  const { id, text, project, at } = (value ?? {}) as Partial<Note>;
  return (
    Number.isInteger(id) &&
    typeof text === "string" &&
    typeof at === "string" &&
    (project === null || typeof project === "string")
  );
}
