/** A command is rewritten only where the user's own rules, read for the original command, prove that nothing changes. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { claude } from "../../src/agents/dialects/claude.ts";
import { codex } from "../../src/agents/dialects/codex.ts";
import { gemini } from "../../src/agents/dialects/gemini.ts";
import type { JsonObject } from "../../src/agents/json.ts";
import { permissionsFor } from "../../src/agents/permissions/index.ts";
import { claudeRules } from "../../src/agents/permissions/settings.ts";
import type { CallOf, Dialect } from "../../src/agents/tool-call.ts";
import { parseCommandLine } from "../../src/output/shell/index.ts";

const base = mkdtempSync(join(tmpdir(), "tokenix-rules-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let count = 0;

interface Setup {
  readonly user?: unknown;
  readonly project?: unknown;
  readonly local?: unknown;
  readonly managed?: unknown;
  /** The folder that the user trusts; by default the project. */
  readonly trusted?: string | false;
  readonly mode?: string;
  readonly tool?: string;
  readonly input?: JsonObject;
  readonly dialect?: Dialect;
  readonly files?: Readonly<Record<string, string>>;
  /** Lines of the session's own record. */
  readonly record?: readonly unknown[];
}

async function judge(command: string, setup: Setup = {}): Promise<boolean> {
  const home = join(base, `home-${count++}`);
  const root = join(home, "project");
  const files: Record<string, string> = { ...setup.files };
  const rules = (value: unknown) => (typeof value === "string" ? value : JSON.stringify({ permissions: value }));
  if (setup.user !== undefined) files[".claude/settings.json"] = rules(setup.user);
  if (setup.project !== undefined) files["project/.claude/settings.json"] = rules(setup.project);
  if (setup.local !== undefined) files["project/.claude/settings.local.json"] = rules(setup.local);
  if (setup.managed !== undefined) files["managed/managed-settings.json"] = rules(setup.managed);
  const trusted = setup.trusted ?? "project";
  if (trusted !== false)
    files[".claude.json"] = JSON.stringify({ projects: { [join(home, trusted)]: { hasTrustDialogAccepted: true } } });
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const record = join(home, "record.jsonl");
  if (setup.record !== undefined) {
    const lines = setup.record.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry)));
    writeFileSync(record, `${lines.join("\n")}\n`);
  }
  const dialect = setup.dialect ?? claude;
  const call = dialect.decode(
    {
      session_id: "s",
      turn_id: "t",
      hook_event_name: "PreToolUse",
      permission_mode: setup.mode ?? "default",
      cwd: root,
      tool_name: setup.tool ?? "Bash",
      tool_input: { command, ...setup.input },
      tool_use_id: "call-1",
      ...(setup.record === undefined ? {} : { transcript_path: record }),
    },
    "pre",
  );
  const line = parseCommandLine(command, setup.tool === "PowerShell" ? "pwsh" : "bash");
  if (!line) return false;
  const deps = {
    env: { HOME: home, USERPROFILE: home, CLAUDE_PROJECT_DIR: root, CODEX_HOME: join(home, ".codex") },
    managedDirs: [join(home, "managed")],
    parent: process.pid,
  };
  const prefix = "/opt/bin/tokenix run";
  const verdict = await (await permissionsFor(call as CallOf<"shell">, deps)).judge(() => line, {
    command: `${prefix} ${command}`,
    prefix,
  });
  return verdict.may;
}

describe("without a rule", () => {
  test("nothing is rewritten, whatever the command", async () => {
    for (const command of ["npm test", "git status", "ls", "cargo build"]) expect(await judge(command)).toBe(false);
  });
  test("a mode that is unknown, missing, plan or auto proves nothing", async () => {
    for (const mode of ["plan", "auto", "", "somethingNew"])
      expect(await judge("npm test", { mode, user: { allow: ["Bash(npm test:*)"] } })).toBe(false);
  });
  test("bypassPermissions asks nothing", async () => {
    expect(await judge("npm test", { mode: "bypassPermissions" })).toBe(true);
  });
});

describe("a rule that refuses what the command would become", () => {
  for (const kind of ["deny", "ask"])
    for (const mode of ["default", "bypassPermissions"])
      test(`${kind}, in mode ${mode}: left alone, since the agent holds it against the rewritten text`, async () => {
        for (const rule of ["/opt/bin/tokenix:*", "/opt/*", "/opt/bin/tokenix run npm *", "/opt/bin/tokenix run*"]) {
          const user = { allow: ["Bash(npm:*)"], [kind]: [`Bash(${rule})`] };
          expect(`${rule}: ${await judge("npm test", { mode, user })}`).toBe(`${rule}: false`);
        }
        for (const rule of ["run:*", "tokenix:*", "opt *", "/opt/bin/tokenix run yarn *"]) {
          const user = { allow: ["Bash(npm:*)"], [kind]: [`Bash(${rule})`] };
          expect(`${rule}: ${await judge("npm test", { mode, user })}`).toBe(`${rule}: true`);
        }
      });
});

describe("an allow rule", () => {
  const rows: readonly [rule: string, command: string, may: boolean][] = [
    ["Bash", "npm test", true],
    ["Bash(*)", "npm test", true],
    ["Bash(npm test)", "npm test", true],
    ["Bash(npm test)", "npm test --watch", false],
    ["Bash(npm test:*)", "npm test", true],
    ["Bash(npm test:*)", "npm test -- --grep x", true],
    ["Bash(npm test:*)", "npm tests", false],
    ["Bash(npm run *)", "npm run", true],
    ["Bash(npm run *)", "npm run build", true],
    ["Bash(npm run *)", "npm running", false],
    ["Bash(npm run test*)", "npm run test:unit", true],
    ["Bash(git * main)", "git diff main", true],
    ["Bash(git * main)", "git diff mainline", false],
    ["Bash(* --version)", "node --version", true],
    ["Bash(git:* push)", "git push", false],
    ["Bash(npm\\ test)", "npm test", false],
    ["PowerShell(npm test:*)", "npm test", false],
    ["B*", "npm test", false],
    ["Bash(npm test:*", "npm test", false],
    ["Read", "npm test", false],
    ["Bash(grep:*)", "grep -rn x src", true],
    ["Bash(docker run hello-world)", "docker run -v /:/host img sh", false],
  ];
  for (const [rule, command, may] of rows)
    test(`${rule} ${may ? "covers" : "does not cover"} '${command}'`, async () => {
      expect(await judge(command, { user: { allow: [rule] } })).toBe(may);
    });

  test("counts from the project's, the local and the managed file", async () => {
    const allow = { allow: ["Bash(npm test:*)"] };
    expect(await judge("npm test", { project: allow })).toBe(true);
    expect(await judge("npm test", { local: allow })).toBe(true);
    // What a repository brings allows nothing before its user trusts that very folder; it may refuse at once.
    for (const trusted of [false, ".", "project/sub", "project-2"] as const) {
      expect(await judge("npm test", { project: allow, trusted })).toBe(false);
      expect(await judge("npm test", { local: allow, trusted })).toBe(false);
      expect(await judge("npm test", { user: allow, project: { deny: ["Bash(npm:*)"] }, trusted })).toBe(false);
      expect(await judge("npm test", { user: allow, trusted })).toBe(true);
    }
    expect(await judge("npm test", { local: allow })).toBe(true);
    expect(await judge("npm test", { managed: allow })).toBe(true);
  });
  test("of a user does not count where only managed rules do", async () => {
    const managed = JSON.stringify({ allowManagedPermissionRulesOnly: true });
    expect(await judge("npm test", { user: { allow: ["Bash"] }, managed })).toBe(false);
  });
  test("without a wildcard holds in auto mode too", async () => {
    expect(await judge("npm test", { mode: "auto", user: { allow: ["Bash(npm test)"] } })).toBe(true);
    expect(await judge("npm test", { mode: "dontAsk", user: { allow: ["Bash(npm test:*)"] } })).toBe(true);
    expect(await judge("npm test", { mode: "acceptEdits", user: { allow: ["Bash(npm test:*)"] } })).toBe(true);
  });
});

describe("a compound command", () => {
  const user = { allow: ["Bash(npm test:*)", "Bash(npm run build)"] };
  const rows: readonly [command: string, may: boolean][] = [
    ["npm run build && npm test", true],
    ["npm run build; npm test -- -x", true],
    ["npm test && rm -rf x", false],
    ["cd packages/a && npm test", false],
    ["git status && npm test", false],
    ["npm test | tail -5", false],
    ["npm test 2>&1", true],
    ["npm test 2>/dev/null", true],
    ["npm test > out.txt", false],
    ["FOO=1 npm test", false],
    ["npm test $(cat x)", false],
    ['npm test "$HOME"', false],
    ["npm test `id`", false],
    ["npm test *.js", false],
    ["for i in 1 2; do npm test; done", false],
    ["(npm test)", false],
    ["npm test &", false],
  ];
  for (const [command, may] of rows)
    test(`'${command}' is ${may ? "covered part by part" : "not provably covered"}`, async () => {
      const covered = await judge(command, { user });
      // A job in the background is left alone before permissions are asked at all.
      expect(command.endsWith("&") ? false : covered).toBe(may);
    });
});

describe("a deny or ask rule", () => {
  const rows: readonly [rule: string, command: string, hits: boolean][] = [
    ["Bash(npm test:*)", "npm test", true],
    ["Bash(npm test)", "npm test", true],
    ["Bash(npm *)", "npm test", true],
    ["Bash", "npm test", true],
    ["*", "npm test", true],
    ["B*", "npm test", true],
    ["Bash(rm:*)", "npm test && rm -rf x", true],
    ["Bash(rm:*)", "FOO=1 timeout 5 rm x; npm test", true],
    ["Bash(rm:*)", 'npm test "$(rm x)"', true],
    ["Bash(rm *)", "npm test", false],
    ["Bash(git push *)", "npm test", false],
    ["Bash(* --force)", "npm test", true],
    ["Bash(timeout:120000)", "npm test", true],
    ["Bash(run_in_background:true)", "npm test", false],
    ["PowerShell(npm *)", "npm test", false],
    ["mcp__*", "npm test", false],
    ["Read(./.env)", "npm test", false],
    ["Read(./.env)", "cat README.md && npm test", true],
    ["Bash(n\\pm)", "npm test", true],
  ];
  for (const [rule, command, hits] of rows)
    for (const list of ["deny", "ask"])
      for (const mode of ["default", "bypassPermissions"])
        test(`${list} ${rule} in ${mode}: '${command}' is ${hits ? "left alone" : "not concerned"}`, async () => {
          const user = { allow: ["Bash"], [list]: [rule] };
          expect(await judge(command, { user, mode, input: { timeout: 120000 } })).toBe(!hits);
        });

  test("counts from every file that there is", async () => {
    const deny = { deny: ["Bash(npm test:*)"] };
    const user = { allow: ["Bash"] };
    expect(await judge("npm test", { user, project: deny })).toBe(false);
    expect(await judge("npm test", { user, local: deny })).toBe(false);
    expect(await judge("npm test", { user, managed: deny })).toBe(false);
  });
});

test("a worktree is held to what was approved and refused in its main checkout", async () => {
  const main = join(base, "main-checkout");
  const worktree = join(base, "worktree");
  mkdirSync(join(main, ".git", "worktrees", "w"), { recursive: true });
  mkdirSync(join(main, ".claude"), { recursive: true });
  mkdirSync(join(worktree, ".claude"), { recursive: true });
  writeFileSync(join(main, ".git", "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(worktree, ".git"), `gitdir: ${join(main, ".git", "worktrees", "w")}\n`);
  writeFileSync(join(worktree, ".claude", "settings.json"), '{"permissions":{"allow":["Bash"]}}');
  const rules = () =>
    claudeRules({
      cwd: worktree,
      env: { HOME: base, USERPROFILE: base, CLAUDE_PROJECT_DIR: worktree },
      managedDirs: [],
    });
  expect((await rules()).refuse).toEqual([]);
  writeFileSync(join(main, ".claude", "settings.local.json"), '{"permissions":{"deny":["Bash(npm test:*)"]}}');
  expect((await rules()).refuse.map(({ source }) => source)).toEqual(["Bash(npm test:*)"]);
});

describe("a doubt", () => {
  const user = { allow: ["Bash"] };
  test("a settings file that can't be parsed leaves everything alone", async () => {
    expect(await judge("npm test", { user, local: "{ not json" })).toBe(false);
    expect(await judge("npm test", { user, managed: "[]" })).toBe(false);
  });
  test("a deny rule that can't be read does too", async () => {
    expect(await judge("npm test", { user: { allow: ["Bash"], deny: [{ tool: "Bash" }] } })).toBe(false);
    expect(await judge("npm test", { user: { allow: ["Bash"], deny: ["Bash(rm"] } })).toBe(false);
    expect(await judge("npm test", { user: { allow: ["Bash"], deny: "Bash(rm:*)" } })).toBe(false);
  });
  test("commands that leave the sandbox by name must keep their name", async () => {
    const project = JSON.stringify({ sandbox: { enabled: true, excludedCommands: ["docker *"] } });
    expect(await judge("npm test", { user, project })).toBe(false);
  });
  test("rules on the agent's own command line are not in the files", async () => {
    if (process.platform !== "linux") return;
    const agent = Bun.spawn(["sh", "-c", "read line", "claude", "--disallowedTools", "X"], { stdin: "pipe" });
    try {
      const { flagWithRules } = await import("../../src/agents/permissions/session-flags.ts");
      // Between fork and exec the process still has our own words.
      let flag = await flagWithRules(agent.pid);
      for (let n = 0; n < 200 && flag === undefined; n++) {
        await Bun.sleep(10);
        flag = await flagWithRules(agent.pid);
      }
      expect(flag).toBe("--disallowedTools");
    } finally {
      agent.kill();
    }
  });
});

describe("codex", () => {
  const context = (policy: unknown, turn = "t") => ({
    type: "turn_context",
    payload: { turn_id: turn, approval_policy: policy },
  });
  const asked = (input: object, id = "call-1", type = "function_call") => ({
    type: "response_item",
    payload: { type, call_id: id, name: "exec_command", arguments: JSON.stringify(input) },
  });
  const plain = asked({ cmd: "cargo test", workdir: "/srv", yield_time_ms: 1000 });
  const onRequest = [context("on-request"), plain];
  const free = { dialect: codex, mode: "bypassPermissions" };

  test("is rewritten in the mode that asks nothing, where no rule speaks of the program", async () => {
    expect(await judge("cargo test", free)).toBe(true);
    expect(await judge("git log", free)).toBe(true);
  });
  test("is rewritten where the session's record says that this very call runs without a question", async () => {
    expect(await judge("cargo test", { dialect: codex, record: onRequest })).toBe(true);
    const defaults = asked({ cmd: "cargo test", sandbox_permissions: "use_default", justification: null });
    expect(await judge("cargo test", { dialect: codex, record: [context("on-request"), defaults] })).toBe(true);
    // The newest policy of the turn is the one in force, and another turn's is none.
    const mixed = [context("untrusted", "other"), context("untrusted"), context("on-request"), plain, "{broken", ""];
    expect(await judge("cargo test", { dialect: codex, record: mixed })).toBe(true);
  });
  test("is left alone where a person may be asked, as the question would show the rewritten words", async () => {
    const records: readonly (readonly unknown[])[] = [
      [context("untrusted"), plain],
      [context("on-failure"), plain],
      [context({ granular: {} }), plain],
      [context("on-request", "other"), plain],
      [plain],
      [context("on-request")],
      [context("on-request"), asked({ cmd: "cargo test" }, "call-2")],
      [context("on-request"), asked({ input: "cargo test" }, "call-1", "custom_tool_call")],
      [context("on-request"), asked({ cmd: "cargo test", sandbox_permissions: "require_escalated" })],
      [context("on-request"), asked({ cmd: "cargo test", with_escalated_permissions: true })],
      [context("on-request"), asked({ cmd: "cargo test", justification: "May it?" })],
      [context("on-request"), asked({ cmd: "cargo test", something_new: 1 })],
      [context("on-request"), plain, context("untrusted")],
      ["no JSON at all"],
      [],
    ];
    for (const record of records) expect(await judge("cargo test", { dialect: codex, record })).toBe(false);
    expect(await judge("cargo test", { dialect: codex })).toBe(false);
  });
  test("a policy that stands before a long turn is found, and one out of reach is unknown", async () => {
    const filler = (kilobytes: number) =>
      Array.from({ length: kilobytes }, () =>
        JSON.stringify({ type: "event_msg", payload: { text: "x".repeat(1000) } }),
      );
    expect(await judge("cargo test", { dialect: codex, record: [context("on-request"), ...filler(600), plain] })).toBe(
      true,
    );
    expect(await judge("cargo test", { dialect: codex, record: [context("on-request"), ...filler(9000), plain] })).toBe(
      false,
    );
  });
  test("is left alone where Codex judges by names: harmless ones, and what deletes", async () => {
    expect(await judge("git status", { dialect: codex, record: onRequest })).toBe(false);
    for (const command of ["rm -rfv x", "cargo test; rm -rf x", "bash -c 'rm -f x'", "/bin/rm -rf x"])
      expect(await judge(command, free)).toBe(false);
    expect(await judge("docker run --rm img cargo-rm", free)).toBe(true);
  });
  test("is left alone where a rule file speaks of it, to forbid or to allow", async () => {
    const files = {
      ".codex/rules/default.rules": 'prefix_rule(pattern = ["cargo", "test"], decision = "forbidden")\n',
    };
    expect(await judge("cargo test", { ...free, files })).toBe(false);
    expect(await judge("cargo test", { dialect: codex, files, record: onRequest })).toBe(false);
    expect(await judge("npm test", { ...free, files })).toBe(true);
    const required = '[rules]\nprefix_rules = [{ pattern = [{ token = "cargo" }], decision = "forbidden" }]\n';
    for (const name of ["managed_config.toml", "cloud-config-bundle-cache.json"]) {
      const own = {
        [`.codex/${name}`]: name.endsWith("json") ? JSON.stringify({ toml: "x", token: "cargo" }) : required,
      };
      expect(await judge("cargo test", { ...free, files: own })).toBe(false);
      expect(await judge("npm test", { ...free, files: own })).toBe(true);
    }
  });
});

describe("gemini", () => {
  const free = { tools: { allowed: ["run_shell_command"] } };
  const own = (settings: unknown, more: Record<string, string> = {}) => ({
    dialect: gemini,
    files: { ".gemini/settings.json": JSON.stringify(settings), ...more },
  });

  test("is rewritten where the user's own settings allow the shell tool as a whole", async () => {
    expect(await judge("cargo test", own(free))).toBe(true);
    expect(await judge("cargo test", own({ tools: { allowed: ["ShellTool"] } }))).toBe(true);
    expect(await judge("cargo test", own({ tools: { allowed: ["run_shell_command(cargo)"] } }))).toBe(false);
    expect(await judge("cargo test", own({}))).toBe(false);
  });
  test("what came with the repository allows nothing, and may refuse", async () => {
    const project = { "project/.gemini/settings.json": JSON.stringify(free) };
    expect(await judge("cargo test", own({}, project))).toBe(false);
    const refuses = { "project/.gemini/settings.json": '{"tools":{"exclude":["run_shell_command(cargo)"]}}' };
    expect(await judge("cargo test", own(free, refuses))).toBe(false);
  });
  test("is left alone where anything else may refuse or ask", async () => {
    const more: readonly Record<string, string>[] = [
      { ".gemini/policies/mine.toml": "" },
      { "project/.gemini/policies/theirs.toml": "x" },
      { ".gemini/extensions/a/gemini-extension.json": '{"name":"a","excludeTools":["run_shell_command(cargo)"]}' },
      { ".gemini/extensions/a/policies/a.toml": "x" },
      { ".gemini/extensions/a/gemini-extension.json": "{broken" },
    ];
    for (const files of more) expect(await judge("cargo test", own(free, files))).toBe(false);
    const harmless = { ".gemini/extensions/a/gemini-extension.json": '{"name":"a"}' };
    expect(await judge("cargo test", own(free, harmless))).toBe(true);
    for (const key of ["policyPaths", "adminPolicyPaths", "excludeTools", "coreTools"])
      expect(await judge("cargo test", own({ ...free, [key]: ["x"] }))).toBe(false);
  });
});
