/** Faults that users of such tools have met at the hook: the command's meaning, exclusions, permissions, a broken house. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../src/agents/json.ts";
import { parseCommandLine } from "../../src/output/shell/index.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { allow, claudePayload, hook, rewritten } from "./hook-payloads.ts";

// A shared machine may be busy; nothing here is about time but where it says so.
setDefaultTimeout(60_000);

const box = new Sandbox();
afterAll(() => box[Symbol.dispose]());

/** The line with our prefix taken out again. */
function without(line: string): string {
  return line.replaceAll(`${BINARY} run `, "");
}

describe("the hook never changes what a command means", () => {
  const shapes: readonly [number: number, line: string][] = [
    [59, "npx cowsay hello && pnpm dlx x && bunx y"],
    [61, "cargo test\nls | head -1\necho hi > done.txt\ngit status &&\ngit log -1"],
    [63, "cd x && npm test && export A=1 && echo $A"],
    [65, 'echo "B: $(git rev-parse --abbrev-ref HEAD)"; V=`git log -1`'],
    [67, 'echo "✓ valid" || echo "✗ bad"; ls d/ | grep x; git diff'],
    [67, 'echo "日本語 🙂 é"; npm test'],
    [69, 'git commit -m "extract: 30 items"; make "a b"'],
    [71, "ls *.nope; git log --format=[%h] HEAD^ 'a?b'; cargo test 'a?b'"],
    [73, 'git commit -m "a -> b & c | d ^ %PATH%"; pytest -k "a -> b & c"'],
  ];
  for (const [number, line] of shapes)
    test(`fault ${number}: ${JSON.stringify(line)}`, async () => {
      const result = (await rewritten(box, line)) ?? line;
      expect(without(result)).toBe(line);
      const [before, after] = [parseCommandLine(line), parseCommandLine(result)];
      expect(after?.segments.map(({ operator }) => operator)).toEqual(
        before?.segments.map(({ operator }) => operator) ?? [],
      );
    });

  const untouched: readonly string[] = [
    "grep -rn foo . \\\n  | wc -l",
    "case $s in done) git log;; esac | wc -l",
    "time -p for i in 1 2; do git log -1; done | wc -l",
    "function f {\ngit log -1\n}\nf | wc -l",
    "for i in 1; do git log -1 # not yet; done\ndone | wc -l",
    "(cd sub && go test ./...; echo x) | wc -l",
    "cargo test > out.txt",
    "cargo test | tee log",
    "cargo test &",
    "cat <<EOF | cargo test\nx\nEOF",
    "eval cargo test",
    "exec cargo test",
    "ssh host cargo test",
    "npm run dev -- --watch",
    "gh auth login --web",
    "cargo test 'unclosed",
    "git log --format=%H",
    "npm test --json",
  ];
  for (const line of untouched)
    test(`left alone: ${JSON.stringify(line)}`, async () => {
      expect(await rewritten(box, line)).toBeUndefined();
    });

  test("fault 87: PowerShell's own commands are left alone, a program gets a PowerShell of its own", async () => {
    const become = async (command: string) => {
      const payload = claudePayload(box, { tool: "PowerShell", input: { command }, mode: "bypassPermissions" });
      const input = (await hook(box, payload)).output["updatedInput"];
      return isObject(input) ? input["command"] : undefined;
    };
    for (const line of [
      'Get-ChildItem -Recurse -Filter *.ts | Select-String "foo"; if ($LASTEXITCODE) { ls -Force }',
      "ls -Force",
      "cargo test | Out-Null",
      "$x = cargo test",
    ])
      expect([line, await become(line)]).toEqual([line, undefined]);
    expect(await become("cargo test")).toBe(`& '${BINARY}' run --shell pwsh 'cargo test'`);
  });

  test("a job that the agent itself puts into the background is left alone", async () => {
    const input = { command: "cargo test", run_in_background: true };
    const answer = await hook(box, claudePayload(box, { tool: "Bash", input, mode: "bypassPermissions" }));
    expect(answer).toMatchObject({ code: 0, stdout: "" });
  });

  test("a rewrite is not rewritten again", async () => {
    const once = await rewritten(box, "cargo test");
    expect(once).toBe(`${BINARY} run cargo test`);
    expect(await rewritten(box, once ?? "")).toBeUndefined();
  });
});

describe("settings that are accepted are applied", () => {
  test("fault 103: what is excluded is touched by nothing, on any path", async () => {
    using own = new Sandbox();
    own.write({ ".tokenix.toml": '[hook]\nexclude = ["head", "git diff", "cat", "cargo test"]\n' });
    const line = "head -50 f && git diff --stat && /bin/cat f && FOO=1 git diff && git -C x diff && cargo test";
    expect(await rewritten(own, line)).toBeUndefined();
    expect(await rewritten(own, "git log -3")).toBe(`${BINARY} run git log -3`);
    const response = { stdout: "same line\n".repeat(900), stderr: "", interrupted: false, isImage: false };
    for (const command of ["git diff", "git -C x diff --stat"]) {
      const answer = await hook(own, claudePayload(own, { tool: "Bash", input: { command }, response }), {
        door: "hook-post",
      });
      expect(answer.stdout).toBe("");
    }
  });

  test("only: nothing but what is named is touched", async () => {
    using own = new Sandbox();
    own.write({ ".tokenix.toml": '[hook]\nonly = ["cargo"]\n' });
    expect(await rewritten(own, "npm test")).toBeUndefined();
    expect(await rewritten(own, "cargo test")).toBe(`${BINARY} run cargo test`);
  });

  test("fault 105: a user's own filter is known to the hook", async () => {
    using own = new Sandbox();
    expect(await rewritten(own, "cd x && mytool build --all")).toBeUndefined();
    const filter = '[filters.mytool-build]\ndescription = "mine"\nmatch_command = "^mytool build"\nmax_lines = 5\n';
    mkdirSync(join(own.home, ".tokenix", "filters"), { recursive: true });
    writeFileSync(join(own.home, ".tokenix", "filters", "mytool.toml"), filter);
    expect(await rewritten(own, "cd x && mytool build --all")).toBe(`cd x && ${BINARY} run mytool build --all`);
    writeFileSync(join(own.home, ".tokenix", "filters", "mytool.toml"), filter.replace("max_lines", "max_lihnes"));
    expect(await rewritten(own, "cd x && mytool build --all")).toBeUndefined();
  });

  test("a filter that came with the repository is unknown until it is trusted", async () => {
    using own = new Sandbox();
    own.write({
      ".tokenix/filters/x.toml": '[filters.x]\ndescription = "x"\nmatch_command = "^mytool"\nmax_lines = 5\n',
    });
    expect(await rewritten(own, "mytool build")).toBeUndefined();
  });

  test("TOKENIX_DISABLED=1 before a command, or in the environment, switches everything off", async () => {
    expect(await rewritten(box, "TOKENIX_DISABLED=1 cargo test")).toBeUndefined();
    const payload = claudePayload(box, { tool: "Bash", input: { command: "cargo test" }, mode: "bypassPermissions" });
    expect((await hook(box, payload, { env: { TOKENIX_DISABLED: "1" } })).stdout).toBe("");
  });
});

describe("the user is asked, refused and allowed as without us", () => {
  test("fault 125: an allowed command is rewritten with 'allow', an unlisted one is left alone", async () => {
    using own = new Sandbox();
    expect(await rewritten(own, "cargo test -q", "default")).toBeUndefined();
    allow(own, { allow: ["Bash(cargo test:*)"] });
    const payload = claudePayload(own, { tool: "Bash", input: { command: "cargo test -q", description: "d" } });
    const { output } = await hook(own, payload);
    expect(output).toMatchObject({
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      updatedInput: { command: `${BINARY} run cargo test -q`, description: "d" },
    });
    expect(await rewritten(own, "cargo test -q && rm -rf /", "default")).toBeUndefined();
  });

  test("fault 127: a narrow rule covers no dangerous form", async () => {
    using own = new Sandbox();
    allow(own, { allow: ["Bash(docker run hello-world)", "Bash(docker build:*)"] });
    expect(await rewritten(own, "docker run -v /:/host img sh", "default")).toBeUndefined();
    expect(await rewritten(own, "docker build . && docker run -v /:/host img sh", "default")).toBeUndefined();
  });

  test("a denied command is never touched, not even where the mode asks nothing", async () => {
    using own = new Sandbox();
    allow(own, { allow: ["Bash"], deny: ["Bash(cargo test:*)"] });
    for (const mode of ["default", "bypassPermissions"]) {
      expect(await rewritten(own, "cargo test", mode)).toBeUndefined();
      expect(await rewritten(own, "git log -3", mode)).toBe(`${BINARY} run git log -3`);
    }
  });
});

describe("fault 101: a broken house lets the command run", () => {
  const payload = (own: Sandbox) => claudePayload(own, { tool: "Bash", input: { command: "git status" } });
  const post = (own: Sandbox) =>
    claudePayload(own, {
      tool: "Bash",
      input: { command: "git log" },
      response: { stdout: "commit x\n".repeat(500), stderr: "", interrupted: false, isImage: false },
    });

  test("with a home that can't be read or written", async () => {
    using own = new Sandbox();
    const home = join(own.home, ".tokenix");
    mkdirSync(home, { recursive: true });
    chmodSync(home, 0o000);
    try {
      expect(await hook(own, payload(own))).toMatchObject({ code: 0, stdout: "" });
      expect((await hook(own, post(own), { door: "hook-post" })).code).toBe(0);
    } finally {
      chmodSync(home, 0o700);
    }
  });

  test("with a file where the home should be", async () => {
    using own = new Sandbox();
    rmSync(join(own.home, ".tokenix"), { recursive: true, force: true });
    writeFileSync(join(own.home, ".tokenix"), "no folder");
    expect(await hook(own, payload(own))).toMatchObject({ code: 0, stdout: "" });
    expect((await hook(own, post(own), { door: "hook-post" })).code).toBe(0);
  });

  test("without HOME", async () => {
    using own = new Sandbox();
    const env = { HOME: undefined, USERPROFILE: undefined, TOKENIX_HOME: undefined };
    expect((await hook(own, payload(own), { env })).code).toBe(0);
  });

  test("with a configuration that is no TOML, or a named pipe", async () => {
    using own = new Sandbox();
    own.write({ ".tokenix.toml": "[hook\nread_min_lines = = 3" });
    expect(await rewritten(own, "cargo test")).toBe(`${BINARY} run cargo test`);
    if (process.platform === "win32") return;
    rmSync(own.path(".tokenix.toml"));
    await own.exec(["mkfifo", own.path(".tokenix.toml")]);
    expect((await hook(own, post(own), { door: "hook-post" })).code).toBe(0);
  });
});
