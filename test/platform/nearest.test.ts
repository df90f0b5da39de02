import { expect, test } from "bun:test";
import { nearest } from "../../src/platform/nearest.ts";

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
