/** `tokenix filter try CMD < raw.txt`: what a recorded output would become, without running anything. */
import { defineCommand } from "citty";
import { compress } from "../../../output/compress/compress.ts";
import { applyWithinBudget } from "../../../output/filters/budget.ts";
import { openFilters } from "../../../output/filters/find.ts";
import { asksForMachineFormat } from "../../../output/filters/machine.ts";
import { writeAll } from "../../../output/run/sink.ts";
import { printsVerbatim } from "../../../output/run/verbatim.ts";
import { candidates } from "../../../output/shell/index.ts";
import { EXIT, UserError } from "../../../platform/errors.ts";
import { loadRanker } from "../../line-ranker.ts";
import { filterRoot } from "./place.ts";

export default defineCommand({
  meta: { name: "try", description: "What a recorded output (stdin) of a command would become" },
  args: {
    command: { type: "positional", required: true, description: "The command line, in quotes" },
    exit: { type: "string", default: "0", description: "The exit code it had", valueHint: "N" },
    stderr: { type: "boolean", description: "stdin is what it printed to stderr" },
    explain: { type: "boolean", description: "Say on stderr what was dropped" },
  },
  async run({ args }) {
    if (process.stdin.isTTY)
      throw new UserError("there is no output on stdin", "try: tokenix filter try 'git log' < raw.txt", EXIT.usage);
    const exitCode = Number(args.exit);
    if (!Number.isInteger(exitCode))
      throw new UserError(`--exit must be a whole number, not '${args.exit}'`, undefined, 2);
    const text = await Bun.stdin.text();
    const names = candidates(args.command);
    const set = await openFilters(filterRoot());
    const found = set.find(names);
    const definition = await found?.load();
    let filtered = text;
    let told = "no filter";
    if (found && definition) {
      const output = {
        command: args.command,
        stdout: args.stderr ? "" : text,
        stderr: args.stderr ? text : "",
        exitCode,
      };
      const rule = found.isUnproven ? undefined : definition.semantic_filter;
      const rank = rule && (await loadRanker(rule.model));
      const answer = await applyWithinBudget(definition, rank ? { ...output, rank } : output, {
        isUnproven: found.isUnproven,
      });
      if ("problem" in answer) throw new UserError(answer.problem);
      filtered = answer.result.text + answer.result.stderr;
      const steps = answer.result.steps.map(({ stage, droppedLines }) => `${stage} ${droppedLines}`);
      told = [
        `${found.name} (${found.tier})`,
        ...steps,
        ...(answer.result.fellBack ? [answer.result.fellBack] : []),
      ].join("; ");
    }
    const keepsBytes = !found && names.some(asksForMachineFormat);
    const printed = keepsBytes ? text : compress(filtered, { verbatim: printsVerbatim(names) });
    writeAll(1, printed);
    if (args.explain) writeAll(2, `${told}: ${text.length} → ${printed.length} characters\n`);
    return EXIT.ok;
  },
});
