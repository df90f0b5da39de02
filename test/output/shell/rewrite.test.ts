import { describe, expect, test } from "bun:test";
import { type Dialect, rewriteCommand } from "../../../src/output/shell/index.ts";

const PREFIX = ["tokenix", "run"];

function rewrite(line: string, dialect: Dialect = "bash"): string | undefined {
  return rewriteCommand(line, { prefix: PREFIX, wants: () => true, dialect })?.command;
}

/** The line with `@` standing where the prefix must be. */
function expectWrapped(marked: string): void {
  expect(rewrite(marked.replaceAll("@", ""))).toBe(marked.replaceAll("@", "tokenix run "));
}

function expectLeftAlone(...lines: string[]): void {
  for (const line of lines) expect([line, rewrite(line)]).toEqual([line, undefined]);
}

describe("kind E: the hook never changes what a command means", () => {
  test("59: package runners stay the program that was asked for", () => {
    expectWrapped("@npx cowsay hello && @pnpm dlx x && @bunx y");
  });

  test("61: newlines between commands are kept, after an operator too", () => {
    expectWrapped("@cargo test\nls | head -1\necho hi > done.txt\n@git status &&\n@git log -1");
  });

  test("63: builtins run in the calling shell", () => {
    expectWrapped("cd x && @ls && export A=1 && echo $A");
    expectLeftAlone(
      "source env.sh",
      "set -e",
      "ulimit -n 10",
      "umask 022",
      "pushd x",
      "trap 'rm f' EXIT; ls",
      "jobs; ls",
    );
  });

  test("65: nothing is put inside a substitution", () => {
    expectLeftAlone('echo "B: $(git rev-parse --abbrev-ref HEAD)"; V=`git log -1`');
    expectWrapped("@git show $(git rev-parse HEAD) `git log -1 --oneline`");
  });

  test("67: text outside ASCII does not move the places of insertion", () => {
    expectWrapped('echo "✓ valid" || echo "✗ bad"; ls d/ | grep x; @git status');
    expectWrapped('echo "🙂👩‍👩‍👧" && @git status; echo 日本語テキスト; @git log é e\u0301');
  });

  test("69: a quoted word stays one word", () => {
    expectWrapped('@git commit -m "extract: 30 items"');
    expectWrapped('@find "a b" -type f');
  });

  test("71: what is added needs no expansion in any shell, and globs stay as they were written", () => {
    expectWrapped("@ls *.nope; git log --format=[%h] HEAD^ 'a?b'");
    expectWrapped("@ls *.nope; @git log --oneline HEAD^ 'a?b' [ab] {c,d}");
    const quoted = rewriteCommand("ls", { prefix: ["/opt/my tools/it's/tokenix", "run"], wants: () => true });
    expect(quoted?.command).toBe("'/opt/my tools/it'\\''s/tokenix' run ls");
  });

  test("73: operators inside quotes stay inside them, in each shell", () => {
    const line = 'git commit -m "a -> b & c | d ^ %PATH%"';
    expect(rewrite(line)).toBe(`tokenix run ${line}`);
    expect(rewrite(line, "cmd")).toBe(`tokenix run ${line}`);
    expect(rewrite(line, "pwsh")).toBeUndefined();
    expect(rewrite("git commit -m 'a -> b & c | d ^ %PATH%'", "pwsh")).toBe(
      "& 'tokenix' run --shell pwsh 'git commit -m ''a -> b & c | d ^ %PATH%'''",
    );
  });
});

describe("kind F: what a file or a program reads is not touched", () => {
  test("75: redirections into files", () => {
    expectLeftAlone(
      "head -825 t.txt > out.txt",
      "cat a >> b",
      "cat a 1> b",
      "cat a &> b",
      "cat a >| b",
      "head t | tee out.txt",
      "cat a | dd of=out.txt",
      "cat <t.txt >out.txt",
      "cat a 2> err.txt",
      "cat a 2>&1 > b",
    );
    expectWrapped("head -825 t.txt > out.txt; @cmp out.txt t.txt && echo same");
  });

  test("77: a patch stays a patch", () => {
    expectWrapped("git diff > p.patch; @git stash -q; @git apply p.patch && echo applied");
    expectLeftAlone("git format-patch --stdout HEAD~1", "git diff | git apply -R");
  });

  test("79: machine formats go through as they were", () => {
    expectLeftAlone(
      "gh api repos/o/r/issues/1 --jq .body",
      "gh pr list --json number,title",
      "gh pr view --template '{{.body}}'",
      "kubectl get pods -o json",
      "kubectl get pods -ojson",
      "kubectl get pods -o=yaml",
      "kubectl get pods -o jsonpath='{.items}'",
      "aws s3api list-buckets --output json",
      "git status --porcelain",
      "git status --porcelain=v2",
      "git ls-files -z",
      "docker ps --format '{{.Names}}'",
      "git log --format=%H",
      "git log --pretty=%H",
      "cargo build --message-format=json",
      "go test -json ./...",
      "eslint --format json src",
      "eslint -f json src",
      "find . -print0",
      "npm test -- --json",
      "npx tsc --noEmit --pretty false --json",
    );
  });

  test("81: a count after a pipe", () => {
    expectLeftAlone("grep -rn foo . | wc -l", "grep -rn foo . |& wc -l", "grep -rn foo . > out.txt");
  });

  test.each([
    ["grep -rn foo . \\\n  | wc -l"],
    ["case $s in done) git log;; esac | wc -l"],
    ["time -p for i in 1 2; do git log -1; done | wc -l"],
    ["function f {\ngit log -1\n}\nf | wc -l"],
    ["for i in 1; do git log -1 # not yet; done\ndone | wc -l"],
    ["(cd sub && go test ./...; echo x) | wc -l"],
  ])("85: a shape that defeats a scan for keywords comes back as it was: %s", (line) => {
    expectLeftAlone(line);
  });
});
