import { describe, expect, test } from "bun:test";
import { applyFilter } from "../../src/output/filters/pipeline.ts";
import { type FilterDefinition, parseFilterFile } from "../../src/output/filters/schema.ts";
import { stripAnsi } from "../../src/platform/text.ts";

function filter(keys: Record<string, unknown>): FilterDefinition {
  const { filters, problems } = parseFilterFile({
    filters: { widget: { description: "widget", match_command: "^widget\\b", ...keys } },
  });
  expect(problems).toEqual([]);
  return filters[0] as FilterDefinition;
}

function run(keys: Record<string, unknown>, stdout: string, exitCode = 0, stderr = "") {
  return applyFilter(filter(keys), { command: "widget", stdout, stderr, exitCode });
}

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");

describe("match_output", () => {
  const keys = { match_output: [{ pattern: "^added (?<n>\\d+) packages in (\\d+)s$", message: "added $<n> ($2 s)" }] };
  test("answers a success with the message and its captures", () => {
    expect(run(keys, "added 12 packages in 3s").text).toBe("added 12 (3 s)");
  });
  test("never answers a failure", () => {
    expect(run(keys, "added 12 packages in 3s", 1).text).toBe("added 12 packages in 3s");
  });
  test("never answers a text that shows a failure although the exit code is 0", () => {
    const text = "added 12 packages in 3s\nerror: lockfile is broken\n";
    expect(run({ match_output: [{ pattern: "added (\\d+)", message: "added $1" }] }, text).text).toBe(text);
  });
  test("holds back when a line matches 'unless'", () => {
    const rule = { pattern: "added (\\d+) packages", message: "added $1", unless: "vulnerab" };
    const text = "added 12 packages\n3 vulnerabilities\n";
    expect(run({ match_output: [rule] }, text).text).toBe(text);
  });
});

describe("block_caps", () => {
  const warning = "warning: unused\n --> a.rs:1:2\n  |\n1 | let x\n  | ^\n\n";
  test("keep the first lines of each block and let the rest of the text alone", () => {
    const { text } = run(
      { block_caps: [{ start: "^warning", keep: 2 }] },
      `${warning}error: bad\n --> b.rs:3:4\n  | here\n`,
    );
    expect(text).toBe("warning: unused\n --> a.rs:1:2\n\nerror: bad\n --> b.rs:3:4\n  | here\n");
  });
  test("count the blocks past their maximum", () => {
    const { text, cut } = run({ block_caps: [{ start: "^warning", keep: 2, max: 1 }] }, warning.repeat(4));
    expect(text).toContain("[... 3 more like the 1 above omitted ...]");
    expect(text.match(/a\.rs:1:2/g)?.length).toBe(1);
    expect(cut).toBe(true);
  });
});

test("lines are stripped and kept by pattern, on the text without colours and without CR", () => {
  const { text } = run(
    { strip_lines_matching: ["^noise$"], keep_lines_matching: ["e$"] },
    "\x1b[31mnoise\x1b[0m\r\none\r\ntwo\r\nthree\r\n",
  );
  expect(text).toBe("one\r\nthree\r\n");
});

test("a failing line passes keep_lines_matching when the command failed", () => {
  const keys = { keep_lines_matching: ["^total"] };
  expect(run(keys, "total 3\nsomething failed at x\nelse\n", 1).text).toBe("total 3\nsomething failed at x\n");
  expect(run(keys, "total 3\nsomething failed at x\nelse\n", 0).text).toBe("total 3\n");
});

describe("extract_sections", () => {
  const log = lines(3, (at) => `commit ${at}\nbody a\nbody b, which is long enough\nbody c, which is long enough`);
  test("split at each start and cap each record with a count", () => {
    const { text } = run({ extract_sections: [{ start: "^commit", split_on_start: true, max_lines: 2 }] }, log);
    expect(text).toBe(lines(3, (at) => `commit ${at}\nbody a\n[... 2 lines omitted ...]`));
  });
  test("change nothing when there is no section", () => {
    expect(run({ extract_sections: [{ start: "^nothing" }] }, log).text).toBe(log);
  });
  test("drop what is outside, unless told otherwise", () => {
    const text = `head\ncommit 1\nbody\n\n${"tail\n"}`;
    expect(run({ extract_sections: [{ start: "^commit" }] }, text).text).toBe("commit 1\nbody\n\n");
    expect(run({ extract_sections: [{ start: "^commit", keep_outside: true }] }, text).text).toBe(text);
  });
});

test("a category is capped with the right count", () => {
  const { text, cut } = run(
    { category_caps: [{ pattern: "^ok", max: 2, label: "passing" }] },
    `${lines(9, (at) => `ok ${at}`)}end\n`,
  );
  expect(text).toBe("ok 0\nok 1\n… +7 more passing\nend\n");
  expect(cut).toBe(true);
});

describe("sizing", () => {
  test("head and tail leave the count between, and priority lines survive", () => {
    const raw = lines(100, (at) => (at === 50 ? "IMPORTANT" : `line ${at}`));
    const { text } = run({ head_lines: 2, tail_lines: 2, priority_lines: ["^IMPORTANT"] }, raw);
    expect(text).toBe(
      "line 0\nline 1\n[... 48 lines omitted ...]\nIMPORTANT\n[... 47 lines omitted ...]\nline 98\nline 99\n",
    );
  });
  test("lines that speak of failure survive when the command failed", () => {
    const raw = lines(300, (at) => (at === 150 ? "FAIL: test_login broke" : `PASS: test_${at}`));
    expect(run({ max_lines: 20 }, raw, 1).text).toContain("FAIL: test_login broke");
  });
  test("no line is lost to a marker: shown and counted lines add up", () => {
    for (const max of [1, 2, 3, 7, 50, 99, 100, 101]) {
      const shown = run(
        { max_lines: max },
        lines(100, (at) => `line number ${at}`),
      )
        .text.trimEnd()
        .split("\n");
      const sum = shown.reduce((total, line) => total + Number(/\[\.\.\. (\d+) lines?/.exec(line)?.[1] ?? 1), 0);
      expect(sum).toBe(100);
    }
  });
  test("a long line is cut between characters", () => {
    for (let at = 10; at < 20; at++) {
      const { text } = run({ truncate_lines_at: at }, `${"🙂é日".repeat(40)}\n`);
      expect(text.isWellFormed()).toBe(true);
      expect(text).toMatch(/… \+\d+ chars\n$/);
    }
  });
});

test("semantic_filter keeps the nearest lines in their order, and every line without a ranker", () => {
  const raw = lines(30, (at) => `line number ${at}`);
  const keys = { semantic_filter: { query: "seven", top_k: 2 }, priority_lines: ["number 20$"] };
  const rank = (_query: string, all: readonly string[]) => all.map((line) => (/ (?:7|9)$/.test(line) ? 1 : 0));
  const output = { command: "widget", stdout: raw, stderr: "", exitCode: 0 };
  expect(applyFilter(filter(keys), { ...output, rank }).text).toBe(
    "[... 7 lines omitted ...]\nline number 7\n[... 1 line omitted ...]\nline number 9\n[... 10 lines omitted ...]\nline number 20\n[... 9 lines omitted ...]\n",
  );
  expect(applyFilter(filter(keys), output).text).toBe(raw);
});

describe("what always holds", () => {
  test("an output that costs more after filtering stays raw", () => {
    expect(run({ on_empty: "nothing was printed that matters", strip_lines_matching: ["."] }, "x\n").text).toBe("x\n");
  });
  test("on_empty speaks for a success only", () => {
    const keys = { on_empty: "ok", strip_lines_matching: ["^step"] };
    expect(run(keys, "step one\nstep two\n").text).toBe("ok\n");
    expect(run(keys, "step one\nstep two\n", 1).text).toBe("step one\nstep two\n");
  });
  test("a failure that the filter would hide is shown", () => {
    const { text, fellBack } = run({ strip_lines_matching: ["error"] }, "step\nerror: it broke\nstep\n", 1);
    expect(text).toContain("error: it broke");
    expect(fellBack).toBe("hid the failure");
  });
  test("an emptied output is shown in a bounded view when passthrough_when_emptied wins", () => {
    const { text } = run(
      { on_empty: "ok", passthrough_when_emptied: true, strip_lines_matching: ["."] },
      lines(200, (at) => `line ${at}`),
    );
    expect(text).toContain("line 0\n");
    expect(text).toContain("[... 140 lines omitted ...]");
  });
  test("on_failure passes through, or gives the tail and the lines of failure", () => {
    const raw = `error: first\n${lines(50, (at) => `line ${at}`)}`;
    expect(run({ on_failure: "passthrough", max_lines: 2 }, raw, 1).text).toBe(raw);
    const tail = run({ on_failure: "tail:2", strip_lines_matching: ["."] }, raw, 1).text;
    expect(tail).toBe("error: first\n[... 48 lines omitted ...]\nline 48\nline 49\n");
  });
  test("stderr is the generic stages' unless the filter takes it", () => {
    expect(run({ strip_lines_matching: ["a"] }, "a\nb\n", 0, "a\n").stderr).toBe("a\n");
    expect(run({ strip_lines_matching: ["a"], filter_stderr: true }, "a\nb\n", 0, "a\nc\n")).toMatchObject({
      text: "b\nc\n",
      stderr: "",
    });
  });
  test("odd texts neither throw nor grow", () => {
    const keys = {
      match_output: [{ pattern: "x", message: "y" }],
      block_caps: [{ start: "^a", keep: 0 }],
      extract_sections: [{ start: "b", end: "c" }],
      category_caps: [{ pattern: "d", max: 0, label: "ds" }],
      head_lines: 0,
      tail_lines: 0,
      truncate_lines_at: 0,
    };
    for (const text of [
      "",
      "\n",
      "\r\n",
      "\r",
      "\0",
      "a",
      "\n\n\na\nb\nd\nc",
      "\x1b[0m",
      "\ud800",
      "x".repeat(100_000),
    ])
      for (const exit of [0, 1]) {
        const result = run(keys, text, exit);
        expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(Buffer.byteLength(text));
        if (exit === 1 && stripAnsi(text).trim() !== "") expect(result.text.trim()).not.toBe("");
      }
  });
});
