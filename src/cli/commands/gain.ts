/** `tokenix gain`: what was saved, out of how much. Tokens; money only when asked for. */
import { defineCommand } from "citty";
import { projectOf } from "../../agents/hook/project.ts";
import { entriesOf, entriesOfAll } from "../../insight/gain/entries.ts";
import { GROUPINGS, type Grouping } from "../../insight/gain/groups.ts";
import { renderGain } from "../../insight/gain/render.ts";
import { gainReport } from "../../insight/gain/report.ts";
import { EXIT, UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";

export default defineCommand({
  meta: { name: "gain", description: "Show what was saved, out of how much, and what was fetched back" },
  args: {
    history: { type: "boolean", description: "List the calls, newest first" },
    by: { type: "string", description: `Cut by ${GROUPINGS.join(", ")}`, valueHint: "WHAT" },
    limit: { type: "string", description: "Longest list", default: "20", valueHint: "N" },
    "all-projects": { type: "boolean", description: "All projects of this machine" },
    "cost-estimate": { type: "boolean", description: "Add what the saved tokens cost as fresh input" },
    economics: { type: "boolean", description: "Add a span of costs with prompt caching" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const by = groupingOf(args.by);
    const limit = Number(args.limit);
    if (!Number.isInteger(limit) || limit < 1)
      throw new UserError(`--limit must be a whole number above 0, not '${args.limit}'`, undefined, EXIT.usage);
    const { root } = await projectOf(process.cwd(), process.env);
    const all = args["all-projects"] === true;
    const log = all ? entriesOfAll(process.env) : entriesOf(root, process.env);
    const report = gainReport(log, {
      limit,
      ...(by ? { by } : {}),
      history: args.history === true,
      costEstimate: args["cost-estimate"] === true,
      economics: args.economics === true,
    });
    const scope = all ? "all projects" : root;
    process.stdout.write(
      args.json ? `${JSON.stringify({ scope, ...report }, undefined, 2)}\n` : renderGain(report, scope),
    );
    return EXIT.ok;
  },
});

function groupingOf(value: string | undefined): Grouping | undefined {
  if (value === undefined) return undefined;
  const found = GROUPINGS.find((one) => one === value);
  if (found) return found;
  const near = nearest(value, GROUPINGS);
  throw new UserError(
    `--by takes ${GROUPINGS.join(", ")}, not '${value}'`,
    near ? `did you mean --by ${near}?` : undefined,
    EXIT.usage,
  );
}
