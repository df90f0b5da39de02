import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkLinear } from "../../src/output/filters/linear.ts";
import { parseFilterToml, patternsOf } from "../../src/output/filters/toml.ts";

describe("the backtracking check", () => {
  for (const pattern of [
    "(a+)+$",
    "(a*)*b",
    "^(?:\\w+\\s*)+:$",
    "(?:a|a)*b",
    "(?:\\d|\\w)+x",
    "(?:a|aa)*b",
    "^.*a.*b.*c$",
    "\\d+\\d+\\d+x",
    "(.+\\s?)+end",
    "^(?:.*,){20}x$",
    "([a-z]+)*\\d",
    "(?:x+x+)+y",
  ])
    test(`refuses ${pattern}`, () => {
      expect(checkLinear(pattern)).toBeString();
    });

  for (const pattern of [
    "^test .+ \\.\\.\\. ok$",
    "^\\s+at .+:\\d+:\\d+",
    "^(?:[^,]+,)*end$",
    "^error(?:\\[E\\d+\\])?: ",
    "^(?:foo|bar)+$",
    "^\\s*$",
    "\\b\\d+ errors?\\b",
    "^.*:\\d+:\\d+: warning: .*$",
    "^(\\s+Running .+) \\(target/.*\\)$",
  ])
    test(`takes ${pattern}`, () => {
      expect(checkLinear(pattern)).toBeUndefined();
    });

  test("passes every pattern of every bundled filter", () => {
    const folder = join(import.meta.dir, "..", "..", "assets", "filters");
    const refused = [...new Bun.Glob("*.toml").scanSync(folder)].flatMap((name) =>
      parseFilterToml(readFileSync(join(folder, name), "utf8")).filters.flatMap((filter) =>
        patternsOf(filter).flatMap(({ key, pattern }) => {
          const problem = checkLinear(pattern);
          return problem ? [`${name}: ${filter.name}.${key} '${pattern}': ${problem}`] : [];
        }),
      ),
    );
    expect(refused).toEqual([]);
  });
});
