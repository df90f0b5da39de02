/** `tokenix query`: a question or a name, answered with code inside a token budget. */
import { resolve } from "node:path";
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";
import { isOneName } from "../../repo/graph/spelling.ts";
import { projectToAsk } from "../../repo/index/project.ts";
import { ask, questionFinder } from "../../repo/search/ask.ts";
import { MODES, type Mode } from "../../repo/search/search.ts";
import { printAnswer, wholeNumber } from "../answers.ts";
import { valuesOf } from "../repeated.ts";

export default defineCommand({
  meta: { name: "query", description: "Find the code that answers a question, or where a name is defined" },
  args: {
    query: { type: "positional", required: true, description: "A question in words, or a name" },
    budget: { type: "string", default: "1200", description: "Tokens that the answer may cost" },
    limit: { type: "string", default: "10", description: "At most this many places" },
    mode: { type: "string", default: "hybrid", description: "hybrid, semantic, lexical or symbol" },
    path: { type: "string", description: "Only files below or like this; `!` excludes; repeatable" },
    ext: { type: "string", description: "Only files that end so; `!` excludes; repeatable" },
    lang: { type: "string", description: "Only this language; `!` excludes; repeatable" },
    link: { type: "string", description: "Ask this other indexed project too; repeatable" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args, rawArgs }) {
    const query = args._.join(" ").trim();
    if (!query) throw new UserError("the question is empty", 'tokenix query "how are requests routed"', EXIT.usage);
    const mode = modeNamed(args.mode);
    const cwd = process.cwd();
    const roots = [projectToAsk(undefined, cwd)];
    for (const link of valuesOf(rawArgs, "link")) {
      const root = projectToAsk(resolve(cwd, link), cwd);
      if (!roots.includes(root)) roots.push(root);
    }
    const answer = await ask(roots, questionFinder(query), {
      mode,
      budgetTokens: wholeNumber("budget", args.budget),
      limit: wholeNumber("limit", args.limit),
      filters: { path: valuesOf(rawArgs, "path"), ext: valuesOf(rawArgs, "ext"), lang: valuesOf(rawArgs, "lang") },
    });
    // One name, and nothing but likeness of meaning leads to what was found: that must be said.
    const isGuessed = mode === "hybrid" && answer.hits.length > 0 && isOneName(query) && answer.hits.every(isByMeaning);
    const notes = isGuessed
      ? [...answer.notes, `no hit by the word '${query}' itself: these were found by meaning alone`]
      : answer.notes;
    await printAnswer({ ...answer, notes }, { query, mode, json: args.json ?? false });
    return EXIT.ok;
  },
});

function isByMeaning({ why }: { readonly why: readonly string[] }): boolean {
  return why.every((reason) => reason === "semantic" || reason === "demoted");
}

function modeNamed(text: string): Mode {
  const mode = MODES.find((one) => one === text);
  if (mode) return mode;
  const near = nearest(text, MODES);
  throw new UserError(
    `there is no mode '${text}'`,
    near ? `did you mean '${near}'?` : `it is one of: ${MODES.join(", ")}`,
    EXIT.usage,
  );
}
