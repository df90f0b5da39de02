/** `tokenix grep`: lines of the stored text that match, from the index. Exit 1 when none does, as grep has it. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { shownPath } from "../../platform/text.ts";
import { openFresh } from "../../repo/index/freshness.ts";
import { projectToAsk } from "../../repo/index/project.ts";
import { languagesOf } from "../../repo/search/ask.ts";
import { compileFilters } from "../../repo/search/filters.ts";
import { GREP_BUDGET_MS, grep } from "../../repo/search/grep.ts";
import { wholeNumber } from "../answers.ts";
import { valuesOf } from "../repeated.ts";
import { say } from "../say.ts";
import { tell } from "../tell.ts";
import { warnings } from "../warnings.ts";

export default defineCommand({
  meta: { name: "grep", description: "Find lines of the indexed text by a regular expression" },
  args: {
    pattern: { type: "positional", required: true, description: "A regular expression, or text with --fixed" },
    fixed: { type: "boolean", alias: "F", description: "The pattern is text" },
    "ignore-case": { type: "boolean", alias: "i", description: "Upper and lower case are alike" },
    limit: { type: "string", default: "100", description: "At most this many lines" },
    file: { type: "string", description: "Only in files below or like this; `!` excludes; repeatable" },
    ext: { type: "string", description: "Only files that end so; `!` excludes; repeatable" },
    lang: { type: "string", description: "Only this language; `!` excludes; repeatable" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args, rawArgs }) {
    const limit = wholeNumber("limit", args.limit);
    const fresh = await openFresh(projectToAsk(undefined, process.cwd()));
    try {
      await warnings(fresh);
      const filters = {
        path: valuesOf(rawArgs, "file"),
        ext: valuesOf(rawArgs, "ext"),
        lang: valuesOf(rawArgs, "lang"),
      };
      const result = await grep(fresh.store, {
        pattern: args.pattern,
        literal: args.fixed ?? false,
        ignoreCase: args["ignore-case"] ?? false,
        limit,
        keep: compileFilters(filters, () => languagesOf(fresh.store)),
      });
      if (result.timedOut)
        await tell("warn", `the pattern took more than ${GREP_BUDGET_MS} ms, the rest was not searched`);
      const { matches, more, timedOut } = result;
      if (args.json) await say(`${JSON.stringify({ matches, more, timed_out: timedOut })}\n`);
      else {
        const lines = matches.map((one) => `${shownPath(one.path)}:${one.line}:${one.text}\n`).join("");
        await say(lines + (more ? `[there are more than ${limit}: --limit]\n` : ""));
      }
      return matches.length > 0 && !timedOut ? EXIT.ok : EXIT.findings;
    } finally {
      fresh.store.close();
    }
  },
});
