/** The short way through a plain line: it may leave a line to the grammar, but never read it in another way. */
import { describe, expect, test } from "bun:test";
import { readBashLine } from "../../../src/output/shell/bash.ts";
import { readPlainLine } from "../../../src/output/shell/plain-line.ts";
import { LineGenerator, Random } from "./generator.ts";

const WORDS = (
  "git cargo ls -x --long --opt=value status src/a.ts 1 -- a=b =b a:b @x %y a.b,c HEAD HEAD~1 {} +x done if then time ! " +
  "coproc function [[ [ x=1 -=- --=x . .. , - _ && || | ; & 2>&1 'a' $x a#b é && || | && npm test build 2>&1 2>/dev/null " +
  '2>x >&2 1>&2 12>&1 "" "b" "$x" "`x`" "\\\\" "!" \'\' \'"\' "\'" --x="y" a"b" \'if\' "A=1" "{a,b}" \'$x\' 2>&1x'
)
  .split(" ")
  .concat("'a b'", '"c d"', "' && '", '" | "', "'\n'", '"\r"', "'é ✓'", '"é | ✓"', "'a'b", "~", '"~"', "'*'", "*");

function byGrammar(line: string) {
  try {
    return readBashLine(line);
  } catch {
    return undefined;
  }
}

describe("a plain line", () => {
  test("is read as the grammar reads it", () => {
    let read = 0;
    for (let seed = 1; seed <= 40_000; seed++) {
      const random = new Random(seed);
      const words = Array.from({ length: 1 + random.below(7) }, () => random.pick(WORDS));
      const line = words.join(random.chance(0.95) ? " " : random.pick(["  ", "\t", "\n", ""]));
      const found = readPlainLine(line);
      if (!found) continue;
      read++;
      if (!Bun.deepEquals(found, byGrammar(line), true))
        expect({ line, found }).toEqual({ line, found: byGrammar(line) as typeof found });
    }
    expect(read).toBeGreaterThan(4000);
  }, 60_000);

  test("of a grammar with everything in it is read as the grammar reads it", () => {
    for (let seed = 1; seed <= 10_000; seed++) {
      const { line } = new LineGenerator(new Random(seed)).line();
      const found = readPlainLine(line);
      if (found && !Bun.deepEquals(found, byGrammar(line), true))
        expect({ line, found }).toEqual({ line, found: byGrammar(line) as typeof found });
    }
  }, 60_000);

  for (const line of [
    "cargo test --all",
    "cd x && npm run build",
    "git log | head -5",
    "make -j 4 || make clean && ls",
  ])
    test(`'${line}' goes the short way`, () => {
      expect(readPlainLine(line)).toEqual(byGrammar(line) as NonNullable<ReturnType<typeof readPlainLine>>);
    });

  for (const line of [
    "",
    " ls",
    "ls ",
    "&& ls",
    "ls &&",
    "ls && || x",
    "A=1 ls",
    "ls && A=1 x",
    "time ls",
    "! ls",
    "if x",
    "ls;pwd",
    "ls\n",
    "2>&1 ls",
    "ls 'a'b",
    'ls "$x"',
    'ls "a\\"b"',
    "ls 2>x",
    "ls =x",
    "é",
  ])
    test(`${JSON.stringify(line)} is left to the grammar`, () => {
      expect(readPlainLine(line)).toBeUndefined();
    });
});
