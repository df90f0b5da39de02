/** `tokenix related FILE:LINE`: code like the code at a place. */
import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { projectToAsk } from "../../repo/index/project.ts";
import { ask } from "../../repo/search/ask.ts";
import { parsePlace, relatedFinder } from "../../repo/search/related.ts";
import { printAnswer, wholeNumber } from "../answers.ts";
import { valuesOf } from "../repeated.ts";

export default defineCommand({
  meta: { name: "related", description: "Find code like the code at a place" },
  args: {
    place: { type: "positional", required: true, description: "FILE:LINE" },
    budget: { type: "string", default: "1200", description: "Tokens that the answer may cost" },
    limit: { type: "string", default: "8", description: "At most this many places" },
    path: { type: "string", description: "Only files below or like this; `!` excludes; repeatable" },
    ext: { type: "string", description: "Only files that end so; `!` excludes; repeatable" },
    lang: { type: "string", description: "Only this language; `!` excludes; repeatable" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args, rawArgs }) {
    const { path, line } = parsePlace(args.place);
    const file = resolve(process.cwd(), path);
    let real: string;
    try {
      real = realpathSync(file);
    } catch {
      throw new UserError(`there is no file ${file}`, undefined, EXIT.usage);
    }
    const root = projectToAsk(real, process.cwd());
    const place = { path: relative(root, real).replaceAll("\\", "/"), line };
    const answer = await ask([root], relatedFinder(place), {
      mode: "semantic",
      budgetTokens: wholeNumber("budget", args.budget),
      limit: wholeNumber("limit", args.limit),
      filters: { path: valuesOf(rawArgs, "path"), ext: valuesOf(rawArgs, "ext"), lang: valuesOf(rawArgs, "lang") },
    });
    await printAnswer(answer, { query: args.place, json: args.json ?? false });
    return EXIT.ok;
  },
});
