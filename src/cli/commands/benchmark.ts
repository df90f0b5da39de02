/** `tokenix benchmark`: what an answer costs here, and how often it is right, beside plain reading. */
import { resolve } from "node:path";
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { openFresh } from "../../repo/index/freshness.ts";
import { projectToAsk } from "../../repo/index/project.ts";
import { type BenchmarkReport, benchmark, casesOfProject, readCases } from "../../repo/search/benchmark.ts";
import { wholeNumber } from "../answers.ts";
import { warnings } from "../warnings.ts";

export default defineCommand({
  meta: { name: "benchmark", description: "Measure answers against plain reading on this project, misses included" },
  args: {
    cases: { type: "string", description: "A JSON file of questions and the paths that answer them" },
    budget: { type: "string", default: "1200", description: "Tokens that an answer may cost" },
    "refresh-index": { type: "boolean", description: "Accepted for old scripts: the index is always fresh" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const budget = wholeNumber("budget", args.budget);
    const given = args.cases === undefined ? undefined : readCases(resolve(process.cwd(), args.cases));
    const fresh = await openFresh(projectToAsk(undefined, process.cwd()));
    try {
      await warnings(fresh);
      const cases = given ?? casesOfProject(fresh.store);
      if (cases.length === 0)
        throw new UserError("this project has no long names to make questions of", "give your own: --cases FILE");
      const report = await benchmark(fresh.store, cases, budget);
      process.stdout.write(
        args.json ? `${JSON.stringify({ budget, ...report })}\n` : table(report, given !== undefined),
      );
      return EXIT.ok;
    } finally {
      fresh.store.close();
    }
  },
});

function table(report: BenchmarkReport, areGiven: boolean): string {
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const count = (tokens: number): string => Math.round(tokens).toLocaleString("en");
  const origin = areGiven ? "of the file" : "made of this project's own names";
  const lines = [
    `${report.cases.length} questions ${origin}; tokens are estimates, counted alike on both sides`,
    "",
    `                      tokenix   plain reading`,
    `right file first    ${percent(report.hitAt1).padStart(9)}`,
    `among the first 3   ${percent(report.hitAt3).padStart(9)}`,
    `right file read     ${percent(rightShare(report)).padStart(9)} ${percent(report.plainFound).padStart(15)}`,
    `tokens a question   ${count(report.answerTokens).padStart(9)} ${count(report.plainTokens).padStart(15)}`,
    "",
    `${report.saved >= 0 ? "saved" : "cost more"}: ${percent(Math.abs(report.saved))} of the tokens`,
  ];
  const missed = report.cases.filter((one) => one.rank === 0);
  if (missed.length > 0)
    lines.push("", "not answered:", ...missed.map((one) => `  ${one.query} (${one.expect.join(", ")})`));
  return `${lines.join("\n")}\n`;
}

function rightShare(report: BenchmarkReport): number {
  return report.cases.filter((one) => one.rank > 0).length / report.cases.length;
}
