/** Claude Code, the real one: what the model is shown with us and without us. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { digestOf } from "../../../src/output/recall/store.ts";
import { breakages } from "../broken-binary.ts";
import { failingTests, failureLines, largeSource, notesServer, totals } from "../props.ts";
import type { Sandbox } from "../sandbox.ts";
import { connectAgain, isReady, once, type Played, play, playBoth, run, type Scene } from "../scene.ts";
import { canStandInFor, withEtc } from "../stand-in.ts";
import type { Step } from "../wire/types.ts";

const agent = "claude" as const;
const bash = (command: string, more: object = {}): Step => ({
  tool: "Bash",
  input: { command, description: "run", ...more },
});
const tools = ["--tools", "Bash,Read,Edit,Write,Grep,Glob"];
const settings = (sandbox: Sandbox, value: object): void => {
  sandbox.write("home/.claude/settings.json", JSON.stringify(value, null, 2));
};

describe.skipIf(!isReady(agent))("Claude Code", () => {
  test("a failing test run keeps its failures and loses its noise", async () => {
    const { alone, connected } = await playBoth({
      agent,
      prepare(sandbox) {
        failingTests(sandbox);
        settings(sandbox, { permissions: { allow: ["Bash(cargo test:*)"] } });
      },
      script: () => [bash("cargo test")],
    });
    const [before = "", after = ""] = [alone.shown[0], connected.shown[0]];
    for (const line of [...failureLines, totals, "Exit code 101"]) {
      expect(after).toContain(line);
    }
    expect(after.length).toBeLessThan(before.length / 2);
    expect(connected.results[0]?.isError).toBe(true);
    expect([alone.asked, connected.asked]).toEqual([[], []]);
  });

  test("a long output of a command that went well is shortened behind the agent's back", async () => {
    const { alone, connected } = await playBoth({
      agent,
      prepare(sandbox) {
        const lines = [
          ...Array<string>(400).fill("waiting for the database to accept connections"),
          "seeded 12 tables",
        ];
        sandbox.tool("seed-data", `#!/bin/bash\ncat <<'OUT'\n${lines.join("\n")}\nOUT\n`);
        settings(sandbox, { permissions: { allow: ["Bash(seed-data)"] } });
      },
      script: () => [bash("seed-data")],
    });
    expect(connected.shown[0]).toContain("seeded 12 tables");
    expect(connected.shown[0]?.length ?? 0).toBeLessThan((alone.shown[0]?.length ?? 0) / 2);
    expect(connected.results[0]?.isError).toBe(false);
  });

  test("what was left out is fetched whole by the command that the model was told, and not shortened again", async () => {
    const stdout = `${"waiting for the database to accept connections\n".repeat(400)}seeded 12 tables`;
    const key = digestOf(Buffer.from(stdout));
    const connected = await play(
      {
        agent,
        args: ["--permission-mode", "bypassPermissions"],
        prepare: (sandbox) => sandbox.tool("seed-data", `#!/bin/bash\ncat <<'OUT'\n${stdout}\nOUT\n`),
        script: () => [bash("seed-data"), bash(`tokenix retrieve ${key}`), bash(`tokenix retrieve ${key} --tail 2`)],
      },
      { connected: true },
    );
    expect(connected.shown[0]).toContain(`retrieve ${key}`);
    expect(connected.shown[0]?.length ?? 0).toBeLessThan(stdout.length / 4);
    expect(connected.shown[1]).toBe(stdout);
    expect(connected.shown[2]).toContain("seeded 12 tables");
  });

  test("an output that the agent itself puts into a file costs no more with us", async () => {
    const { alone, connected } = await playBoth({
      agent,
      prepare(sandbox) {
        sandbox.tool(
          "noise",
          '#!/bin/bash\nfor i in $(seq 1 1500); do echo "line $i of a long and varied output $((i * 7919 % 1000))"; done\n',
        );
        settings(sandbox, { permissions: { allow: ["Bash(noise)"] } });
      },
      script: () => [bash("noise")],
    });
    expect(connected.shown[0]?.length ?? 0).toBeLessThanOrEqual((alone.shown[0]?.length ?? 0) + 200);
  });

  test("a big file is answered by its outline, an Edit of it works, and the second Read gets all of it", async () => {
    const scene = {
      agent,
      args: tools,
      isIndexed: true,
      answer: "allow" as const,
      prepare: largeSource,
      script: (sandbox: Sandbox) => {
        const file_path = join(sandbox.project, "src", "billing.ts");
        return [
          { tool: "Read", input: { file_path } },
          { tool: "Edit", input: { file_path, old_string: "500 * 2 ** attempt", new_string: "900 * 2 ** attempt" } },
          { tool: "Read", input: { file_path } },
        ];
      },
    };
    const { alone, connected } = await playBoth(scene);
    const [outline = "", edited = "", whole = ""] = connected.shown;
    expect(outline).toContain("retryFailedUpload");
    expect(outline).not.toContain("const part6");
    expect(outline.length).toBeLessThan((alone.shown[0]?.length ?? 0) / 2);
    expect(connected.results[0]?.isError).toBe(false);
    expect(edited).toBe(alone.shown[1] ?? "");
    expect(connected.read("project/src/billing.ts")).toContain("900 * 2 ** attempt");
    expect(whole).toContain("const part6");
    expect(whole).toBe(alone.shown[2] ?? "");
  });

  test("the second Read of a file that did not change gets the whole file too", async () => {
    const connected = await play(
      {
        agent,
        args: tools,
        isIndexed: true,
        prepare: largeSource,
        script: (sandbox) => {
          const read: Step = { tool: "Read", input: { file_path: join(sandbox.project, "src", "billing.ts") } };
          return [read, read];
        },
      },
      { connected: true },
    );
    expect(connected.shown[0]).not.toContain("const part6");
    expect(connected.shown[1]).toContain("const part6");
  });

  test("a search that finds nothing is answered by meaning, and one that finds something is left alone", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: tools,
      isIndexed: true,
      prepare: largeSource,
      script: () => [
        { tool: "Grep", input: { pattern: "where are failed uploads sent again" } },
        { tool: "Grep", input: { pattern: "billingStep1\\b", output_mode: "content" } },
      ],
    });
    expect(alone.shown[0]).toContain("No files found");
    expect(connected.shown[0]).toContain("retryFailedUpload");
    expect(connected.results[0]?.isError).toBe(false);
    expect(connected.shown[1]).toBe(alone.shown[1] ?? "");
  });

  test("a search for a name that stands nowhere is answered by the near one, and one without a limit gets one", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: tools,
      isIndexed: true,
      prepare(sandbox) {
        largeSource(sandbox);
        const lines = Array.from({ length: 240 }, (_, i) => `const tariff${i} = ${i};`);
        sandbox.write("project/src/tariffs.ts", `${lines.join("\n")}\n`);
      },
      script: () => [
        { tool: "Grep", input: { pattern: "retryFailedUplod" } },
        { tool: "Grep", input: { pattern: "tariff", output_mode: "content", path: "src/tariffs.ts" } },
        { tool: "Grep", input: { pattern: "tariff", output_mode: "content", path: "src/tariffs.ts", head_limit: 150 } },
      ],
    });
    expect(alone.shown[0]).toContain("No files found");
    expect(connected.shown[0]).toContain("retryFailedUpload");
    expect(connected.results[0]?.isError).toBe(false);
    expect(connected.shown[1]?.match(/const tariff/g)?.length).toBe(100);
    expect(alone.shown[1]?.match(/const tariff/g)?.length).toBeGreaterThan(100);
    expect(connected.shown[2]).toBe(alone.shown[2] ?? "");
  });

  test("a long listing of files is told by folder, and an MCP server's long answer is shortened", async () => {
    const { alone, connected } = await playBoth({
      agent,
      env: { ENABLE_TOOL_SEARCH: "false" },
      args: ["--permission-mode", "bypassPermissions", "--tools", "Bash,Read,Grep,Glob"],
      prepare(sandbox) {
        for (let i = 0; i < 90; i++) sandbox.write(`project/src/modules/billing/part${i}.ts`, "");
        const server = notesServer(sandbox);
        sandbox.write("home/mcp.json", JSON.stringify({ mcpServers: { notes: { command: server } } }));
      },
      settle: (sandbox) => ["--mcp-config", join(sandbox.home, "mcp.json")],
      script: () => [
        { tool: "Glob", input: { pattern: "src/**/*.ts" } },
        { tool: "mcp__notes__list", input: {} },
      ],
    });
    expect(connected.shown[0]).toContain("part89.ts");
    expect(connected.shown[0]?.length ?? 0).toBeLessThan((alone.shown[0]?.length ?? 0) * 0.7);
    expect(alone.shown[1]).toContain("last note");
    expect(connected.shown[1]).toContain("last note");
    expect(connected.shown[1]?.length ?? 0).toBeLessThan((alone.shown[1]?.length ?? 0) / 2);
  });

  test("without an index, with a damaged one and with a broken configuration the session is as it was", async () => {
    for (const isIndexed of [false, true]) {
      const { alone, connected } = await playBoth({
        agent,
        args: tools,
        isIndexed,
        prepare: largeSource,
        spoil(sandbox) {
          sandbox.write("project/.tokenix.toml", "[hook\nread_min_lines = = 3");
          for (const name of new Bun.Glob("indexes/*.db").scanSync({ cwd: join(sandbox.home, ".tokenix") }))
            sandbox.write(`home/.tokenix/${name}`, "this is no database");
        },
        script: (sandbox) => [
          { tool: "Read", input: { file_path: join(sandbox.project, "src", "billing.ts") } },
          { tool: "Grep", input: { pattern: "where are failed uploads sent again" } },
        ],
      });
      expect(connected.shown).toEqual(alone.shown);
    }
  });

  test("a disk that never answers costs the hook's own time, and the session goes on", async () => {
    const stdout = `${"waiting for the database\n".repeat(400)}seeded 12 tables`;
    const { alone, connected } = await playBoth({
      agent,
      args: ["--permission-mode", "bypassPermissions"],
      prepare: (sandbox) => sandbox.tool("seed-data", `#!/bin/bash\ncat <<'OUT'\n${stdout}\nOUT\n`),
      spoil(sandbox) {
        const kept = join(sandbox.home, ".tokenix", "stash", `${digestOf(Buffer.from(stdout))}.raw`);
        sandbox.write("home/.tokenix/stash/.keep", "");
        // Writing to a pipe that nobody reads blocks for ever, as a dead network disk does.
        Bun.spawnSync(["mkfifo", kept]);
      },
      script: () => [bash("seed-data"), bash("echo two")],
    });
    expect(connected.shown).toEqual(alone.shown);
    expect(connected.code).toBe(0);
  });

  test("a file that the agent refuses for its size is refused, and its outline goes with it", async () => {
    const scene: Scene = {
      agent,
      args: tools,
      isIndexed: true,
      prepare: (sandbox) => largeSource(sandbox, 900),
      script: (sandbox) => [{ tool: "Read", input: { file_path: join(sandbox.project, "src", "billing.ts") } }],
    };
    const { alone, connected } = await playBoth(scene);
    expect(connected.results[0]?.isError).toBe(true);
    expect(connected.shown[0]).toBe(alone.shown[0] ?? "");
    const seen = (played: Played): string => JSON.stringify(played.requests.at(-1)?.body);
    expect(seen(alone)).not.toContain("function billingStep12");
    // In the part that is shown, not in a file that the agent points to.
    expect(seen(connected)).toContain("function billingStep60");
  });

  test("a credential in an output is masked on its way to the model", async () => {
    const secret = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;
    const { alone, connected } = await playBoth({
      agent,
      args: [...tools, "--permission-mode", "bypassPermissions"],
      prepare: (sandbox) => sandbox.write("project/notes.txt", `token: ${secret}\n`),
      script: (sandbox) => [
        bash("cat notes.txt"),
        { tool: "Read", input: { file_path: join(sandbox.project, "notes.txt") } },
        { tool: "Grep", input: { pattern: "token", output_mode: "content" } },
      ],
    });
    for (const shown of alone.shown) expect(shown).toContain(secret);
    for (const shown of connected.shown) {
      expect(shown).not.toContain(secret);
      expect(shown).toContain("token");
    }
  });

  test("what the project's configuration excludes is left alone before and after", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: [...tools, "--permission-mode", "bypassPermissions"],
      isIndexed: true,
      prepare(sandbox) {
        failingTests(sandbox);
        largeSource(sandbox);
        sandbox.write("project/.tokenix.toml", '[hook]\nexclude = ["cargo test", "Read"]\n');
      },
      script: (sandbox) => [
        bash("cargo test"),
        { tool: "Read", input: { file_path: join(sandbox.project, "src", "billing.ts") } },
      ],
    });
    expect(connected.shown).toEqual(alone.shown);
  });

  test("lines that other tools have broken mean what they meant", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: ["--permission-mode", "bypassPermissions"],
      prepare: failingTests,
      script: () => [
        bash("printf 'one\\n'\nprintf 'two\\n' | head -1\necho hi > done.txt\ncat done.txt &&\necho end"),
        bash('echo "✓ valid" || echo "✗ bad"; printf "日本語🙂é\\n" | cat'),
        bash(
          "git init -q r && cd r && git commit -q --allow-empty -m 'a -> b & c | d ^ %PATH%' && git log -1 --format=%s",
        ),
        bash('B="$(git -C r rev-parse --abbrev-ref HEAD)"; V=`echo x`; echo "$B $V"'),
        bash("for i in 1 2; do echo $i; done | wc -l; case x in x) echo case;; esac"),
        bash("f() { cargo test; }; f | wc -l; (cargo test; echo x) | wc -l"),
        bash("if cargo test > /dev/null; then echo yes; else echo no $?; fi"),
        bash("cargo test > /dev/null || echo failed with $?"),
      ],
    });
    expect(connected.shown).toEqual(alone.shown);
  });

  test("after a session, removal leaves every settings file as it was", async () => {
    const text = '{\n\t// mine\n\t"permissions": { "allow": ["Bash(echo:*)"] },\n}\n';
    const connected = await play(
      {
        agent,
        prepare: (sandbox) =>
          sandbox.write("home/.claude/settings.json", text.replace("\t// mine\n", "").replace("},\n}", "}\n}")),
        script: () => [bash("echo one")],
        after: (sandbox) => run(sandbox, ["tokenix", "remove-hook", "--tool", "all"]),
      },
      { connected: true },
    );
    expect(connected.shown[0]).toBe("one");
    expect(connected.read("home/.claude/settings.json")).toBe('{\n\t"permissions": { "allow": ["Bash(echo:*)"] }\n}\n');
  });

  describe("the same prompt, refusal and permission", () => {
    interface Kind {
      readonly rule: string;
      /** Under `permissions`, by who wrote the file. */
      readonly user?: object;
      readonly project?: object;
      readonly local?: object;
      readonly managed?: object;
      /** The user has said that they trust this folder. */
      readonly isTrusted?: boolean;
      /** `settings.local.json` came with the repository. */
      readonly isTracked?: boolean;
      readonly args?: readonly string[];
      /** A rule, or the mode, lets the plain command run: then it is run behind us. */
      readonly isShortened?: boolean;
      /** The plain command is refused without us: otherwise a deny rule that nobody obeys would prove nothing. */
      readonly isRefused?: boolean;
    }
    const bypass = ["--permission-mode", "bypassPermissions"];
    const kinds: readonly Kind[] = [
      { rule: "no rule at all", isRefused: true },
      { rule: "an exact allow", isShortened: true, user: { allow: ["Bash(cargo test)"] } },
      { rule: "an allow by prefix", isShortened: true, user: { allow: ["Bash(cargo test:*)"] } },
      { rule: "an allow by prefix that ends inside a word", isRefused: true, user: { allow: ["Bash(cargo te:*)"] } },
      { rule: "an allow by pattern", isShortened: true, user: { allow: ["Bash(cargo *)"] } },
      { rule: "an allow by a star in the middle", isShortened: true, user: { allow: ["Bash(c*o test)"] } },
      { rule: "an allow of the whole tool", isShortened: true, user: { allow: ["Bash"] } },
      { rule: "an allow of the wrapped forms alone", isRefused: true, user: { allow: ["Bash(env A=1 cargo test)"] } },
      { rule: "an allow and a deny", isRefused: true, user: { allow: ["Bash"], deny: ["Bash(cargo test:*)"] } },
      { rule: "an exact deny", isRefused: true, user: { allow: ["Bash(cargo test:*)"], deny: ["Bash(cargo test)"] } },
      { rule: "a deny by pattern", isRefused: true, user: { allow: ["Bash"], deny: ["Bash(car* test)"] } },
      { rule: "an ask", isRefused: true, user: { allow: ["Bash"], ask: ["Bash(cargo test:*)"] } },
      { rule: "an exact ask", isRefused: true, user: { allow: ["Bash(cargo *)"], ask: ["Bash(cargo test)"] } },
      { rule: "a deny of the whole tool", isRefused: true, user: { deny: ["Bash"] } },
      {
        rule: "an allow of the project's in a folder that is trusted",
        isShortened: true,
        project: { allow: ["Bash(cargo test:*)"] },
        isTrusted: true,
      },
      {
        rule: "an allow of the project's in a folder that nobody trusts",
        isRefused: true,
        project: { allow: ["Bash(cargo test:*)"] },
      },
      {
        rule: "an allow of the user's own for a project that is trusted",
        isShortened: true,
        local: { allow: ["Bash(cargo test:*)"] },
        isTrusted: true,
      },
      { rule: "an allow of the user's own for a project that nobody trusts", local: { allow: ["Bash(cargo test:*)"] } },
      {
        rule: "an allow of local settings that came with the repository",
        isRefused: true,
        local: { allow: ["Bash(cargo test:*)"] },
        isTracked: true,
      },
      {
        rule: "an allow of the user's and a deny of the project's",
        isRefused: true,
        user: { allow: ["Bash(cargo test:*)"] },
        project: { deny: ["Bash(cargo test:*)"] },
      },
      {
        rule: "an allow of the user's and an ask of the local settings",
        isRefused: true,
        user: { allow: ["Bash(cargo test:*)"] },
        local: { ask: ["Bash(cargo test:*)"] },
      },
      {
        rule: "an allow of the user's and a deny of the organisation's",
        isRefused: true,
        user: { allow: ["Bash(cargo test:*)"] },
        managed: { permissions: { deny: ["Bash(cargo test:*)"] } },
      },
      {
        rule: "an allow of the organisation's",
        isShortened: true,
        managed: { permissions: { allow: ["Bash(cargo test:*)"] } },
      },
      {
        rule: "an allow of the user's where only the organisation's count",
        isRefused: true,
        user: { allow: ["Bash(cargo test:*)"] },
        managed: { allowManagedPermissionRulesOnly: true },
      },
      { rule: "the mode that asks nothing", isShortened: true, args: bypass },
      {
        rule: "the mode that asks nothing, with a deny",
        isRefused: true,
        user: { deny: ["Bash(cargo test:*)"] },
        args: bypass,
      },
      { rule: "the mode that asks nothing, with an ask", user: { ask: ["Bash(cargo test:*)"] }, args: bypass },
      { rule: "the mode that refuses what it would ask", isRefused: true, args: ["--permission-mode", "dontAsk"] },
      {
        rule: "the mode that refuses what it would ask, with an allow",
        isShortened: true,
        user: { allow: ["Bash(cargo test:*)"] },
        args: ["--permission-mode", "dontAsk"],
      },
      {
        rule: "the mode that takes edits, with an allow",
        isShortened: true,
        user: { allow: ["Bash(cargo test:*)"] },
        args: ["--permission-mode", "acceptEdits"],
      },
      { rule: "the mode that plans", user: { allow: ["Bash(cargo test:*)"] }, args: ["--permission-mode", "plan"] },
      {
        rule: "a deny on the command line",
        isRefused: true,
        user: { allow: ["Bash(cargo test:*)"] },
        args: ["--disallowedTools", "Bash(cargo test:*)"],
      },
      { rule: "an allow on the command line", args: ["--allowedTools", "Bash(cargo test:*)"] },
      {
        rule: "a deny in settings on the command line",
        isRefused: true,
        user: { allow: ["Bash(cargo test:*)"] },
        args: ["--settings", '{"permissions":{"deny":["Bash(cargo test:*)"]}}'],
      },
    ];
    for (const kind of kinds) {
      const isPossible = kind.managed === undefined || canStandInFor("/etc");
      test.skipIf(!isPossible)(kind.rule, async () => {
        const { alone, connected } = await playBoth({
          agent,
          args: kind.args,
          answer: "deny",
          behind: (sandbox) =>
            kind.managed === undefined
              ? []
              : withEtc(sandbox, { "claude-code/managed-settings.json": JSON.stringify(kind.managed) }),
          prepare(sandbox) {
            failingTests(sandbox);
            sandbox.tool("sudo", '#!/bin/bash\nexec "$@"\n');
            settings(sandbox, kind.user === undefined ? {} : { permissions: kind.user });
            const write = (name: string, permissions: object | undefined): void => {
              if (permissions !== undefined) sandbox.write(`project/.claude/${name}`, JSON.stringify({ permissions }));
            };
            write("settings.json", kind.project);
            write("settings.local.json", kind.local);
            const projects = { [sandbox.project]: { hasTrustDialogAccepted: true } };
            if (kind.isTrusted === true) sandbox.write("home/.claude.json", JSON.stringify({ projects }));
            if (kind.isTracked !== true) return;
            for (const words of [
              ["init", "-q"],
              ["add", "-f", "."],
            ])
              Bun.spawnSync(["git", ...words], { cwd: sandbox.project, env: sandbox.env });
          },
          // One command alone, as a part of a line (each part is judged on its own), and behind what stands before it.
          script: () => [
            bash("cargo test"),
            bash("cd . && cargo test"),
            bash("cargo test; touch made.txt"),
            bash("env A=1 cargo test"),
            bash("A=1 cargo test"),
            bash("timeout 60 cargo test"),
            bash("sudo cargo test"),
            bash("cargo test 2>&1 | tail -3"),
            bash("bash -c 'cargo test'"),
          ],
        });
        expect(connected.asked).toEqual(alone.asked);
        expect(connected.shown.map(fate)).toEqual(alone.shown.map(fate));
        expect(connected.read("project/made.txt")).toBe(alone.read("project/made.txt"));
        // Where a rule proves it, the call was rewritten: otherwise the lines above would say nothing.
        if (kind.isShortened === true) expect(lengthOf(connected, 0)).toBeLessThan(lengthOf(alone, 0) / 2);
        if (kind.isRefused === true) expect(fate(alone.shown[0] ?? "")).not.toBe("ran");
      });
    }

    test("rules about folders are held against commands that name them", async () => {
      const { alone, connected } = await playBoth({
        agent,
        answer: "deny",
        prepare(sandbox) {
          failingTests(sandbox);
          sandbox.write("project/secrets/a.txt", "the secret\n");
          sandbox.write("home/outside/b.txt", "outside\n");
          const deny = ["Read(./secrets/**)", "Edit(./secrets/**)"];
          settings(sandbox, { permissions: { allow: ["Bash(cargo test:*)", "Bash(cat:*)", "Bash(find:*)"], deny } });
        },
        script: (sandbox) => [
          bash("cat secrets/a.txt"),
          bash("find secrets -type f"),
          bash("cargo test && cat secrets/a.txt"),
          bash("cd secrets && cargo test"),
          bash("cargo test > secrets/out.txt"),
          bash("cargo test < secrets/a.txt"),
          bash(`cd ${sandbox.home}/outside && cargo test`),
          bash(`find ${sandbox.home}/outside`),
          { tool: "Read", input: { file_path: join(sandbox.project, "secrets", "a.txt") } },
        ],
      });
      expect(connected.asked).toEqual(alone.asked);
      expect(connected.shown.map(fate)).toEqual(alone.shown.map(fate));
      expect(fate(alone.shown[0] ?? "")).toBe("denied");
      expect(connected.read("project/secrets/out.txt")).toBe(alone.read("project/secrets/out.txt"));
    });

    test("a person who is asked and says yes gets the very command that was shown", async () => {
      const { alone, connected } = await playBoth({
        agent,
        answer: "allow",
        prepare: failingTests,
        script: () => [bash("cargo test"), bash("cd . && cargo test"), bash("touch made.txt")],
      });
      expect(alone.asked.length).toBeGreaterThanOrEqual(2);
      expect(connected.asked).toEqual(alone.asked);
      expect(connected.shown).toEqual(alone.shown);
      expect(connected.read("project/made.txt")).toBe("");
    });
  });

  test("heredocs, pipes, redirections, substitutions and background jobs run as they were written", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: ["--permission-mode", "bypassPermissions"],
      prepare: failingTests,
      script: () => [
        bash("cat <<'EOF'\ncargo test\n$HOME\nEOF"),
        bash("cargo test | wc -l"),
        bash("cargo test > out.txt; wc -c < out.txt"),
        bash('echo "lines: $(cargo test | wc -l)"'),
        bash("cargo test > bg.txt 2>&1 & wait; wc -c < bg.txt"),
      ],
    });
    expect(connected.shown).toEqual(alone.shown);
    expect(connected.read("project/out.txt")).toBe(alone.read("project/out.txt"));
  });

  test("a hook that is loaded twice does its work once", async () => {
    const scene: Scene = {
      agent,
      args: ["--permission-mode", "bypassPermissions"],
      prepare: failingTests,
      script: () => [bash("cargo test")],
    };
    const connected = await play(scene, { connected: true });
    const twice = await play(
      { ...scene, spoil: (sandbox) => connectAgain(sandbox, "claude-code") },
      { connected: true },
    );
    expect(twice.shown.map(withoutNames)).toEqual(connected.shown.map(withoutNames));
  });

  test("a background job that the agent starts itself is left alone", async () => {
    const scene = {
      agent,
      args: ["--permission-mode", "bypassPermissions"],
      prepare: failingTests,
      script: () => [bash("cargo test > made.txt", { run_in_background: true }), bash("sleep 1; wc -c < made.txt")],
    };
    const { alone, connected } = await playBoth(scene);
    expect(connected.shown[1]).toBe(alone.shown[1] ?? "");
  });

  const broken = breakages((sandbox) => {
    const path = "home/.claude/settings.json";
    sandbox.write(path, sandbox.read(path).replaceAll('"timeout": 10', '"timeout": 1'));
  });
  const plain: Scene = {
    agent,
    prepare(sandbox) {
      settings(sandbox, { permissions: { allow: ["Bash(echo:*)"], deny: ["Bash(touch:*)"] } });
    },
    script: () => [bash("echo one"), bash("touch made.txt"), bash("echo two")],
  };
  const alone = once(() => play(plain, { connected: false }));
  for (const { name, spoil } of broken) {
    test(`a hook that ${name} leaves the session as it was`, async () => {
      const connected = await play({ ...plain, spoil }, { connected: true });
      expect(connected.shown).toEqual((await alone()).shown);
      expect(connected.shown.length).toBeGreaterThan(0);
      expect(connected.code).toBe(0);
    });
  }
});

/** Kept outputs are named by the time. */
const withoutNames = (shown: string): string => shown.replace(/tee\/\S+/g, "tee/FILE");

const lengthOf = (played: Played, index: number): number => played.shown[index]?.length ?? 0;

/** What became of a call: the words that say it differ, the fate may not. */
function fate(shown: string): string {
  if (shown.includes("has been denied")) return "denied";
  if (shown.includes("The person said no")) return "refused by the person";
  if (/permission|not allowed|No such tool/i.test(shown.slice(0, 300))) return "not permitted";
  return shown.includes(totals) ? "ran" : `other: ${shown.slice(0, 120)}`;
}
