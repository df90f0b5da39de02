import { describe, expect, test } from "bun:test";
import { pathWords, splitIdentifier, stem, tokenize } from "../../src/repo/search/tokenize.ts";

describe("splitting identifiers", () => {
  test.each([
    ["parseHTTPRequest2", ["parse", "http", "request", "2"]],
    ["snake_case_name", ["snake", "case", "name"]],
    ["__init__", ["init"]],
    ["XMLHttpRequest", ["xml", "http", "request"]],
    ["utf8Decode", ["utf", "8", "decode"]],
    ["SCREAMING_CASE", ["screaming", "case"]],
    ["A", ["a"]],
    ["_", []],
  ])("%s", (word, parts) => {
    expect(splitIdentifier(word)).toEqual(parts);
  });
});

describe("the tokenizer", () => {
  test("keeps the whole name beside its parts and stems", () => {
    expect(tokenize("getUserNames()")).toEqual(["getusernames", "get", "user", "names", "nam"]);
  });

  test("leaves plain words once, and numbers whole", () => {
    expect(tokenize("if x == 404 or 0x1F")).toEqual(["if", "x", "404", "or", "0x1f"]);
  });

  test("finds words of other scripts, and parts of unspaced text", () => {
    expect(tokenize("Größe naïve")).toContain("größe");
    expect(tokenize("表示する")).toEqual(expect.arrayContaining(["表示する", "表示"]));
    expect(tokenize("проверка_данных")).toEqual(["проверка_данных", "проверка", "данных"]);
  });

  test("composed and decomposed spellings are one word", () => {
    expect(tokenize("caf\u00e9")[0]).toBe(tokenize("cafe\u0301")[0]);
  });

  test("very long runs stay one bounded word", () => {
    const terms = tokenize("A".repeat(5000));
    expect(terms).toEqual(["a".repeat(80)]);
  });

  test("two spellings of one idea share a stem", () => {
    expect(stem("routes")).toBe("rout");
    expect(stem("routing")).toBe("rout");
    expect(stem("bus")).toBeUndefined();
  });

  test("path words name the file twice and three folders", () => {
    expect(pathWords("a/b/c/d/router.test.ts")).toBe("router.test router.test b c d");
    expect(pathWords("Makefile")).toBe("Makefile Makefile ");
  });
});
