/** The dispatch table: it may spare patterns, never a match. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildDispatch } from "../../src/output/filters/dispatch.ts";
import { lookup } from "../../src/output/filters/lookup.ts";
import { asksForMachineFormat } from "../../src/output/filters/machine.ts";
import { compilePattern, translatePattern } from "../../src/output/filters/regex.ts";
import { leads, parseRegex } from "../../src/output/filters/regex-tree.ts";
import { parseFilterToml } from "../../src/output/filters/toml.ts";

const folder = join(import.meta.dir, "..", "..", "assets", "filters");
const parsed = [...new Bun.Glob("*.toml").scanSync(folder)]
  .sort()
  .map((name) => parseFilterToml(readFileSync(join(folder, name), "utf8")));
const filters = parsed.flatMap((file) => file.filters);
const table = buildDispatch(filters);

const sorted = [...filters]
  .sort((a, b) => b.match_command.length - a.match_command.length || (a.name < b.name ? -1 : 1))
  .map((filter) => ({
    ...filter,
    pattern: compilePattern(filter.match_command),
    unless: filter.unless_command.map(compilePattern),
  }));

/** Every pattern asked, as if there were no table. */
function byAsking(command: string): string | undefined {
  return sorted.find(
    ({ pattern, unless, machine_output }) =>
      (machine_output || !asksForMachineFormat(command)) &&
      pattern.test(command) &&
      !unless.some((one) => one.test(command)),
  )?.name;
}

describe("the table of the bundled filters", () => {
  const commands = parsed.flatMap((file) =>
    [...file.cases.values()].flatMap((cases) => cases.map((one) => one.command)),
  );
  const words = [...new Set(commands.flatMap((command) => command.split(/\s+/)))].filter(
    (word) => !/[/\\\d]/.test(word),
  );
  // First words of one spelling alone: `lookup` also tries others.
  const firsts = [...new Set(commands.map((command) => command.split(/\s+/)[0] ?? ""))].filter((word) =>
    /^[a-z-]+$/.test(word),
  );

  test("leads to the filter that asking every pattern leads to", () => {
    let random = 7;
    const pick = (list: readonly string[]) => {
      random = (Math.imul(random, 1103515245) + 12345) & 0x7fffffff;
      return list[random % list.length] ?? "";
    };
    const made = Array.from({ length: 4000 }, (_, at) => {
      const seconds = Array.from({ length: at % 4 }, () => pick(words) + pick(["", "", "", "-x", ":y", "s", ".z"]));
      return [pick(firsts), ...seconds].join(pick([" ", " ", " ", "  ", "\t", "\u00a0"]));
    });
    const wrong = [...commands, ...made]
      .filter((command) => /^[a-z-]+(?=\s|$)/.test(command))
      .filter((command) => lookup(table, [command])?.[0] !== byAsking(command));
    expect(wrong).toEqual([]);
  }, 30_000);

  test("asks few patterns of a program that many filters are about", () => {
    for (const command of ["cargo test", "git log", "pnpm install", "yarn add", "go build"]) {
      const [first = "", second = ""] = command.split(" ");
      expect(table.headsFor(first, second).length).toBeLessThan(8);
    }
  });
});

describe("the first two words of a pattern", () => {
  for (const [pattern, expected] of [
    ["^git\\s+log(?:\\s|$)", ["git log"]],
    ["^git\\s+log\\b", ["git log…"]],
    ["^git\\s+log", ["git *"]],
    ["^git\\b", ["git *"]],
    ["^git$", ["git *"]],
    ["^(?:npm|yarn) (?:test|t)$", ["npm t", "npm test", "yarn t", "yarn test"]],
    ["^go\\s+(?:-C\\s+\\S+\\s+)?vet\\s", ["go -C", "go vet"]],
    ["^go\\s+(?:-\\S+\\s+)*vet\\s", ["go *"]],
    ["^go\\s+[a-z]+$", ["go *"]],
    ["^[a-z]+\\s+x$", undefined],
    ["^\\s*git\\s+x$", undefined],
    ["git", ["git *"]],
  ] as const)
    test(`${pattern} → ${expected?.join(", ") ?? "can't be listed"}`, () => {
      const { pattern: source, flags } = translatePattern(pattern);
      const found = leads(parseRegex(source, flags))?.map(
        ({ first, second, goesOn }) => `${first} ${second ?? "*"}${goesOn ? "…" : ""}`,
      );
      expect(found?.sort()).toEqual(expected === undefined ? undefined : [...expected]);
    });
});
