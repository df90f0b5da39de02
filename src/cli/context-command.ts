/** What `context` and `explore` share: they differ in how much of the relationships they tell. */
import type { ParsedArgs } from "citty";
import { EXIT, UserError } from "../platform/errors.ts";
import { CONTEXT_MODES, makeContext } from "../repo/context/context.ts";
import { gatherPlaces } from "../repo/context/gather.ts";
import { notesFor } from "../repo/context/memory.ts";
import { missingName } from "../repo/context/symbols.ts";
import { changedFiles } from "../repo/graph/blast.ts";
import { queryVector } from "../repo/search/query-vector.ts";
import { oneOf, wholeNumber, withGraph } from "./graph-session.ts";
import { tell } from "./tell.ts";

export const contextArgs = {
  text: { type: "positional", required: true, description: "the task, a question, or a name" },
  mode: { type: "string", default: "plan", description: CONTEXT_MODES.join(", ") },
  budget: { type: "string", default: "4000", description: "tokens at most" },
  "max-files": { type: "string", default: "25", description: "files at most" },
  "budget-breakdown": { type: "boolean", description: "where the tokens went, on stderr" },
  json: { type: "boolean", description: "print JSON" },
} as const;

/** Places asked of search: far more than are shown, so that what is left out can be counted. */
const CANDIDATES = 60;
/** Notes take no more of the budget than this share. */
const NOTES_SHARE = 0.1;

export function runContext(args: ParsedArgs<typeof contextArgs>, explore: boolean): Promise<number> {
  return withGraph(async (graph, root) => {
    const mode = oneOf(args.mode, "mode", CONTEXT_MODES);
    const budgetTokens = wholeNumber(args.budget, "budget", 100, 1_000_000);
    if (args.text.trim() === "") throw new UserError("there is no question", undefined, EXIT.usage);
    const { vector, note } = await queryVector(graph.store, args.text);
    if (note !== undefined) await tell("warn", note);
    const missing = missingName(graph.store, args.text);
    const places = gatherPlaces(graph.store, args.text, CANDIDATES, { vector });
    // Only a review needs git; a folder outside of it has no change.
    const changed = mode === "review" ? await changedFiles(root, undefined).catch(() => []) : [];
    const told = makeContext(graph, args.text, places, {
      mode,
      budgetTokens,
      maxFiles: wholeNumber(args["max-files"], "max-files", 1, 10_000),
      explore,
      notes: notesFor(args.text, root, Math.floor(budgetTokens * NOTES_SHARE)),
      changed: new Set(changed.map((file) => file.path)),
      missing,
    });
    if (args.json) {
      const { text, tokens, files, leftOut, breakdown } = told;
      console.log(
        JSON.stringify({
          text,
          tokens,
          files,
          left_out: leftOut,
          breakdown,
          missing: missing ? { near: missing } : null,
        }),
      );
    } else console.log(told.text.replace(/\n$/, ""));
    if (args["budget-breakdown"])
      for (const { name, tokens } of told.breakdown) console.error(`${String(tokens).padStart(7)}  ${name}`);
    return EXIT.ok;
  });
}
