import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mayHold, termsEndingWith, termsWith } from "../../src/repo/search/dictionary.ts";
import { grep } from "../../src/repo/search/grep.ts";
import { wordsOfLiteral, wordsOfPattern } from "../../src/repo/search/grep-plan.ts";
import { type Project, project } from "./support.ts";

let small: Project;
const LONG = "x".repeat(100);
const files: Record<string, string> = {
  "src/one.ts": "const total = sumOf(items);\nreturn total;\n",
  "src/two.ts": "// Größe und 表示する\nfoo_bar.baz(qux);\r\nfooBar();\n",
  "src/long.ts": `const key = "${LONG}needle${LONG}";\n`,
  "notes.md": "The total is 42.\nfoo_bar\n\nlast line without end",
};
beforeAll(async () => {
  small = project(files);
  await small.index({ embed: false });
}, 60_000);
afterAll(() => small.remove());

const lines = async (pattern: string, options = {}): Promise<string[]> =>
  (await grep(small.open(), { pattern, limit: 100, ...options })).matches
    .map((one) => `${one.path}:${one.line}`)
    .sort();

/** What a plain reading of every line gives. */
function plain(expression: RegExp): string[] {
  return Object.entries(files)
    .flatMap(([path, text]) =>
      text
        .split(/\r?\n/)
        .flatMap((line, at) => (expression.test(line) && (line !== "" || at < 99) ? [`${path}:${at + 1}`] : [])),
    )
    .sort();
}

describe("grep", () => {
  test.each([
    ["total"],
    ["oo_ba"],
    ["\\btotal\\b"],
    ["foo_bar\\.baz"],
    ["^const"],
    ["line without end$"],
    ["(sum|qu)[Ox]"],
    ["f.o"],
    ["needle"],
    ["Größe"],
    ["表示"],
    ["\\d\\d"],
    ["colou?r|items"],
    ["tot?al"],
    ["foo\\_bar"],
  ])("%s finds what reading every line finds", async (pattern) => {
    const expected = plain(new RegExp(pattern));
    expect(await lines(pattern)).toEqual(expected);
  });

  test("a literal is text, with all its signs", async () => {
    expect(await lines("foo_bar.baz(qux)", { literal: true })).toEqual(["src/two.ts:2"]);
    expect(await lines("f.o", { literal: true })).toEqual([]);
  });

  test("letter case counts unless it is told not to", async () => {
    expect(await lines("FOOBAR")).toEqual([]);
    expect(await lines("FOOBAR", { ignoreCase: true })).toEqual(["src/two.ts:3"]);
  });

  test("the limit is kept and said", async () => {
    const result = await grep(small.open(), { pattern: "o", limit: 2 });
    expect(result.matches).toHaveLength(2);
    expect(result.more).toBe(true);
  });

  test("a word that no file has reads none but those with cut words", async () => {
    expect((await grep(small.open(), { pattern: "absentword", limit: 9 })).filesRead).toBe(1);
  });

  test("a pattern whose time is up is ended", async () => {
    const evil = project({ "a.txt": `${"a".repeat(60)}!\n` });
    try {
      await evil.index({ embed: false });
      const result = await grep(evil.open(), { pattern: "(a+a+)+$", limit: 5, budgetMs: 1 });
      expect(result.timedOut).toBe(true);
    } finally {
      evil.remove();
    }
  });

  test("a broken pattern is refused in a sentence", async () => {
    expect(grep(small.open(), { pattern: "(", limit: 1 })).rejects.toThrow("is no regular expression");
  });
});

describe("what a pattern must hold", () => {
  const texts = (pattern: string): string[] => wordsOfPattern(pattern).map((word) => word.text);
  test.each([
    ["fooBar", ["foobar"]],
    ["foo|bar", []],
    ["fo*bar", ["f", "bar"]],
    ["foo+bar", ["foo", "bar"]],
    ["x{0,3}yz", ["yz"]],
    ["[abc]def(ghi)jkl", ["def", "jkl"]],
    ["a\\.b", ["a", "b"]],
    ["\\w+Error", ["error"]],
  ])("%s", (pattern, expected) => {
    expect(texts(pattern)).toEqual(expected);
  });

  test("the ends of a literal are open, its inside is not", () => {
    expect(wordsOfLiteral("foo.bar.baz").map((word) => [word.openStart, word.openEnd])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
  });

  test("open ends find longer words in the dictionary, closed ones do not", () => {
    const dictionary = Buffer.from("\nbar\nfoo\nfoobar\nxfoo\n");
    expect(termsWith(dictionary, { text: "foo", openStart: true, openEnd: true })).toEqual(["foo", "foobar", "xfoo"]);
    expect(termsWith(dictionary, { text: "foo", openStart: false, openEnd: true })).toEqual(["foo", "foobar"]);
    expect(termsWith(dictionary, { text: "foo", openStart: false, openEnd: false })).toEqual(["foo"]);
    expect(mayHold(dictionary, { text: "oob", openStart: true, openEnd: true })).toBe(true);
    expect(mayHold(dictionary, { text: "oob", openStart: false, openEnd: true })).toBe(false);
    expect(termsEndingWith(dictionary, "oo", 1, 3)).toEqual(["foo"]);
    expect(termsEndingWith(dictionary, "oo", 3, 4)).toEqual(["foo", "xfoo"]);
    expect(termsEndingWith(dictionary, "oo", 1, 1)).toEqual([]);
  });

  test("words that were cut may hold anything, whatever stands around them", () => {
    const [just, cut, wide] = ["x".repeat(79), "y".repeat(80), "ü".repeat(80)];
    const word = { text: "needle", openStart: true, openEnd: true };
    for (const order of [
      [just, cut, wide],
      [cut, just, wide, "a"],
      ["a", wide, cut, just],
      [wide, "ü".repeat(41), just, cut],
    ]) {
      const found = termsWith(Buffer.from(`\n${order.join("\n")}\n`), word);
      expect(found.sort()).toEqual([cut, wide].sort());
    }
  });
});
