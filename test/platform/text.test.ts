import { describe, expect, test } from "bun:test";
import {
  cutAt,
  decodeText,
  dominantEol,
  restoreEol,
  shownPath,
  splitLines,
  stripAnsi,
} from "../../src/platform/text.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe("line ends", () => {
  test("the majority decides, a lone CRLF does not", () => {
    expect(dominantEol("a\r\nb\r\nc\n")).toBe("\r\n");
    expect(dominantEol("a\r\nb\nc\n")).toBe("\n");
    expect(dominantEol("")).toBe("\n");
  });

  test("restoring is idempotent and loses nothing", () => {
    const once = restoreEol("a\nb\r\nc", "\r\n");
    expect(once).toBe("a\r\nb\r\nc");
    expect(restoreEol(once, "\r\n")).toBe(once);
    expect(restoreEol(once, "\n")).toBe("a\nb\nc");
  });

  test("a final line end makes no empty last line", () => {
    expect(splitLines("a\r\nb\n")).toEqual(["a", "b"]);
    expect(splitLines("\n\n")).toEqual(["", ""]);
    expect(splitLines("")).toEqual([]);
  });
});

describe("cutting", () => {
  test("never splits a surrogate pair, at any length", () => {
    const text = "日本🙂é🙂🙂x";
    for (let length = 0; length <= text.length; length++) {
      const cut = cutAt(text, length);
      expect(cut.length).toBeLessThanOrEqual(length);
      expect(text.startsWith(cut)).toBe(true);
      expect(new TextDecoder().decode(new TextEncoder().encode(cut))).toBe(cut);
    }
  });

  test("colour codes go, the text stays", () => {
    expect(stripAnsi("\x1b[31mred\x1b[0m and \x1b]8;;http://x\x07link\x1b]8;;\x07")).toBe("red and link");
  });
});

describe("decoding a file", () => {
  test("UTF-16 with its mark is text, with the mark taken off", () => {
    expect(decodeText(bytes(0xff, 0xfe, 0x61, 0, 0x0a, 0))).toEqual({ text: "a\n", encoding: "utf-16le" });
    expect(decodeText(bytes(0xfe, 0xff, 0, 0x61))).toEqual({ text: "a", encoding: "utf-16be" });
  });

  test("a replacement character in valid UTF-8 drops nothing", () => {
    expect(decodeText(new TextEncoder().encode("a\uFFFDb"))).toEqual({ text: "a\uFFFDb", encoding: "utf-8" });
  });

  test("a NUL in the first 8 KiB means binary, a later one does not", () => {
    expect(decodeText(bytes(0x61, 0, 0x62))).toEqual({ binary: true });
    const late = new Uint8Array(10_000).fill(0x61);
    late[9000] = 0;
    expect(decodeText(late)).toMatchObject({ encoding: "utf-8" });
  });

  test("legacy bytes stay readable and keep their lines", () => {
    expect(decodeText(bytes(0x63, 0x61, 0x66, 0xe9, 0x0a, 0x78))).toEqual({ text: "café\nx", encoding: "latin1" });
  });
});

test("a path with control characters is quoted, and any other is shown as it is", () => {
  expect(shownPath("src/ü [x] 日.ts")).toBe("src/ü [x] 日.ts");
  expect(shownPath("a\nb\x1b[31m\x7f.ts")).toBe('"a\\nb\\u001b[31m\\x7f.ts"');
});
