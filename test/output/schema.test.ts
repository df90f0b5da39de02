import { describe, expect, test } from "bun:test";
import { buildDispatch } from "../../src/output/filters/dispatch.ts";
import { isFailureLine, showsFailure } from "../../src/output/filters/failure.ts";
import { lookup, spellings } from "../../src/output/filters/lookup.ts";
import { compilePattern, patternProblem } from "../../src/output/filters/regex.ts";
import { loadDefinition, storeDefinition } from "../../src/output/filters/stored.ts";
import { parseFilterToml } from "../../src/output/filters/toml.ts";
import { tomlString } from "../../src/output/filters/toml-write.ts";

const HEAD = "[filters.w]\ndescription = 'w'\nmatch_command = '^w\\b'\n";

describe("a filter file", () => {
  for (const [what, toml, problem] of [
    [
      "an unknown key",
      `${HEAD}strip_line_matching = ['x']`,
      "unknown key 'strip_line_matching'; did you mean 'strip_lines_matching'?",
    ],
    ["a wrong type", `${HEAD}max_lines = "ten"`, "'max_lines' must be a whole number from 0 up"],
    ["a bad regex", `${HEAD}strip_lines_matching = ['(a']`, "strip_lines_matching '(a'"],
    [
      "a bad regex in a nested table",
      `${HEAD}category_caps = [{ pattern = '[', max = 1, label = 'x' }]`,
      "category_caps '['",
    ],
    ["no TOML", "[filters.w\n", "not TOML"],
    ["no filter", "x = 1", "unknown key 'x'"],
    ["a wrong on_failure", `${HEAD}on_failure = "tail"`, 'on_failure is "passthrough"'],
    ["a missing match_command", "[filters.w]\ndescription = 'w'", "'match_command' is missing"],
    [
      "cases of no filter",
      `${HEAD}[[tests.v]]\nname='a'\ncommand='w'\nsource='s'\ninput=''`,
      "tests.v belongs to no filter",
    ],
    [
      "an unknown key of a case",
      `${HEAD}[[tests.w]]\nname='a'\ncommand='w'\nsource='s'\ninput=''\nexitcode=1`,
      "unknown key 'exitcode'; did you mean 'exit_code'?",
    ],
  ] as const)
    test(`with ${what} is named`, () => {
      expect(parseFilterToml(toml).problems.join("\n")).toContain(problem);
    });

  test("with one bad filter keeps its other filters", () => {
    const file = parseFilterToml(`${HEAD}\n[filters.v]\ndescription='v'\nmatch_command='('\n`);
    expect(file.filters.map(({ name }) => name)).toEqual(["w"]);
    expect(file.problems.length).toBe(1);
  });

  test("comes back the same from its stored form", () => {
    const [filter] = parseFilterToml(`${HEAD}on_failure = "tail:5"\nhead_lines = 3\nfilter_stderr = true`).filters;
    if (!filter) throw new Error("no filter");
    expect(loadDefinition(storeDefinition(filter))).toEqual(filter);
  });

  test("any text survives being written as a TOML string", () => {
    for (const text of [
      "",
      "a'b",
      'a"b\\c',
      "'''",
      "\x1b[31mred\x1b[0m\n",
      "a\r\nb\r\n",
      "tab\tand\nline\n",
      "x'",
      "\u007f",
      "日本🙂\n",
    ]) {
      for (const multiline of [true, false]) {
        const toml = `${HEAD}[[tests.w]]\nname='a'\ncommand='w'\nsource='s'\ninput = ${tomlString(text, multiline)}\n`;
        expect(parseFilterToml(toml).cases.get("w")?.[0]?.input).toBe(text);
      }
    }
  });
});

describe("patterns", () => {
  for (const [pattern, yes, no] of [
    ["(?i)error", "ERROR", "ok"],
    ["^a(?i)b$", "aB", "AB"],
    ["(?m)^b$", "a\nb", "ab"],
    ["(?s)a.b", "a\nb", "ab"],
    ["(?P<n>\\d+)x", "12x", "x"],
    ["\\Aa\\z", "a", "a\n"],
    ["[[:alpha:]]+1", "ab1", "11"],
    ["[]x]", "]", "y"],
    ["\\x{1F642}", "🙂", "x"],
    ["(?i:a)b", "Ab", "AB"],
    ["(?:a(?i)b|c)", "aB", "C"],
  ] as const)
    test(`${pattern} means what it means elsewhere`, () => {
      expect(compilePattern(pattern).test(yes)).toBe(true);
      expect(compilePattern(pattern).test(no)).toBe(false);
    });
  for (const pattern of ["(?x)a b", "a++", "(?>a)", "\\q", "(", "[a", "a\\"])
    test(`${pattern} is refused in words`, () => {
      expect(patternProblem(pattern)).toBeString();
    });
});

describe("choosing", () => {
  const { filters } = parseFilterToml(`
[filters.git-log]
description = 'x'
match_command = '^git\\s+log\\b'
unless_command = ['\\s--graph\\b']
[filters.git-any]
description = 'x'
match_command = '^git\\b'
[filters.gcc]
description = 'x'
match_command = '^(?:gcc|g\\+\\+|cc)\\s'
[filters.checks]
description = 'x'
match_command = '^gh\\s+pr\\s+checks\\b'
machine_output = true
`);
  const table = buildDispatch(filters);
  for (const [command, name] of [
    ["git log -3", "git-log"],
    ["git log --graph", "git-any"],
    ["git status", "git-any"],
    ["git log --format=%h", undefined],
    ["git status --porcelain", undefined],
    ["gcc-13 a.c", "gcc"],
    ["/usr/bin/g++ a.c", "gcc"],
    ["gcc.exe a.c", "gcc"],
    ["gccx a.c", undefined],
    ["gh pr checks 1 --json name", "checks"],
    ["constructor x", undefined],
    ["__proto__", undefined],
    ["", undefined],
  ] as const)
    test(`'${command}' leads to ${name ?? "no filter"}`, () => {
      expect(lookup(table, [command])?.[0]).toBe(name);
    });
  test("spellings keep the arguments byte for byte", () => {
    expect(spellings("C:\\x\\pytest.exe -k 'a  b'")).toEqual([
      "C:\\x\\pytest.exe -k 'a  b'",
      "pytest.exe -k 'a  b'".replace(".exe", ""),
    ]);
  });
});

describe("failure in text", () => {
  for (const line of [
    "error: x",
    "src/a.c:3:1: error: y",
    "FAILED tests/a.py::b",
    "  ✗ adds",
    "thread 'x' panicked at a.rs:1:1",
    "npm ERR! code 1",
    "E   assert 1 == 2",
    "ModuleNotFoundError: no",
    "ERR_PNPM_X",
    "make: *** [all] Error 2",
    "not ok 3 - x",
    "Permission denied",
    "Segmentation fault (core dumped)",
    "undefined reference to `f'",
    "1 failed, 3 passed",
    "expected 3",
    "Received: 4",
  ])
    test(`speaks of failure: ${line}`, () => {
      expect(isFailureLine(line)).toBe(true);
    });
  for (const line of [
    "0 errors",
    "no failures",
    "ok 3 - adds",
    "Compiling serde v1",
    "PASS src/error.test.ts",
    "found 0 errors, 0 failures",
  ])
    test(`does not: ${line}`, () => {
      expect(isFailureLine(line)).toBe(false);
    });
  test("a good run is not taken for a failed one", () => {
    for (const text of [
      "go: downloading github.com/pkg/errors v0.9.1",
      "0 failed, 12 passed",
      "Compiling thiserror v1.0",
      "test error_paths ... ok",
      " 3 files changed",
      "Tests run: 12, Failures: 0, Errors: 0, Skipped: 1",
      "Found 0 errors. Watching for file changes.",
      "10 checks passed, 0 tests failed",
      "class ValueError(Exception):",
      "make: Nothing to be done for 'all'.",
      "removed TimeoutError: see the notes",
    ])
      expect(`${text}: ${showsFailure(text)}`).toBe(`${text}: false`);
  });
  test("a failed run is seen whatever the exit code was", () => {
    for (const text of [
      "error[E0308]: mismatched",
      "x\n1 failed, 3 passed",
      "--- FAIL: TestA (0.00s)",
      "Traceback (most recent call last):",
      '{"state":"FAILURE"}',
      "fatal: not a git repository",
      "BUILD FAILED",
      "Error: 3 tests failed",
      "ERROR: no space left",
      "ok\n3 tests failed",
      "AssertionError: expected 3, got 4",
      "AssertionError",
      "java.lang.IllegalStateException: gone",
      'Exception in thread "main" java.lang.Error',
      "make[2]: *** [all] Error 2",
      "Tests run: 12, Failures: 0, Errors: 2, Skipped: 1",
      "Found 3 errors in 2 files.",
      "  ✗ adds",
      "./run.sh: line 3: foo: command not found",
      "cat: /root/x: Permission denied",
    ])
      expect(`${text}: ${showsFailure(text)}`).toBe(`${text}: true`);
  });
});
