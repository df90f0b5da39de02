import { expect, test } from "bun:test";
import { isOneSlip, nearest } from "../../src/platform/nearest.ts";

const COMMANDS = ["index", "query", "grep", "symbols", "snapshot", "callers", "callees"];

test("a slip of one or two letters finds its word", () => {
  expect(nearest("qurey", COMMANDS)).toBe("query");
  expect(nearest("symbol", COMMANDS)).toBe("symbols");
  expect(nearest("INDEX", COMMANDS)).toBe("index");
});

test("a begun word finds its whole", () => expect(nearest("snap", COMMANDS)).toBe("snapshot"));

test("something else entirely offers nothing", () => {
  expect(nearest("banana", COMMANDS)).toBeUndefined();
  expect(nearest("x", COMMANDS)).toBeUndefined();
});

test("one slip is one insertion, deletion, substitution or swap of neighbours", () => {
  const word = "uploadStep77";
  for (let at = 0; at <= word.length; at++) {
    const [before, behind] = [word.slice(0, at), word.slice(at)];
    expect(isOneSlip(word, `${before}x${behind}`)).toBe(true);
    expect(isOneSlip(word, before + behind.slice(1))).toBe(at < word.length);
    if (at < word.length) expect(isOneSlip(word, `${before}X${behind.slice(1)}`)).toBe(true);
    const [one = "", two = ""] = behind;
    if (two !== "" && one !== two) expect(isOneSlip(word, before + two + one + behind.slice(2))).toBe(true);
  }
  for (const other of [word, "UPLOADSTEP77", "uploadStep", "xuploadStep77x", "lpuoadStpe77", "", "uploadtSep7"])
    expect(isOneSlip(word, other)).toBe(false);
});
