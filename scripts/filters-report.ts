/**
 * `bun run filters:report`: what each bundled filter is worth. Cases, tokens saved on successes and failures apart, facts
 * kept (`must_keep` found in what is printed), time for 1 MB of the filter's own text. `--json` for programs, `--sort saved|time|cases`.
 * Ends with 1 when a fact is missing or a case has a problem.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CaseOutcome, caseSetProblems, runCase } from "../src/output/filters/cases.ts";
import { compileFilter } from "../src/output/filters/compile.ts";
import { applyFilter } from "../src/output/filters/pipeline.ts";
import type { FilterCase, FilterDefinition } from "../src/output/filters/schema.ts";
import { parseFilterToml } from "../src/output/filters/toml.ts";
import { countTokens } from "../src/platform/tokens.ts";

interface FilterReport {
  readonly file: string;
  readonly name: string;
  readonly cases: number;
  readonly failing: number;
  /** Share of tokens saved, or undefined where there is no such case. */
  readonly savedOnSuccess: number | undefined;
  readonly savedOnFailure: number | undefined;
  readonly verbose: number;
  readonly savedOnVerbose: number | undefined;
  readonly facts: number;
  readonly factsKept: number;
  readonly msPerMb: number;
  readonly problems: readonly string[];
}

const folder = join(import.meta.dir, "..", "assets", "filters");

function reportOf(file: string, filter: FilterDefinition, cases: readonly FilterCase[]): FilterReport {
  const outcomes = cases.map((one) => ({ one, outcome: runCase(filter, one) }));
  const saved = (which: (one: FilterCase) => boolean) => {
    const chosen = outcomes.filter(({ one }) => which(one)).map(({ outcome }) => outcome);
    return chosen.length === 0 ? undefined : savedTokens(chosen);
  };
  return {
    file,
    name: filter.name,
    cases: cases.length,
    failing: cases.filter((one) => one.exit_code !== 0).length,
    savedOnSuccess: saved((one) => one.exit_code === 0),
    savedOnFailure: saved((one) => one.exit_code !== 0),
    verbose: cases.filter((one) => one.verbose).length,
    savedOnVerbose: saved((one) => one.verbose),
    facts: cases.reduce((sum, one) => sum + one.must_keep.length, 0),
    factsKept: outcomes.reduce((sum, { one, outcome }) => sum + one.must_keep.length - outcome.missing.length, 0),
    msPerMb: timeOf(filter, cases),
    problems: [
      ...caseSetProblems(filter, cases),
      ...outcomes.flatMap(({ one, outcome }) => outcome.problems.map((problem) => `${one.name}: ${problem}`)),
    ],
  };
}

function savedTokens(outcomes: readonly CaseOutcome[]): number {
  const raw = outcomes.reduce((sum, { raw }) => sum + countTokens(raw), 0);
  const printed = outcomes.reduce((sum, { printed }) => sum + countTokens(printed), 0);
  return raw === 0 ? 0 : 1 - printed / raw;
}

/** Milliseconds for a megabyte made of the filter's own cases. */
function timeOf(filter: FilterDefinition, cases: readonly FilterCase[]): number {
  const text = cases.map((one) => one.input + one.stderr).join("\n");
  if (text.length === 0) return 0;
  const megabyte = text.repeat(Math.ceil(1_000_000 / text.length)).slice(0, 1_000_000);
  const compiled = compileFilter({ ...filter, filter_stderr: true });
  const output = { command: filter.name, stdout: megabyte, stderr: "", exitCode: 1 };
  applyFilter(compiled, output);
  const from = performance.now();
  applyFilter(compiled, output);
  return performance.now() - from;
}

const reports: FilterReport[] = [];
const broken: string[] = [];
for (const name of [...new Bun.Glob("*.toml").scanSync(folder)].sort()) {
  const file = parseFilterToml(readFileSync(join(folder, name), "utf8"));
  broken.push(...file.problems.map((problem) => `${name}: ${problem}`));
  for (const filter of file.filters) reports.push(reportOf(name, filter, file.cases.get(filter.name) ?? []));
}
const order = process.argv[process.argv.indexOf("--sort") + 1] ?? "";
if (process.argv.includes("--sort")) {
  const key: (one: FilterReport) => number =
    order === "time"
      ? (one) => one.msPerMb
      : order === "cases"
        ? (one) => one.cases
        : (one) => one.savedOnVerbose ?? one.savedOnSuccess ?? 0;
  reports.sort((a, b) => key(b) - key(a));
}

const sum = (of: (one: FilterReport) => number) => reports.reduce((total, one) => total + of(one), 0);
const total = {
  filters: reports.length,
  files: new Set(reports.map(({ file }) => file)).size,
  cases: sum(({ cases }) => cases),
  failing: sum(({ failing }) => failing),
  facts: sum(({ facts }) => facts),
  factsKept: sum(({ factsKept }) => factsKept),
  problems: broken.length + sum(({ problems }) => problems.length),
};
if (process.argv.includes("--json")) console.log(JSON.stringify({ total, filters: reports, broken }, undefined, 2));
else {
  const share = (value: number | undefined) => (value === undefined ? "-" : `${Math.round(value * 100)} %`).padStart(7);
  console.log(`${"filter".padEnd(28)} cases (fail)  success failure verbose   facts  ms/MB`);
  for (const one of reports) {
    console.log(
      `${one.name.padEnd(28)} ${String(one.cases).padStart(5)} ${`(${one.failing})`.padStart(6)}  ${share(one.savedOnSuccess)} ${share(one.savedOnFailure)} ${share(one.savedOnVerbose)} ${`${one.factsKept}/${one.facts}`.padStart(7)}  ${one.msPerMb.toFixed(0).padStart(5)}`,
    );
    for (const problem of one.problems) console.log(`    ✖ ${problem}`);
  }
  for (const problem of broken) console.log(`✖ ${problem}`);
  console.log(
    `\n${total.filters} filters in ${total.files} files; ${total.cases} cases, ${total.failing} of them failing runs; facts kept ${total.factsKept} of ${total.facts}; ${total.problems} problems`,
  );
}
process.exitCode = total.problems > 0 || total.factsKept < total.facts ? 1 : 0;
