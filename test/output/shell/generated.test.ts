import { describe, expect, test } from "bun:test";
import { candidates, parseCommandLine, rewriteCommand, simpleCommands } from "../../../src/output/shell/index.ts";
import { LineGenerator, Random, spoil } from "./generator.ts";

const PREFIX = ["/opt/tokenix", "run"];
const INSERTED = "/opt/tokenix run ";
const all = { prefix: PREFIX, wants: () => true };

describe("a hundred thousand generated command lines", () => {
  test("are read as they were meant, and rewritten by insertion only", () => {
    let rewritten = 0;
    for (let seed = 1; seed <= 60_000; seed++) {
      const { line, meant } = new LineGenerator(new Random(seed)).line();
      const found = parseCommandLine(line)?.segments.map(({ words, operator, compound }) => ({
        words: words.map(({ raw }) => raw),
        operator,
        isCompound: compound !== undefined,
      }));
      if (!Bun.deepEquals(found, meant))
        expect({ seed, line, found }).toEqual({ seed, line, found: meant as typeof found });
      const rewrite = rewriteCommand(line, all);
      if (!rewrite) continue;
      rewritten++;
      const isPlain = rewrite.command.replaceAll(INSERTED, "") === line;
      const isCounted = rewrite.command.split(INSERTED).length - 1 === rewrite.wrapped;
      if (!isPlain || !isCounted || /(?<!<)<<-? ?'?E/.test(line)) expect({ seed, line, rewrite }).toBeUndefined();
      const again = rewriteCommand(rewrite.command, all);
      if (again) expect({ seed, line, again }).toBeUndefined();
    }
    // else nothing was tested
    expect(rewritten).toBeGreaterThan(10_000);
  }, 180_000);

  test("spoilt at random are refused or read without a gap, and never throw", () => {
    let read = 0;
    for (let seed = 1; seed <= 40_000; seed++) {
      const random = new Random(seed);
      const line = spoil(new LineGenerator(random).line().line, random);
      candidates(line);
      simpleCommands(line);
      const rewrite = rewriteCommand(line, all);
      if (rewrite && rewrite.command.replaceAll(INSERTED, "") !== line) expect({ seed, line, rewrite }).toBeUndefined();
      const parsed = parseCommandLine(line);
      if (!parsed) continue;
      read++;
      let from = 0;
      for (const { start, end, text, words } of parsed.segments) {
        const isInOrder = start >= from && end > start && text === line.slice(start, end);
        const isInside = words.every(
          (word) => word.start >= start && word.end <= end && word.raw === line.slice(word.start, word.end),
        );
        if (!isInOrder || !isInside) expect({ seed, line, start, end, text }).toBeUndefined();
        from = end;
      }
    }
    expect(read).toBeGreaterThan(10_000);
  }, 180_000);
});

describe("hostile input", () => {
  test("is refused when it is too long, has a NUL, or nests without end", () => {
    expect(parseCommandLine(`ls ${"a".repeat(65_536)}`)).toBeUndefined();
    expect(parseCommandLine(`ls ${"a".repeat(60_000)}`)?.segments).toHaveLength(1);
    expect(parseCommandLine("git status\0")).toBeUndefined();
    for (const open of ["(", "$(", '"$(', "`", "((", "if ", "${x:-", "[[ ( ", "{ ", "case x in x) "]) {
      expect(parseCommandLine(open.repeat(4999))).toBeUndefined();
    }
  });

  test("that is not closed is refused", () => {
    for (const line of [
      "echo 'a",
      'echo "a',
      "echo `a",
      "echo $(a",
      "echo ${a",
      "echo $((1",
      "(ls",
      "{ ls",
      "if a; then b",
      "ls &&",
      "ls |",
      "ls >",
      "cat <<E\nx",
      "ls \\",
      ")",
      "}",
      "a ;; b",
      "a && && b",
      "",
      "  ",
      "# only this",
    ]) {
      expect([line, parseCommandLine(line)]).toEqual([line, undefined]);
    }
  });
});
