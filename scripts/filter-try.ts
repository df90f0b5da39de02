/**
 * For authors of filters.
 *
 *   bun scripts/filter-try.ts NAME            what each case of assets/filters/NAME.toml becomes, and what is missing
 *   bun scripts/filter-try.ts NAME --write    the same, and writes `expected` of every case
 *   bun scripts/filter-try.ts NAME --all      prints every result in full, not only the ones with problems
 *   bun scripts/filter-try.ts NAME --case TEXT   only the cases whose name contains TEXT
 *   bun scripts/filter-try.ts NAME --add RAWFILE --filter FILTER --command 'cargo test' --exit 101 \
 *       --name 'one of forty fails' --source 'cargo 1.90 on …' [--stderr RAWFILE] [--stream stderr] [--verbose] [--keep REGEX]…
 *                                             appends a case made of recorded text (add must_keep afterwards)
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { caseSetProblems, percent, runCase } from "../src/output/filters/cases.ts";
import { buildDispatch } from "../src/output/filters/dispatch.ts";
import { writeExpected } from "../src/output/filters/expected.ts";
import { checkLinear } from "../src/output/filters/linear.ts";
import { lookup } from "../src/output/filters/lookup.ts";
import { parseFilterToml, patternsOf } from "../src/output/filters/toml.ts";
import { tomlString } from "../src/output/filters/toml-write.ts";
import { candidates } from "../src/output/shell/index.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    write: { type: "boolean" },
    all: { type: "boolean" },
    case: { type: "string" },
    add: { type: "string" },
    filter: { type: "string" },
    command: { type: "string" },
    exit: { type: "string" },
    name: { type: "string" },
    source: { type: "string" },
    stderr: { type: "string" },
    stream: { type: "string" },
    verbose: { type: "boolean" },
    keep: { type: "string", multiple: true },
  },
});
const [name] = positionals;
if (!name) {
  console.error("usage: bun scripts/filter-try.ts NAME [--write] [--all] [--case TEXT] | --add RAWFILE …");
  process.exit(2);
}
const folder = join(import.meta.dir, "..", "assets", "filters");
const path = join(folder, `${name.replace(/\.toml$/, "")}.toml`);
if (values.add) await addCase(values.add);
process.exit((await report()) ? 0 : 1);

async function addCase(rawPath: string): Promise<void> {
  const old = (await Bun.file(path).exists()) ? await Bun.file(path).text() : "";
  const filter = values.filter ?? name ?? "";
  const lines = [
    `[[tests.${filter}]]`,
    `name = ${tomlString(values.name ?? "TODO: what this output shows")}`,
    `command = ${tomlString(values.command ?? "TODO")}`,
    `source = ${tomlString(values.source ?? "TODO: how the text was got")}`,
    ...(values.exit && values.exit !== "0" ? [`exit_code = ${Number(values.exit)}`] : []),
    ...(values.stream === "stderr" ? ['stream = "stderr"'] : []),
    ...(values.verbose ? ["verbose = true"] : []),
    `input = ${tomlString(await Bun.file(rawPath).text(), true)}`,
    ...(values.stderr ? [`stderr = ${tomlString(await Bun.file(values.stderr).text(), true)}`] : []),
    `must_keep = [${(values.keep ?? []).map((pattern) => tomlString(pattern)).join(", ")}]`,
  ];
  await Bun.write(path, `${old.replace(/\n*$/, "\n")}\n${lines.join("\n")}\n`);
}

async function report(): Promise<boolean> {
  let text = await Bun.file(path).text();
  const file = parseFilterToml(text);
  let isGood = true;
  const bad = (line: string) => {
    isGood = false;
    console.log(`  ✖ ${line}`);
  };
  for (const problem of file.problems) bad(problem);
  const others = [...new Bun.Glob("*.toml").scanSync(folder)].map((other) => join(folder, other));
  const all = await Promise.all(others.map(async (other) => parseFilterToml(await Bun.file(other).text()).filters));
  const table = buildDispatch(all.flat());
  for (const filter of file.filters) {
    console.log(`${filter.name}: ${filter.description}`);
    if (table.any.some(([name]) => name === filter.name))
      bad("match_command must begin with ^ and literal words, so that the first word can be listed");
    for (const { key, pattern } of patternsOf(filter)) {
      const problem = checkLinear(pattern);
      if (problem) bad(`${key} '${pattern}': ${problem}`);
    }
    const cases = file.cases.get(filter.name) ?? [];
    for (const problem of caseSetProblems(filter, cases)) bad(problem);
    for (const [at, one] of cases.entries()) {
      if (values.case && !one.name.includes(values.case)) continue;
      const outcome = runCase(filter, one);
      const chosen = lookup(table, candidates(one.command))?.[0];
      const problems = outcome.problems.filter((problem) => !(values.write && problem.startsWith("'expected'")));
      if (chosen !== filter.name) problems.push(`'${one.command}' leads to ${chosen ?? "no filter"}`);
      console.log(
        `  ${problems.length ? "✖" : "✔"} ${one.name} (exit ${one.exit_code}): ${outcome.raw.length} → ${outcome.printed.length} chars, ${percent(outcome.savedShare)} off${outcome.result.fellBack ? `, fell back: ${outcome.result.fellBack}` : ""}`,
      );
      for (const problem of problems) bad(`  ${problem}`);
      if (problems.length || values.all) console.log(outcome.printed.replace(/^/gm, "      | "));
      if (values.write) text = writeExpected(text, filter.name, at, outcome.filtered);
    }
  }
  if (values.write && file.problems.length === 0) await Bun.write(path, text);
  return isGood;
}
