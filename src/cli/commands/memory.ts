/** `tokenix memory`: notes that outlive a session. */
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { addNote, editNote, listNotes, type Note, removeNote } from "../../repo/context/memory.ts";
import { findProjectRoot } from "../../repo/store/root.ts";

const json = { type: "boolean", description: "print JSON" } as const;
const here = (): string => findProjectRoot(process.cwd()).root;

function tell(note: Note, asJson: boolean | undefined, what: string): number {
  console.log(
    asJson
      ? JSON.stringify(note)
      : `${what} ${note.id}${note.project === null ? " (for every project)" : ""}: ${note.text}`,
  );
  return EXIT.ok;
}

function numbered(id: string): number {
  if (!/^\d{1,9}$/.test(id))
    throw new UserError(`'${id}' is no note's number`, "'tokenix memory list' shows them", EXIT.usage);
  return Number(id);
}

const add = defineCommand({
  meta: { name: "add", description: "Keep a note; text that holds a credential is refused" },
  args: {
    text: { type: "positional", required: true, description: "what to remember" },
    global: { type: "boolean", description: "for every project" },
    project: { type: "boolean", description: "for this project (the default)" },
    json,
  },
  run({ args }) {
    if (args.global && args.project)
      throw new UserError("--global and --project exclude each other", undefined, EXIT.usage);
    return tell(addNote(args.text, args.global ? null : here()), args.json, "kept as note");
  },
});

const list = defineCommand({
  meta: { name: "list", description: "Show the notes of this project and those for all" },
  args: { global: { type: "boolean", description: "only those for every project" }, json },
  run({ args }) {
    const notes = listNotes(args.global ? undefined : here());
    if (args.json) console.log(JSON.stringify(notes));
    else if (notes.length === 0) console.log("no notes");
    else
      for (const note of notes)
        console.log(`${note.id}  ${note.at.slice(0, 10)}${note.project === null ? "  (all)" : ""}  ${note.text}`);
    return EXIT.ok;
  },
});

const remove = defineCommand({
  meta: { name: "remove", description: "Remove a note" },
  args: { id: { type: "positional", required: true, description: "its number" }, json },
  run: ({ args }) => tell(removeNote(numbered(args.id)), args.json, "removed note"),
});

const edit = defineCommand({
  meta: { name: "edit", description: "Replace a note's text" },
  args: {
    id: { type: "positional", required: true, description: "its number" },
    text: { type: "positional", required: true, description: "the new text" },
    json,
  },
  run: ({ args }) => tell(editNote(numbered(args.id), args.text), args.json, "changed note"),
});

export default defineCommand({
  meta: { name: "memory", description: "Notes that outlive a session, surfaced by context and explore" },
  subCommands: { add, list, remove, edit },
});
