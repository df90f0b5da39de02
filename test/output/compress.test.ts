import { describe, expect, test } from "bun:test";
import { compress, compressOutput } from "../../src/output/compress/compress.ts";

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");
const SOME = lines(12, (at) => `a line of ordinary text, number ${at}, that nothing touches`);

describe("generic compression", () => {
  test("leaves ordinary text byte for byte", () => {
    expect(compress(SOME)).toBe(SOME);
    expect(compress(SOME.replaceAll("\n", "\r\n"))).toBe(SOME.replaceAll("\n", "\r\n"));
  });

  test("names base64 by kind and length, and leaves PEM markers", () => {
    const png = Buffer.from([
      0x89,
      0x50,
      0x4e,
      0x47,
      0x0d,
      0x0a,
      0x1a,
      0x0a,
      0,
      ...Array.from({ length: 900 }, (_, at) => (at * at * 7919 + at * 31) % 256),
    ]);
    const text = compress(`img: data:image/png;base64,${png.toString("base64")} end\n`);
    expect(text).toMatch(/^img: data:image\/png;base64,\[png image base64 omitted: \d+ chars\] end\n$/);
    const wrapped = png
      .toString("base64")
      .match(/.{1,64}/g)
      ?.join("\n");
    expect(compress(`-----BEGIN CERTIFICATE-----\n${wrapped}\n-----END CERTIFICATE-----\n`)).toMatch(
      /^-----BEGIN CERTIFICATE-----\n\[.*base64 omitted: \d+ chars in \d+ lines\]\n-----END CERTIFICATE-----\n$/,
    );
  });

  test("takes hex dumps, digit columns and long words for what they are", () => {
    for (const run of ["0123456789abcdef".repeat(64), "7".repeat(900), "abc".repeat(300), `${"a".repeat(600)}`])
      expect(compress(`${run}\n`)).toBe(`${run}\n`);
  });

  test("takes the white space out of JSON and nothing else", () => {
    const json = `{\n  "id": 12345678901234567890,\n  "a": "x  y\\n \\"z\\"",\n  "list": [\n    1.0,\n    2e10\n  ],\n  "a": null,\n  "pad": "${"p".repeat(300)}"\n}\n`;
    const text = compress(json);
    expect(text).toBe(
      `{"id":12345678901234567890,"a":"x  y\\n \\"z\\"","list":[1.0,2e10],"a":null,"pad":"${"p".repeat(300)}"}\n`,
    );
  });

  test("compacts NDJSON line by line, and leaves what is not JSON throughout", () => {
    const nd = lines(20, (at) => `{ "n": ${at}, "text": "some text" }`);
    expect(compress(nd)).toBe(lines(20, (at) => `{"n":${at},"text":"some text"}`));
    const mixed = `${nd}not json\n`;
    expect(compress(mixed)).toBe(mixed);
  });

  test("takes colour codes, and decoration before a line's text, but no mark that means something", () => {
    const text = `${SOME}\x1b[32m✓ adds\x1b[0m\n📦 Installing\n❌ broke\n🔴 down\nname 📦 inside\n`;
    expect(compress(text)).toBe(`${SOME}✓ adds\nInstalling\n❌ broke\n🔴 down\nname 📦 inside\n`);
  });

  test("keeps the last state of a progress line", () => {
    expect(compress(`${SOME}  1%\r 50%\rdone: 100%\n`)).toBe(`${SOME}done: 100%\n`);
  });

  test("folds blank lines, repeated lines and repeated blocks with their counts", () => {
    expect(compress(`${SOME}\n\n\nend\n`)).toBe(`${SOME}\nend\n`);
    expect(compress(`${SOME}${"waiting for the database\n".repeat(7)}end\n`)).toBe(
      `${SOME}waiting for the database\n[line above repeated 6 more times]\nend\n`,
    );
    const block = "connect to server\nrefused by server\nwait a second\n";
    expect(compress(SOME + block.repeat(5))).toBe(`${SOME}${block}[3 lines above repeated 4 more times]\n`);
  });

  test("folds lines that differ only in progress, and no others", () => {
    const progress = lines(30, (at) => `downloading layer ${at * 3}% (${at}.5 MB/s) [${at}/30]`);
    expect(compress(SOME + progress)).toContain("[... 28 similar lines omitted ...]");
    for (const facts of [
      lines(30, (at) => `10.0.0.${at} is up`),
      lines(30, (at) => `c${at} a commit of that number`),
      lines(30, (at) => ` src/f${at}.rs | 2 +-`),
      lines(30, (at) => `test number ${at} passed`),
      lines(30, (at) => `  ${at} MB`),
    ])
      expect(compress(SOME + facts)).toBe(SOME + facts);
  });

  test("never folds lines that speak of failure as similar", () => {
    const text = SOME + lines(30, (at) => `12:00:${String(at).padStart(2, "0")} upload failed after ${at}ms`);
    expect(compress(text)).toBe(text);
  });

  test("a file's own text is touched by the ceiling only", () => {
    const text = `fn a() {\n\n\n\n}\n${"same\n".repeat(9)}\x1b[31m{ "a":   1 }\n`.repeat(20);
    expect(compress(text, { verbatim: true })).toBe(text);
  });
});

describe("the ceiling", () => {
  test("keeps the beginning and the end, counts what is between, and stays below", () => {
    const raw = lines(5000, (at) => `line number ${at} of a long text`);
    const { text, cut } = compressOutput(raw, { ceilingTokens: 1000 });
    expect(cut).toBe(true);
    expect(text.length).toBeLessThanOrEqual(4000);
    expect(text).toStartWith("line number 0 of");
    expect(text).toEndWith("line number 4999 of a long text\n");
    const shown = text.trimEnd().split("\n");
    const sum = shown.reduce((total, line) => total + Number(/^\[\.\.\. (\d+) lines omitted/.exec(line)?.[1] ?? 1), 0);
    expect(sum).toBe(5000);
  });

  test("keeps the lines of failure from the part that goes", () => {
    const raw = lines(5000, (at) => (at === 2500 ? "src/a.c:3:1: error: the one fault" : `line number ${at}`));
    expect(compressOutput(raw, { ceilingTokens: 1000 }).text).toContain("src/a.c:3:1: error: the one fault");
  });

  test("cuts one long line inside, between characters, and says how many", () => {
    for (let shift = 0; shift < 4; shift++) {
      const raw = `${"x".repeat(shift)}${"🙂é日".repeat(20_000)}`;
      const { text } = compressOutput(raw, { ceilingTokens: 500 });
      expect(text.isWellFormed()).toBe(true);
      expect(text.length).toBeLessThanOrEqual(2000);
      const omitted = Number(/\[\.\.\. (\d+) characters omitted \.\.\.\]/.exec(text)?.[1]);
      expect(text.replace(/\[\.\.\..*\.\.\.\]/, "").length + omitted).toBe(raw.length);
    }
  });

  test("0 switches it off", () => {
    const raw = lines(5000, (at) => `line ${at} of text`);
    expect(compress(raw, { ceilingTokens: 0 })).toBe(raw);
  });
});

test("no text grows, and no text takes more than linear time to speak of", () => {
  for (const text of [
    "",
    "\n",
    "\r\n",
    "\0",
    "\x1b[0m".repeat(2000),
    "{",
    "[".repeat(5000),
    '{"a":'.repeat(3000),
    "ab\n".repeat(50_000),
    "a\n".repeat(100_000),
    "\n".repeat(100_000),
    "A1b".repeat(100_000),
    "1%\r".repeat(50_000),
  ])
    expect(Buffer.byteLength(compress(text))).toBeLessThanOrEqual(Buffer.byteLength(text));
});
