/** Every golden case of every bundled filter, through the real pipeline: what a filter must keep, and what it must save. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { caseSetProblems, runCase } from "../../src/output/filters/cases.ts";
import { buildDispatch } from "../../src/output/filters/dispatch.ts";
import { lookup } from "../../src/output/filters/lookup.ts";
import { parseFilterToml } from "../../src/output/filters/toml.ts";
import { candidates } from "../../src/output/shell/index.ts";

const folder = join(import.meta.dir, "..", "..", "assets", "filters");
const files = [...new Bun.Glob("*.toml").scanSync(folder)].sort();
const parsed = files.map((name) => ({ name, file: parseFilterToml(readFileSync(join(folder, name), "utf8")) }));
const table = buildDispatch(parsed.flatMap(({ file }) => file.filters));

for (const { name, file } of parsed) {
  describe(name, () => {
    test("is a filter file without problems", () => {
      expect(file.problems).toEqual([]);
      expect(file.filters.length).toBeGreaterThan(0);
    });
    for (const filter of file.filters) {
      const cases = file.cases.get(filter.name) ?? [];
      test(`${filter.name} has its cases`, () => {
        expect(caseSetProblems(filter, cases)).toEqual([]);
      });
      for (const one of cases) {
        test(`${filter.name}: ${one.name}`, () => {
          expect(lookup(table, candidates(one.command))?.[0]).toBe(filter.name);
          expect(runCase(filter, one).problems).toEqual([]);
        });
      }
    }
  });
}

test("few filters must be asked for every command", () => {
  expect(table.any.map(([name]) => name)).toEqual([]);
});
