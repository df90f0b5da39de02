/** What every bundled filter must do with output that its author has not seen: a new version's text, a strange failure. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compress } from "../../src/output/compress/compress.ts";
import { claimsSuccess } from "../../src/output/filters/failure.ts";
import { applyFilter } from "../../src/output/filters/pipeline.ts";
import { parseFilterToml } from "../../src/output/filters/toml.ts";

const folder = join(import.meta.dir, "..", "..", "assets", "filters");
const corpus = [...new Bun.Glob("*.toml").scanSync(folder)].sort().flatMap((name) => {
  const file = parseFilterToml(readFileSync(join(folder, name), "utf8"));
  return file.filters.map((filter) => ({ filter, cases: file.cases.get(filter.name) ?? [] }));
});

const STRANGE = "zork quux frobnicated (77) in blorb/vlim.q:12:5\nthe grue is near\nsnark boojum 3\n";
const FAULT = "src/zork.q:12:5: error: the grue has eaten the lamp";

describe("every bundled filter", () => {
  test("shows a failure that it has never seen, whatever words it has", () => {
    const hidden = corpus.filter(({ filter }) => {
      const { text } = applyFilter(filter, { command: filter.name, stdout: STRANGE, stderr: "", exitCode: 1 });
      return !compress(text).includes("blorb/vlim.q:12:5");
    });
    expect(hidden.map(({ filter }) => filter.name)).toEqual([]);
  });

  test("shows text that it has never seen, and says nothing of success instead", () => {
    const hidden = corpus.filter(({ filter }) => {
      const { text } = applyFilter(filter, { command: filter.name, stdout: STRANGE, stderr: "", exitCode: 0 });
      return !text.includes("zork") || text.split("\n").some((line) => !STRANGE.includes(line) && claimsSuccess(line));
    });
    expect(hidden.map(({ filter }) => filter.name)).toEqual([]);
  });

  for (const where of ["first", "in the middle", "last"])
    test(`shows a strange fault that stands ${where} among its usual noise, when the command failed`, () => {
      const hidden = corpus.filter(({ filter, cases }) => {
        const usual = cases.filter((one) => one.exit_code === 0).map((one) => one.input + one.stderr);
        const lines = usual.join("\n").split("\n");
        const at = where === "first" ? 0 : where === "last" ? lines.length : Math.floor(lines.length / 2);
        lines.splice(at, 0, FAULT);
        const stdout = `${lines.join("\n")}\n`;
        const { text } = applyFilter(filter, { command: filter.name, stdout, stderr: "", exitCode: 1 });
        return !compress(text).includes("the grue has eaten the lamp");
      });
      expect(hidden.map(({ filter }) => filter.name)).toEqual([]);
    });

  test("makes no output larger and empties no failure", () => {
    for (const { filter, cases } of corpus) {
      for (const one of cases) {
        const stdout = one.input + one.stderr;
        for (const exitCode of [0, 1]) {
          const { text } = applyFilter(filter, { command: one.command, stdout, stderr: "", exitCode });
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Buffer.byteLength(stdout));
          if (exitCode === 1 && stdout.trim() !== "") expect(text.trim()).not.toBe("");
        }
      }
    }
  });
});
