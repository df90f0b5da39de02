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

describe("kind G and I: settings, other shells, people", () => {
  test("87: PowerShell's own commands and pipes are left alone", () => {
    for (const line of [
      'Get-ChildItem -Recurse -Filter *.ts | Select-String "foo"; if ($LASTEXITCODE) { ls -Force }',
      "ls -Force",
      "cat a.txt",
      "diff a b",
      "curl https://example.test",
      "git log | Select-Object -First 3",
      "git diff > p.patch",
      "$x = git status",
      "git status; git diff",
      "git show $sha",
      "git commit -m @'\na\n'@",
      "& 'tokenix' run --shell pwsh 'git status'",
      "cargo test --% a",
      "git log `\n -1",
      "git commit -m “a b”",
    ]) {
      expect([line, rewrite(line, "pwsh")]).toEqual([line, undefined]);
    }
    const prefix = ["C:/Program Files/it's/tokenix.exe", "run"];
    expect(rewriteCommand("  cargo test 2>&1 ", { prefix, wants: () => true, dialect: "pwsh" })?.command).toBe(
      "  & 'C:/Program Files/it''s/tokenix.exe' run --shell pwsh 'cargo test 2>&1' ",
    );
    expect(rewrite("docker-compose ps", "pwsh")).toBe("& 'tokenix' run --shell pwsh 'docker-compose ps'");
  });

  test("cmd: its own commands, operators and carets are left alone", () => {
    for (const line of [
      "dir /s",
      "type a.txt",
      "git status && git diff",
      "git log | find",
      "git diff > p",
      "git log HEAD^^",
      "echo %PATH%",
      "(git status)",
      '"C:\\Program Files\\Git\\git.exe" status',
      'git commit -m "a \\"b\\""',
    ]) {
      expect([line, rewrite(line, "cmd")]).toEqual([line, undefined]);
    }
    expect(rewrite("cargo test 2>&1", "cmd")).toBe("tokenix run cargo test 2>&1");
  });

  test("103: what is switched off stays untouched, however it is called", () => {
    const options = { prefix: PREFIX, wants: () => true, exclude: ["head", "git  diff", "cat"] };
    const line =
      "head -50 f && git diff --stat && /bin/cat f && FOO=1 git diff && git -C x diff && sudo cat x && bash -c 'cat x'";
    expect(rewriteCommand(line, options)).toBeUndefined();
    expect(rewriteCommand("git difftool --help; headers x; git status", options)?.command).toBe(
      "git difftool --help; tokenix run headers x; tokenix run git status",
    );
  });

  test("105: a filter of the user's own is asked about like any other", () => {
    const wants = (candidates: readonly string[]) =>
      candidates.some((candidate) => /^mytool\s+build\b/.test(candidate));
    expect(rewriteCommand("cd x && mytool build --all; git status", { prefix: PREFIX, wants })?.command).toBe(
      "cd x && tokenix run mytool build --all; git status",
    );
  });

  test("107: sign-ins, editors, pagers, prompts and remote shells", () => {
    expectLeftAlone(
      "gh auth login --web",
      "npm login",
      "docker login registry.test",
      "aws sso login --profile x",
      "gcloud auth login",
      "vim a",
      "less a",
      "top",
      "ssh host uptime",
      "sudo -E vim a",
      "env X=1 less a",
      "psql",
      "psql mydb",
      "psql -hlocalhost mydb",
      "sqlite3 -csv a.db",
      "docker compose exec web bash",
      "docker compose exec -it web ls",
      "python",
      "python3 -i x.py",
      "node",
      "git rebase -i HEAD~3",
      "git commit",
      "git commit --amend",
      "git add -p",
      "docker run -it alpine sh",
      "docker run --rm -ti alpine",
      "docker exec -it c sh",
      "kubectl exec -it p -- sh",
      "apt-get install x",
      "terraform apply",
      "npm init",
      "bash",
      "sqlite3 a.db",
      "crontab -e",
    );
    expectWrapped("@psql -c 'select 1' mydb; @psql -Atc 'select 1'; @docker compose exec web pytest; @gh run list");
    expectWrapped("@python3 x.py; @python3 -c 'print(1)'; @node -e 1");
    expectWrapped("@git commit -m x; @git commit -am x; @git commit --amend --no-edit; @git rebase main");
    expectWrapped("@docker run --rm alpine ls; @docker exec c ls; @kubectl exec p -- ls");
    expectWrapped("@sqlite3 a.db 'select 1'; @apt-get install -y x; @terraform apply -auto-approve");
  });

  test("113: what does not end", () => {
    expectLeftAlone(
      "npm run dev",
      "npm start",
      "yarn dev",
      "pnpm --filter web run dev",
      "bun --hot x.ts",
      "npm test -- --watch",
      "npx vitest --watch",
      "npx tsc -w",
      "tail -f log",
      "tail -20f log",
      "tail --follow log",
      "journalctl -fu x",
      "docker compose up",
      "docker compose -f a.yml up web",
      "docker-compose up",
      "docker logs -f c",
      "kubectl logs -f p",
      "kubectl -n x get pods -w",
      "cargo watch -x test",
      "python -m http.server",
      "python manage.py runserver",
      "vite",
      "npx vite dev",
      "next dev",
      "ping host",
      "uv run uvicorn app:app",
      "watch ls",
      "nohup make",
    );
    expectWrapped(
      "@tail -n 5 log; @docker compose up -d; @docker logs c; @kubectl get pods; @npx vite build; @npm run build",
    );
    expectWrapped("@npx vitest run --watch=false; @ping -c 1 host; @uv run pytest -q; @python manage.py test");
  });

  test("wrapped once: a second pass finds nothing to do", () => {
    expectLeftAlone(
      "tokenix run git status",
      "/opt/x/tokenix run git status",
      "FOO=1 tokenix run git status 2>&1",
      "time tokenix run ls",
      "tokenix search foo",
      "sudo tokenix run ls",
      "bash -c 'tokenix run git status'",
    );
    expectWrapped("tokenix run git status; @git diff");
    const other = { prefix: ["/usr/local/bin/tkx", "run"], wants: () => true };
    expect(rewriteCommand("tkx run ls", other)).toBeUndefined();
  });
});

describe("where the prefix stands", () => {
  test("behind assignments, redirections and the keyword time; in front of programs that run programs", () => {
    expectWrapped("A=1 B='x y' @git status");
    expectWrapped("2>/dev/null @git status");
    expectWrapped("time @cargo build; time -p @cargo test");
    expectWrapped("@timeout 60 cargo test; @sudo -u x env A=1 nice -n 5 cargo test");
    expectWrapped("@bash -lc 'cd x && cargo test'");
    expectWrapped("source .venv/bin/activate && @pytest -q; set -euo pipefail; @make");
  });

  test("nowhere when another command of the line could change what is printed, or what a name means", () => {
    expectLeftAlone(
      "exec > out.txt; git status",
      "alias git=hub; git status",
      "eval x; git status",
      "set -x; git status",
      "shopt -s expand_aliases; git status",
      "git() { hub; }; git status",
      "server & git status",
      "cat <<E\nE\ngit status",
      "PATH=/x git status",
      "export PATH=/x:$PATH; git status",
    );
  });

  test("nowhere when the program is not known", () => {
    expectLeftAlone(
      "$CMD test",
      "~/bin/x",
      "g*t status",
      '"$x" y',
      "npx --unknown-option x",
      "sudo -i ls",
      "env -S 'a b'",
      "git --unknown status",
      'bash -c "$x"',
      "bash -lc 'git status; cargo test'",
      "bash -lc 'git status | wc -l'",
      "bash -lc 'git status > x'",
      "bash -lc 'vim x'",
      "command git status",
      "! git diff --quiet",
    );
  });

  test("nowhere when the program would have to inherit an open file of the shell", () => {
    expectLeftAlone(
      "diff <(echo abcd) <(echo abce)",
      "tar -cf >(gzip) x",
      "cat /dev/fd/3",
      "A=<(x) make",
      "bash -c 'diff <(a) <(b)'",
    );
  });

  test("nowhere when a variable set for the command would reach us too", () => {
    expectLeftAlone("TOKENIX_RAW=1 git status", "LD_PRELOAD=x git status", "HOME=/x npm i", "NODE_OPTIONS=x npm test");
    const absolute = { prefix: ["/opt/tokenix", "run"], wants: () => true };
    expect(rewriteCommand("PATH=/x:$PATH git status", absolute)?.command).toBe(
      "PATH=/x:$PATH /opt/tokenix run git status",
    );
  });

  test("and a caller that wants nothing gets nothing", () => {
    expect(rewriteCommand("git status", { prefix: PREFIX, wants: () => false })).toBeUndefined();
    expect(rewriteCommand("git status\0", { prefix: PREFIX, wants: () => true })).toBeUndefined();
    expect(rewriteCommand(`git status ${"x".repeat(70_000)}`, { prefix: PREFIX, wants: () => true })).toBeUndefined();
  });
});
