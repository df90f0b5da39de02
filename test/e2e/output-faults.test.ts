/**
 * Faults that users of such tools have met, each by its number in the collection it comes from, through the compiled
 * binary. `seen` runs a stub that prints a recorded text; `plainAndOurs` runs the real command both ways.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainAndOurs, seen, stub } from "../support/plain-and-ours.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

setDefaultTimeout(60_000);

const REPO = "git init -q . && git config user.email a@b.c && git config user.name n";

async function expectSame(setup: string, line: string) {
  const { plain, whole, rewritten } = await plainAndOurs(setup, line);
  for (const ours of [whole, rewritten]) {
    expect(ours.stdout).toBe(plain.stdout);
    expect(ours.code).toBe(plain.code);
    expect(ours.stderr).toBe(plain.stderr);
  }
  return plain;
}

function has(program: string): boolean {
  return Bun.which(program) !== null;
}

describe("A. failure shown as success", () => {
  for (const line of [
    "diff a.yml b.yml",
    "diff c d",
    "diff <(echo abcd) <(echo abce)",
    "diff -u a.yml b.yml | tail -n +3",
    "diff -q a.yml b.yml",
    "mkdir x y && cp a.yml x/f && cp b.yml y/f && diff -r x y",
  ])
    test(`1. different files stay different: ${line}`, async () => {
      const plain = await expectSame(
        "printf 'a: 1\\nk: v\\n' > a.yml; printf 'a: 2\\nk: v\\n' > b.yml; printf 'x\\r\\n' > c; printf 'x\\n' > d",
        line,
      );
      expect(plain.stdout).not.toBe("");
    });

  test("3. a conftest that can't be imported is shown", async () => {
    const shown = await seen("pytest", {
      exit: 4,
      stderr: `ImportError while loading conftest '/repo/tests/conftest.py'.
tests/conftest.py:1: in <module>
    import missing_mod
E   ModuleNotFoundError: No module named 'missing_mod'
`,
    });
    expect(shown.code).toBe(4);
    expect(shown.text).toContain("ModuleNotFoundError: No module named 'missing_mod'");
  });

  for (const message of [
    "pattern ./...: directory prefix . does not contain main module or its selected dependencies",
    "stat /repo/cmd/x: directory not found",
    "go: cannot find main module, but found .git/config in /repo",
  ])
    test(`5. a go build error of any shape is shown: ${message.slice(0, 30)}`, async () => {
      const shown = await seen("go build ./...", { exit: 1, stderr: `${message}\n` });
      expect(shown.code).toBe(1);
      expect(shown.text).toContain(message);
      expect(shown.text).not.toMatch(/success|ok\b/i);
    });

  test("7. a set-up error counts", async () => {
    const shown = await seen("pytest", {
      exit: 1,
      stdout: `....................E                                                    [100%]
==================================== ERRORS ====================================
__________________________ ERROR at setup of test_pay __________________________
E   RuntimeError: db down
test_c.py:3: RuntimeError
=========================== short test summary info ============================
ERROR test_c.py::test_pay - RuntimeError: db down
========================= 20 passed, 1 error in 0.59s ==========================
`,
    });
    for (const fact of ["1 error", "test_pay", "db down"]) expect(shown.text).toContain(fact);
  });

  test("9. a suite that can't be imported is no pass", async () => {
    const shown = await seen("npx vitest run", {
      exit: 1,
      stdout: ` ✓ src/a.test.ts (2 tests) 3ms
 FAIL  src/b.test.ts [ src/b.test.ts ]
Error: Failed to resolve import "./gone" from "src/b.test.ts". Does the file exist?

 Test Files  1 failed | 1 passed (2)
      Tests  2 passed (2)
`,
    });
    expect(shown.code).toBe(1);
    for (const fact of ["b.test.ts", "./gone", "1 failed"]) expect(shown.text).toContain(fact);
  });

  test("11. the failure at the top of an unknown runner's output stays", async () => {
    const passes = Array.from({ length: 50 }, (_, at) => `PASS: test_${at}\n`).join("");
    const { plain, whole } = await plainAndOurs(
      `printf '%s' 'FAIL: test_login broke
${passes}' > out; printf '#!/bin/sh\\ncat out; exit 1\\n' > run-tests.sh; chmod +x run-tests.sh`,
      "./run-tests.sh",
    );
    expect(whole.code).toBe(plain.code);
    expect(whole.stdout).toContain("FAIL: test_login broke");
  });

  test("11. also when there are thousands of passes", async () => {
    const passes = Array.from({ length: 9000 }, (_, at) => `PASS: test_${at}\n`).join("");
    const shown = await seen("run-tests", { exit: 1, stdout: `${passes}FAIL: test_login broke\n${passes}` });
    expect(shown.stdout).toContain("FAIL: test_login broke");
  });

  test("13. the package manager's error is shown", async () => {
    const shown = await seen("npx eslint src", {
      exit: 1,
      stdout: ' ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "src" not found\n',
    });
    expect(shown.text).toContain("ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL");
  });

  test("15. a failed check in JSON is untouched", async () => {
    const json = '[{"name":"build","state":"SUCCESS"},{"name":"e2e","state":"FAILURE"}]\n';
    expect((await seen("gh pr checks 12 --json name,state", { stdout: json })).stdout).toBe(json);
  });

  test("17. a failed cloud call shows its error", async () => {
    const shown = await seen("aws eks describe-cluster --name nope", {
      exit: 254,
      stderr:
        "\nAn error occurred (ResourceNotFoundException) when calling the DescribeCluster operation: No cluster found for name: nope.\n",
    });
    expect(shown.code).toBe(254);
    expect(shown.text).toContain("ResourceNotFoundException");
  });
});

describe("B. the detail of an error stripped", () => {
  test("19. a failed browser test keeps its place and both values", async () => {
    const shown = await seen("npx playwright test", {
      exit: 1,
      stdout: `Running 2 tests using 1 worker

  1) [chromium] › login.spec.ts:5:1 › logs in ──────────────────────────────

    Error: expect(locator).toHaveText(expected)

    Expected string: "Hi"
    Received string: "Error 500"

        at login.spec.ts:9:30

  1 failed
    [chromium] › login.spec.ts:5:1 › logs in
  1 passed (3.2s)
`,
    });
    for (const fact of ["login.spec.ts:9:30", '"Hi"', '"Error 500"', "1 failed"]) expect(shown.text).toContain(fact);
  });

  for (const [what, text, facts] of [
    [
      "an assertion",
      "--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nFAIL\nFAIL\texample.com/m/sum\t0.002s\nok  \texample.com/m/io\t0.010s\nFAIL\n",
      ["TestSum", "sum_test.go:9: got 3, want 4"],
    ],
    [
      "a panic",
      "--- FAIL: TestX (0.00s)\npanic: runtime error: index out of range [3] with length 2 [recovered]\n\ngoroutine 7 [running]:\nexample.com/m/sum.X(...)\n\t/repo/sum/sum.go:12 +0x1d\nFAIL\texample.com/m/sum\t0.002s\nFAIL\n",
      ["index out of range [3]", "sum.go:12"],
    ],
    [
      "a data race",
      "==================\nWARNING: DATA RACE\nWrite at 0x00c0000b4010 by goroutine 8:\n  example.com/m.Inc()\n      /repo/inc.go:7 +0x44\n==================\n--- FAIL: TestInc (0.00s)\n    testing.go:1490: race detected during execution of test\nFAIL\n",
      ["DATA RACE", "inc.go:7"],
    ],
    [
      "a build failure",
      "# example.com/m/sum\n./sum.go:4:2: undefined: foo\nFAIL\texample.com/m/sum [build failed]\nFAIL\n",
      ["./sum.go:4:2: undefined: foo", "[build failed]"],
    ],
  ] as const)
    test(`21. go test shows ${what}`, async () => {
      const shown = await seen("go test ./...", { exit: 1, stdout: text });
      for (const fact of facts) expect(shown.text).toContain(fact);
    });

  for (const tool of [
    "golangci-lint run",
    "eslint .",
    "vitest run",
    "jest",
    "pytest",
    "ruff check",
    "mypy .",
    "rspec",
    "rubocop",
    "go vet",
    "tsc",
  ])
    test(`23. no flag is added: ${tool}`, async () => {
      const [program] = tool.split(" ");
      const { plain, whole, rewritten } = await plainAndOurs(
        `printf '#!/bin/sh\\nfor a; do case $a in --out*|--json|--reporter*|--format*) echo "unknown flag: $a" >&2; exit 3;; esac; done; echo "main.go:1:1: bad"; exit 1\\n' > ${program} && chmod +x ${program}`,
        `./${tool}; echo rc=$?`,
      );
      expect(whole.stdout).toBe(plain.stdout);
      expect(rewritten.stdout).toBe(plain.stdout);
    });
});

/** Sixty commits `c1 xxx…` in one process. */
const SIXTY_COMMITS = `${REPO}; for i in $(seq 1 60); do echo "commit refs/heads/main"; echo "committer n <a@b.c> $((1700000000 + i)) +0000"; m="c$i ${"x".repeat(90)}"; printf 'data %s\\n%s\\n' "\${#m}" "$m"; done | git fast-import --quiet && git symbolic-ref HEAD refs/heads/main`;

describe("C. another question answered", () => {
  for (const line of [
    "find . \\( -name '*.ts' -o -name '*.tsx' \\) -not -name 'b*' -exec basename {} \\;",
    "find . -name '*.ts' -o -name '*.tsx' | sort",
    "find . ! -name '*.js' -path './src/*' -prune",
  ])
    test(`25. the real find answers: ${line}`, async () => {
      await expectSame("mkdir -p src && touch src/a.ts src/b.tsx src/c.js", line);
    });

  for (const flags of ["-50 --format='%h|%an|%s'", "-n 50 --format=%s", "--max-count=50 --format=%s"])
    test(`27. git log ${flags} gives all fifty`, async () => {
      const { whole, rewritten } = await plainAndOurs(SIXTY_COMMITS, `git log ${flags}`);
      for (const { stdout } of [whole, rewritten]) {
        const lines = stdout.trimEnd().split("\n");
        expect(lines.length).toBe(50);
        for (const line of lines) expect(line).toMatch(/c\d+ x{90}$/);
      }
    });

  for (const flags of ["--oneline -50", "-n 50", "--stat -50"])
    test(`27. git log ${flags} shows every subject`, async () => {
      const { rewritten } = await plainAndOurs(SIXTY_COMMITS, `git log ${flags}`);
      for (let commit = 11; commit <= 60; commit++) expect(rewritten.stdout).toMatch(new RegExp(`c${commit} x{90}`));
    });

  test("29. docker's own format is untouched", async () => {
    const text = "web_old\tExited (137) 2 hours ago\njob_7\tExited (0) 3 days ago\n";
    const shown = await seen("docker ps -a --filter status=exited --format '{{.Names}}\\t{{.Status}}'", {
      stdout: text,
    });
    expect(shown.stdout).toBe(text);
  });

  const CODE =
    "printf 'fn auth(u: U) -> bool {\\n    // check\\n    if !u.admin {\\n        return false;\\n    }\\n\\n\\n    true\\n}\\n' > auth.rs";
  for (const line of ["head -8 auth.rs", "cat auth.rs", "sed -n 1,8p auth.rs", "tail -3 auth.rs", "head -n 4 auth.rs"])
    test(`31. a file's lines are its lines: ${line}`, async () => {
      await expectSame(CODE, line);
    });

  test("33. grep -o gives its pieces", async () => {
    const plain = await expectSame(
      'printf \'<a path="x"/>\\n<b path="y"/>\\n\' > file.xml',
      'grep -o \'path="[^"]*"\' file.xml',
    );
    expect(plain.stdout).toBe('path="x"\npath="y"\n');
  });

  for (const line of ["git diff", "git diff HEAD", "git show HEAD"])
    test(`35. ${line} shows its hunks`, async () => {
      const { rewritten, whole } = await plainAndOurs(
        `${REPO}; echo 'limit = 10' > a.py && git add . && git commit -q -m one && echo 'limit = 0' > a.py`,
        line,
      );
      for (const { stdout } of [rewritten, whole]) {
        expect(stdout).toContain(line === "git show HEAD" ? "+limit = 10" : "-limit = 10");
        expect(stdout).toContain(line === "git show HEAD" ? "one" : "+limit = 0");
      }
    });

  for (const line of [
    "git -C ../b status --short",
    "git --git-dir=../b/.git --work-tree=../b status --short",
    "git -c core.quotepath=false -C ../b status --short",
    "git --no-pager -C ../b status --short",
  ])
    test(`37. the other repository is asked: ${line}`, async () => {
      const plain = await expectSame(
        "mkdir a b && git init -q a && git init -q b && touch b/onlyb.txt",
        `cd a && ${line}`,
      );
      expect(plain.stdout).toContain("onlyb.txt");
    });

  for (const line of [
    "grep -rn TOKEN .env dist/",
    "grep -n 'TOKEN\\|x' .env",
    "grep -c '[[:space:]]' .env",
    "grep -i token .env",
  ])
    test(`39. grep answers as grep: ${line}`, async () => {
      await expectSame(
        "git init -q . && echo dist/ > .gitignore && mkdir dist && echo TOKEN=1 > dist/x.js && echo TOKEN=2 > .env",
        line,
      );
    });

  test("41. cat -A shows tabs and line ends", async () => {
    const plain = await expectSame("printf 'a:\\n\\techo hi\\r\\n' > Makefile", "cat -A Makefile");
    expect(plain.stdout).toContain("^Iecho hi^M$");
  });

  test.if(has("npm"))("43. npm runs the script of package.json", async () => {
    const { whole } = await plainAndOurs(
      'printf \'{"name":"x","scripts":{"lint":"echo LINT-ONLY-SRC"}}\' > package.json',
      "npm run lint",
    );
    expect(whole.stdout).toContain("LINT-ONLY-SRC");
  });
});

describe("D. names hidden, counts wrong, cuts not said", () => {
  const lines = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join("");

  /** Lines shown and lines said to be left out must add up to the raw lines. */
  function accounted(stdout: string): number {
    let sum = 0;
    for (const line of stdout.trimEnd().split("\n")) {
      if (line.startsWith("[tokenix:") || line.startsWith("[full output")) continue;
      const counted =
        /^\[\.\.\. (\d+) (?:similar )?lines? omitted \.\.\.\]$/.exec(line) ?? /^… \+(\d+) more /.exec(line);
      sum += counted ? Number(counted[1]) : 1;
    }
    return sum;
  }

  test("45. the totals of a long diffstat are word for word, and a cut is counted", async () => {
    const raw = `${lines(120, (at) => ` src/f${at}.rs | 2 +-\n`)} 120 files changed, 120 insertions(+), 120 deletions(-)\n`;
    const { stdout } = await seen("git diff --stat", { stdout: raw });
    expect(stdout).toContain(" 120 files changed, 120 insertions(+), 120 deletions(-)");
    expect(accounted(stdout)).toBe(121);
  });

  test("47. the last line of a long hunk is there, or counted and to be had", async () => {
    const body = lines(149, (at) => `+line ${at}\n`);
    const raw = `diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1,150 @@\n${body}+SECRET_LAST_LINE\n`;
    const { stdout } = await seen("git diff main", { stdout: raw });
    expect(stdout.includes("+SECRET_LAST_LINE") || /retrieve [0-9a-f]{12}/.test(stdout)).toBe(true);
    expect(stdout).toContain("@@ -0,0 +1,150 @@");
  });

  test("47. a manifest of thousands of lines is cut with a count", async () => {
    const raw = lines(6000, (at) => `  key${at}: value number ${at}\n`);
    const { stdout } = await seen("helm template chart", { stdout: raw });
    if (stdout !== raw) expect(accounted(stdout)).toBe(6000);
  });

  test("49. the command in the marker gives the raw bytes back, and is not shrunk again", async () => {
    using sandbox = new Sandbox({ git: false });
    const raw = lines(20_000, (at) => `row ${at}\n`);
    sandbox.write({ "big.txt": raw });
    const first = await sandbox.run(["run", "cat", "big.txt"]);
    expect(first.stdout.length).toBeLessThan(raw.length / 2);
    expect(accounted(first.stdout)).toBe(20_000);
    const command = /all of it: (.+ retrieve [0-9a-f]{12})/.exec(first.stdout)?.[1] ?? "";
    expect((await sandbox.exec(["bash", "-c", command])).stdout).toBe(raw);
    const through = await sandbox.exec(["bash", "-c", `'${BINARY}' run ${command}`]);
    expect(through.stdout).toBe(raw);
    const { rewriteCommand } = await import("../../src/output/shell/index.ts");
    expect(
      rewriteCommand(command.replace(BINARY, "tokenix"), { prefix: ["tokenix", "run"], wants: () => true }),
    ).toBeUndefined();
  });

  test("49. a failure's way back is a file that is there", async () => {
    const raw = lines(20_000, (at) => `row ${at}\n`);
    using sandbox = new Sandbox({ git: false });
    const env = stub(sandbox, "mytool", { stdout: `${raw}FATAL: broke\n`, exit: 3 });
    const { stdout, code } = await sandbox.exec([BINARY, "run", "mytool"], { env });
    expect(code).toBe(3);
    const path = /\[full output \(credentials masked\): (.+)\]/.exec(stdout)?.[1] ?? "";
    expect(readFileSync(path, "utf8")).toBe(`${raw}FATAL: broke\n`);
  });

  for (const [what, text] of [
    ["a detached head", "[detached HEAD 1a2b3c4] x\n 1 file changed, 1 insertion(+)\n create mode 100755 run.sh\n"],
    ["a root commit", "[main (root-commit) 1a2b3c4] x\n 1 file changed, 1 insertion(+)\n create mode 100755 run.sh\n"],
  ] as const)
    test(`51. git commit keeps the id of ${what}`, async () => {
      const { stdout } = await seen("git commit -m x", { stdout: text });
      expect(stdout).toContain("1a2b3c4");
      expect(stdout).toContain(what === "a detached head" ? "detached HEAD" : "root-commit");
    });

  test("53. paths can be opened", async () => {
    const text = "src/a/mod.rs:3:// todo one\nsrc/b/mod.rs:9:// todo two\n";
    const { stdout } = await seen("grep -rn todo src", { stdout: text });
    expect(stdout).toContain("src/a/mod.rs");
    expect(stdout).toContain("src/b/mod.rs");
  });

  test("55. each turn of a loop has its own numbers", async () => {
    using sandbox = new Sandbox({ git: false });
    const env = stub(sandbox, "git", {});
    writeFileSync(
      join(sandbox.base, "stubs", "git"),
      `#!/bin/sh\ncase $3 in a) printf 'commit aaaaaaa\\n f.rs | 2 +-\\n 1 file changed, 1 insertion(+), 1 deletion(-)\\n';; *) printf 'commit bbbbbbb\\n f.rs | 90 ++++++++++\\n 1 file changed, 90 insertions(+)\\n';; esac\n`,
      { mode: 0o755 },
    );
    const line = "for c in a b; do git show --stat $c; done";
    const { stdout } = await sandbox.run(["run", "--shell", "bash", line], { env });
    for (const fact of ["aaaaaaa", "bbbbbbb", "2 +-", "90 insertions"]) expect(stdout).toContain(fact);
  });

  test("57. log lines are shown, not counted", async () => {
    const text = "listening on :8080\nstep 3/9 upload 40%\npeer 10.0.0.7 gone, will retry in 30s\n";
    expect((await seen("docker logs web", { stdout: text })).stdout).toBe(text);
  });
});

describe("F. what programs read is corrupted", () => {
  for (const line of [
    "head -825 t.txt > out.txt; cmp out.txt t.txt && echo same",
    "cat t.txt > out.txt; cmp out.txt t.txt && echo same",
    "cat t.txt >> out.txt; cmp out.txt t.txt && echo same",
    "cat t.txt 1> out.txt; cmp out.txt t.txt && echo same",
    "cat t.txt &> out.txt; cmp out.txt t.txt && echo same",
    "cat t.txt >| out.txt; cmp out.txt t.txt && echo same",
    "cat t.txt | tee out.txt > /dev/null; cmp out.txt t.txt && echo same",
    "cat t.txt | dd of=out.txt 2>/dev/null; cmp out.txt t.txt && echo same",
    "cat <t.txt >out.txt; cmp out.txt t.txt && echo same",
  ])
    test(`75. the file is an exact copy: ${line}`, async () => {
      const { whole, rewritten } = await plainAndOurs("seq 1 825 > t.txt", line);
      expect(whole.stdout).toBe("same\n");
      expect(rewritten.stdout).toBe("same\n");
    });

  for (const line of [
    "git diff > p.patch; git stash -q; git apply p.patch && echo applied",
    "git diff | git apply -R && echo applied",
    "git commit -qam two; git format-patch --stdout -1 > p.patch; git reset -q --hard HEAD~1; git am -q p.patch && echo applied",
  ])
    test(`77. a patch applies: ${line}`, async () => {
      const { whole, rewritten } = await plainAndOurs(
        `${REPO}; seq 1 300 > f && git add . && git commit -q -m one && sed -i 's/^2.*/x/' f`,
        line,
      );
      expect(whole.stdout).toContain("applied");
      expect(rewritten.stdout).toContain("applied");
    });

  test("79. what a selector chose is whole", async () => {
    const text = Array.from({ length: 400 }, (_, at) => `para ${at}\n`).join("");
    expect((await seen("gh api repos/o/r/issues/1 --jq .body", { stdout: text })).stdout).toBe(text);
  });

  for (const line of ["grep -rn foo . | wc -l", "grep -rn foo . > ../out.txt; wc -l < ../out.txt"])
    test(`81. the count behind a pipe is right: ${line}`, async () => {
      const { whole, rewritten } = await plainAndOurs('for i in $(seq 1 73); do echo "foo $i"; done > f.txt', line);
      expect(whole.stdout.trim()).toBe("73");
      expect(rewritten.stdout.trim()).toBe("73");
    });

  test("83. a machine format stays one, also when asked for through us", async () => {
    const json = Array.from({ length: 3000 }, (_, at) => `{"type":"match","n":${at},"text":"foo bar baz"}\n`).join("");
    using sandbox = new Sandbox({ git: false });
    const env = stub(sandbox, "rg", { stdout: json });
    const { stdout } = await sandbox.exec(["bash", "-c", `'${BINARY}' run rg --json foo .`], { env });
    expect(stdout).toBe(json);
    const head = await sandbox.exec(["bash", "-c", `'${BINARY}' run rg --json foo . | head -1`], { env });
    expect(JSON.parse(head.stdout)).toEqual({ type: "match", n: 0, text: "foo bar baz" });
  });
});

describe("G. encodings and line ends", () => {
  test("89. cuts fall between characters, at every line length from 70 to 130", async () => {
    const text = Array.from({ length: 61 }, (_, at) =>
      [...`1a2b3c4 ${"日本語テキスト🙂é".repeat(14)}`].slice(0, 70 + at).join(""),
    ).join("\n");
    const { stdout, code } = await seen("git log --oneline", { stdout: `${text}\n` });
    expect(code).toBe(0);
    expect(stdout).not.toContain("\ufffd");
  });

  test("89. also at the ceiling", async () => {
    for (let length = 60; length < 64; length++) {
      const line = `${[..."日本語テキスト🙂é".repeat(20)].slice(0, length).join("")}\n`;
      const { stdout } = await seen("mytool", { stdout: line.repeat(2000) + "é🙂".repeat(20_000) });
      // Half a pair would have become a replacement character on the way out.
      expect(stdout.replaceAll("\ufffd", "").length).toBe(stdout.length);
    }
  });

  test("91. CRLF gives the same facts as LF, and stays CRLF", async () => {
    const toml = readFileSync(join(import.meta.dir, "..", "..", "assets", "filters", "cargo-test.toml"), "utf8");
    const raw = /input = '''\n([\s\S]*?)'''/.exec(toml)?.[1] ?? "";
    const lf = await seen("cargo test", { stdout: raw, exit: 101 });
    const crlf = await seen("cargo test", { stdout: raw.replaceAll("\n", "\r\n"), exit: 101 });
    const withoutHint = (text: string) => text.replace(/\[full output.*\]\n/, "");
    expect(withoutHint(crlf.stdout).replaceAll("\r\n", "\n")).toBe(withoutHint(lf.stdout));
    expect(crlf.stdout).toContain("\r\n");
    expect(lf.stdout.length).toBeLessThan(raw.length / 2);
  });
});

describe("H. exit codes", () => {
  for (const [what, line] of [
    ["0", "true"],
    ["1", "false"],
    ["2", "sh -c 'exit 2'"],
    ["7 with both streams", "sh -c 'echo out; echo err >&2; exit 7'"],
    ["126", "./notexec"],
    ["127", "no-such-program-x"],
    ["130", "sh -c 'kill -INT $$'"],
    ["137", "sh -c 'kill -KILL $$'"],
    ["143", "sh -c 'kill -TERM $$'"],
    ["255", "sh -c 'exit 255'"],
  ] as const)
    test(`93. ${what}: ${line}`, async () => {
      const { plain, whole, rewritten } = await plainAndOurs("echo x > notexec", `${line}; echo rc=$?`);
      expect(whole.stdout).toBe(plain.stdout);
      expect(rewritten.stdout).toBe(plain.stdout);
      using sandbox = new Sandbox({ git: false });
      sandbox.write({ notexec: "x" });
      expect((await sandbox.run(["run", "--shell", "bash", line])).code).toBe(Number(what.split(" ")[0]));
    });

  for (const words of [
    ["sh", "-c", "exit 7"],
    ["sh", "-c", "kill -KILL $$"],
    ["no-such-program-x"],
    ["./notexec"],
    ["false"],
  ])
    test(`93. started word for word: ${words.join(" ")}`, async () => {
      using sandbox = new Sandbox({ git: false });
      sandbox.write({ notexec: "x" });
      const ours = await sandbox.run(["run", ...words]);
      const plain = await sandbox.exec(["bash", "-c", '"$@"', "bash", ...words]);
      expect(ours.code).toBe(plain.code);
    });

  test("a command that dies of a signal is named as the shell would have, and once", async () => {
    for (const [signal, words] of [
      ["SEGV", "Segmentation fault"],
      ["ABRT", "Aborted"],
      ["KILL", "Killed"],
    ] as const)
      for (const before of ["", "echo out; "]) {
        using sandbox = new Sandbox({ git: false });
        const ours = await sandbox.run(["run", "sh", "-c", `${before}kill -${signal} $$`]);
        expect(ours.stderr).toBe(`${words}\n`);
        const line = await sandbox.run(["run", "--shell", "bash", `${before}sh -c 'kill -${signal} $$'; exit 9`]);
        expect(line.code).toBe(9);
        expect((line.stdout + line.stderr).split(words).length).toBe(2);
      }
    using sandbox = new Sandbox({ git: false });
    expect((await sandbox.run(["run", "sh", "-c", "kill -TERM $$"])).stderr).toBe("");
  });

  test("95. grep's three exit codes", async () => {
    const plain = await expectSame("echo a > f", "grep nope f; echo $?; grep '[' f; echo $?; grep x /nope; echo $?");
    expect(plain.stdout).toBe("1\n2\n2\n");
  });

  for (const line of ["find ok /tmp/no-such-dir-x -maxdepth 1; echo rc=$?", "ls ok nope; echo rc=$?"])
    test(`97. a missing folder: ${line}`, async () => {
      const plain = await expectSame("mkdir ok && touch ok/f", line);
      expect(plain.stderr).toContain("No such file or directory");
    });

  test("99. a linter that fails on warnings", async () => {
    const shown = await seen("eslint --max-warnings=0 .", {
      exit: 1,
      stdout:
        "/repo/a.js\n  1:1  warning  Unexpected console statement  no-console\n\n✖ 1 problem (0 errors, 1 warning)\n\nESLint found too many warnings (maximum: 0).\n",
    });
    expect(shown.code).toBe(1);
    expect(shown.text).toContain("ESLint found too many warnings (maximum: 0).");
    expect(shown.text).toContain("no-console");
  });
});

describe("J. hangs, streams, signals", () => {
  test.if(has("rg"))("109. rg searches the folder, or the pipe that it has", async () => {
    using sandbox = new Sandbox({ git: false });
    sandbox.write({ "a.txt": "foo\n" });
    const folder = await sandbox.exec(["bash", "-c", `timeout 5 '${BINARY}' run rg foo </dev/null; echo rc=$?`]);
    expect(folder.stdout).toContain("a.txt");
    const pipe = await sandbox.exec(["bash", "-c", `echo foo from pipe | '${BINARY}' run rg foo`]);
    expect(pipe.stdout).toBe("foo from pipe\n");
  });

  test("109. a program that reads a closed stdin ends", async () => {
    using sandbox = new Sandbox({ git: false });
    expect((await sandbox.exec(["bash", "-c", `timeout 5 '${BINARY}' run cat <&-; echo rc=$?`])).stdout).toMatch(
      /rc=[01]\n$/,
    );
  });

  test("111. nobody but the command reads stdin", async () => {
    using sandbox = new Sandbox({ git: false });
    sandbox.write({ in: "l1\nl2\nl3\n" });
    const line = `while read l; do echo "got $l"; '${BINARY}' run git --version >/dev/null; '${BINARY}' run sh -c 'echo x' >/dev/null; done < in`;
    expect((await sandbox.exec(["bash", "-c", line])).stdout).toBe("got l1\ngot l2\ngot l3\n");
  });

  test("111. stdin reaches the command byte for byte", async () => {
    using sandbox = new Sandbox({ git: false });
    const text = "a\nb\0c\xff\n";
    const plain = await sandbox.exec(["sha256sum"], { stdin: text });
    expect((await sandbox.run(["run", "sha256sum"], { stdin: text })).stdout).toBe(plain.stdout);
  });

  test("113. what was printed before a time-out is shown", async () => {
    using sandbox = new Sandbox({ git: false });
    const line = `timeout 5 '${BINARY}' run sh -c 'echo started; sleep 60'; echo rc=$?`;
    const { stdout } = await sandbox.exec(["bash", "-c", line]);
    expect(stdout).toContain("started\n");
    expect(stdout).toContain("stopped by SIGTERM");
    expect(stdout).toContain("rc=124");
  });

  test("113. also when the time-out is inside", async () => {
    const { plain, whole } = await plainAndOurs("true", "timeout 3 sh -c 'echo started; sleep 60'; echo rc=$?");
    expect(whole.stdout).toBe(plain.stdout);
  });

  test("113. a command that ignores the signal is waited for, its first lines are out", async () => {
    using sandbox = new Sandbox({ git: false });
    const line = `'${BINARY}' run sh -c 'trap "" TERM; echo started; touch ready; sleep 3; echo done; exit 5' & p=$!; while [ ! -e ready ]; do sleep 0.1; done; sleep 0.5; kill -TERM $p; wait $p; echo rc=$?`;
    const { stdout } = await sandbox.exec(["bash", "-c", line]);
    expect(stdout).toMatch(/started\n[\s\S]*stopped by SIGTERM[\s\S]*done\nrc=5\n/);
  });

  for (const reader of ["head -1", "true"])
    test(`115. the reader goes away: | ${reader}`, async () => {
      using sandbox = new Sandbox({ git: false });
      const line = `seq 1 200000 > big; '${BINARY}' run --raw cat big | ${reader}; '${BINARY}' run cat big | ${reader}`;
      const { stderr, stdout } = await sandbox.exec(["bash", "-c", line]);
      expect(stderr).toBe("");
      expect(stdout).toBe(reader === "true" ? "" : "1\n1\n");
    });

  for (const args of [
    ["run"],
    ["retrieve"],
    ["retrieve", "000000000000"],
    ["trust"],
    ["filter", "list"],
    ["filter", "active"],
    ["filter", "verify"],
    ["filter", "generate", "x"],
    ["filter", "record", "status"],
  ])
    test(`117. nobody is asked without a terminal: tokenix ${args.join(" ")}`, async () => {
      using sandbox = new Sandbox({ git: false });
      const result = await sandbox.run(args, { timeoutMs: 10_000 });
      expect(result.timedOut).toBe(false);
    });

  test("the process is waited for, not a pipe that a background child holds", async () => {
    using sandbox = new Sandbox({ git: false });
    const from = performance.now();
    const { stdout, code } = await sandbox.run(["run", "sh", "-c", "sleep 20 & echo done; exit 3"]);
    expect(stdout).toBe("done\n");
    expect(code).toBe(3);
    expect(performance.now() - from).toBeLessThan(15_000);
  });
});

describe("K. larger than before", () => {
  for (const [command, text] of [
    ["git status -sb", "## main\n M a.txt\n?? b.txt\n"],
    ["ls", "a\nb\n"],
    ["mytool", "x\n"],
  ] as const)
    test(`119. never longer than raw: ${command}`, async () => {
      for (const exit of [0, 1]) {
        const { stdout, stderr } = await seen(command, { stdout: text, exit });
        expect(stdout.length + stderr.length).toBeLessThanOrEqual(text.length);
      }
    });

  test("119. random outputs of every size are never longer, and never empty", async () => {
    using sandbox = new Sandbox({ git: false });
    let seed = 7;
    const random = () => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed / 0x7fffffff;
    };
    for (let round = 0; round < 25; round++) {
      const count = Math.floor(random() * 400);
      const text = Array.from({ length: count }, () =>
        "line word error 12:30:01 é ".slice(0, Math.floor(random() * 30)),
      ).join("\n");
      const env = stub(sandbox, "mytool", { stdout: text, exit: round % 3 });
      const { stdout, stderr } = await sandbox.exec([BINARY, "run", "mytool"], { env });
      expect(Buffer.byteLength(stdout + stderr)).toBeLessThanOrEqual(Buffer.byteLength(text));
      if (text.trim()) expect(stdout.trim()).not.toBe("");
    }
  });

  test("123. git show keeps id, subject and hunk", async () => {
    const text = `commit 1a2b3c4d
Author: A <a@b.c>
Date:   Mon Jan 5 10:00:00 2026 +0000

    one line

diff --git a/f b/f
--- a/f
+++ b/f
@@ -1 +1 @@
-a
+b
`;
    const { stdout } = await seen("git show", { stdout: text });
    for (const fact of ["1a2b3c4d", "one line", "-a\n", "+b\n"]) expect(stdout).toContain(fact);
    expect(stdout.length).toBeLessThanOrEqual(text.length);
  });
});

describe("M. a good run shown as a failing one", () => {
  test("129. a clean lint is clean", async () => {
    const shown = await seen("cargo clippy", {
      stderr:
        "    Checking thiserror v1.0.69\n    Checking error-codes v0.1.0 (/repo)\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 2.10s\n",
    });
    expect(shown.code).toBe(0);
    expect(shown.text).not.toMatch(/\b[1-9]\d* errors?\b/);
  });

  test("131. a module with the word errors in its path is no error", async () => {
    const shown = await seen("go build ./...", {
      stderr:
        "go: downloading github.com/pkg/errors v0.9.1\ngo: downloading github.com/hashicorp/go-multierror v1.1.1\n",
    });
    expect(shown.code).toBe(0);
    expect(shown.text).not.toMatch(/\b\d+ errors?\b/);
  });
});

test("101. with a home that can't be written to, the output still comes through", async () => {
  using sandbox = new Sandbox({ git: false });
  const raw = Array.from({ length: 20_000 }, (_, at) => `row ${at}\n`).join("");
  sandbox.write({ "big.txt": raw });
  writeFileSync(join(sandbox.base, "a-file"), "");
  const env = { TOKENIX_HOME: join(sandbox.base, "a-file", "home"), HOME: "" };
  const { stdout, stderr, code } = await sandbox.run(["run", "cat", "big.txt"], { env });
  expect(code).toBe(0);
  expect(stdout).toBe(raw);
  expect(stderr).toContain("could not be kept");
  expect(existsSync(join(sandbox.base, "a-file", "home"))).toBe(false);
  chmodSync(sandbox.base, 0o755);
});
