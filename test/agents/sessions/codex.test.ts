/** Codex, the real one, in `exec` mode: what the model is shown with us and without us. */
import { describe, expect, test } from "bun:test";
import { breakages } from "../broken-binary.ts";
import { codexServer } from "../drivers/codex-server.ts";
import { failingTests, failureLines, testReport, totals } from "../props.ts";
import { isReady, once, play, playBoth, type Scene } from "../scene.ts";
import { canStandInFor, withEtc } from "../stand-in.ts";
import type { Step } from "../wire/types.ts";

const agent = "codex" as const;
const run = (cmd: string, more: object = {}): Step => ({ tool: "exec_command", input: { cmd, ...more } });
const full = ["-s", "danger-full-access"];

describe.skipIf(!isReady(agent))("Codex", () => {
  test("a failing test run keeps its failures and its exit code, and loses its noise", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: full,
      prepare: failingTests,
      script: () => [run("cargo test")],
    });
    const [before = "", after = ""] = [alone.shown[0], connected.shown[0]];
    for (const line of [...failureLines, totals, "exited with code 101"]) {
      expect(before).toContain(line);
      expect(after).toContain(line);
    }
    expect(after.length).toBeLessThan(before.length / 2);
  });

  test("in a sandbox that can't write to the home, the whole output is kept in the temporary folder", async () => {
    const connected = await play(
      {
        agent,
        args: ["-s", "workspace-write", "-c", "sandbox_workspace_write.exclude_slash_tmp=true"],
        prepare: failingTests,
        script: () => [run("cargo test"), run("cat $TMPDIR/tokenix-*/tee/* | wc -l")],
      },
      { connected: true },
    );
    expect(connected.shown[0]).not.toContain("case_number_100 ... ok");
    expect(connected.shown[0]).toMatch(/full output \(credentials masked\): SANDBOX\/tmp\/tokenix-/);
    expect(connected.shown[1]).toContain(String(testReport().split("\n").length));
  });

  test("in a sandbox that can write nothing, everything is shown", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: ["-s", "read-only"],
      prepare: failingTests,
      script: () => [run("cargo test")],
    });
    expect(connected.shown[0]).toBe(alone.shown[0] ?? "");
  });

  test("heredocs, pipes, redirections, substitutions and background jobs run as they were written", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: full,
      prepare: failingTests,
      script: () => [
        run("cat <<'EOF'\ncargo test\n$HOME\nEOF"),
        run("cargo test | wc -l"),
        run("cargo test > out.txt; wc -c < out.txt"),
        run('echo "lines: $(cargo test | wc -l)"'),
        run("cargo test > bg.txt 2>&1 & wait; wc -c < bg.txt"),
      ],
    });
    expect(connected.shown.map(withoutCounts)).toEqual(alone.shown.map(withoutCounts));
    expect(connected.read("project/out.txt")).toBe(alone.read("project/out.txt"));
  });

  describe("the same refusal and permission", () => {
    const rule = (decision: string): string => `prefix_rule(pattern=["cargo"], decision="${decision}")\n`;
    const kinds: readonly {
      readonly name: string;
      readonly rules?: string;
      readonly projectRules?: string;
      readonly args: readonly string[];
      readonly isShortened?: boolean;
      readonly isRefused?: boolean;
    }[] = [
      { name: "no rule, nothing confined", args: full, isShortened: true },
      { name: "a rule that forbids", rules: rule("forbidden"), args: full, isRefused: true },
      { name: "a rule that asks", rules: rule("prompt"), args: full, isRefused: true },
      { name: "a rule that allows", rules: rule("allow"), args: ["-s", "read-only"] },
      {
        name: "a rule about the exact words",
        rules: 'prefix_rule(pattern=["cargo", ["test", "bench"]], decision="forbidden")\n',
        args: full,
        isRefused: true,
      },
      {
        name: "a rule about another program",
        rules: 'prefix_rule(pattern=["npm"], decision="forbidden")\n',
        args: full,
        isShortened: true,
      },
      { name: "a rule of the repository's", projectRules: rule("forbidden"), args: full, isRefused: true },
      { name: "a sandbox that only reads", args: ["-s", "read-only"] },
      { name: "a sandbox that writes in the workspace", args: ["-s", "workspace-write"] },
    ];
    for (const kind of kinds) {
      test(kind.name, async () => {
        const { alone, connected } = await playBoth({
          agent,
          args: kind.args,
          prepare(sandbox) {
            failingTests(sandbox);
            if (kind.rules !== undefined) sandbox.write("home/.codex/rules/default.rules", kind.rules);
            if (kind.projectRules !== undefined) {
              sandbox.write("project/.codex/rules/default.rules", kind.projectRules);
              const trusted = `[projects.${JSON.stringify(sandbox.project)}]\ntrust_level = "trusted"\n`;
              sandbox.write("home/.codex/config.toml", trusted);
            }
          },
          script: () => [
            run("cargo test"),
            run("cd . && cargo test"),
            run("env A=1 cargo test"),
            run("touch made.txt"),
          ],
        });
        expect(connected.shown.map(fate)).toEqual(alone.shown.map(fate));
        expect(connected.read("project/made.txt")).toBe(alone.read("project/made.txt"));
        expect(fate(alone.shown[0] ?? "") === "refused").toBe(kind.isRefused === true);
        if (kind.isShortened === true) expect(lengthOf(connected, 0)).toBeLessThan(lengthOf(alone, 0) / 2);
      });
    }

    test.skipIf(!canStandInFor("/etc"))("a rule of the organisation's", async () => {
      const rules =
        '[rules]\nprefix_rules = [{ pattern = [{ token = "cargo" }], decision = "forbidden", justification = "no" }]\n';
      const { alone, connected } = await playBoth({
        agent,
        args: full,
        behind: (sandbox) => withEtc(sandbox, { "codex/requirements.toml": rules }),
        prepare: failingTests,
        script: () => [run("cargo test"), run("cd . && cargo test"), run("touch made.txt")],
      });
      expect(fate(alone.shown[0] ?? "")).toBe("refused");
      expect(connected.shown.map(fate)).toEqual(alone.shown.map(fate));
    });

    test("what Codex refuses by its own judgement in the mode that asks nothing", async () => {
      const { alone, connected } = await playBoth({
        agent,
        args: full,
        prepare(sandbox) {
          failingTests(sandbox);
          sandbox.write("project/keep/a.txt", "kept\n");
        },
        script: () => [
          run("rm -rfv keep"),
          run("cargo test; rm -rfv keep"),
          run("env A=1 rm -rfv keep"),
          run("bash -c 'cargo test; rm -rfv keep'"),
          run("cat keep/a.txt"),
        ],
      });
      for (const shown of alone.shown.slice(0, 4)) expect(shown).toContain("are not permitted");
      expect(connected.shown).toEqual(alone.shown);
      expect(connected.shown[4]).toContain("kept");
    });
  });

  describe("the same questions, word for word, over the door that editors use", () => {
    const escalated = { sandbox_permissions: "require_escalated", justification: "May it?" };
    const modes = [
      { approvalPolicy: "untrusted", sandboxMode: "danger-full-access" },
      { approvalPolicy: "untrusted", sandboxMode: "read-only" },
      { approvalPolicy: "on-request", sandboxMode: "workspace-write" },
      { approvalPolicy: "on-request", sandboxMode: "danger-full-access" },
    ] as const;
    for (const mode of modes) {
      for (const answer of ["allow", "deny"] as const) {
        test(`${mode.approvalPolicy}, ${mode.sandboxMode}, and the person says ${answer}`, async () => {
          const { alone, connected } = await playBoth({
            agent,
            answer,
            driver: codexServer({ ...mode, reviewsHooks: true }),
            prepare: failingTests,
            script: () => [
              run("cargo test"),
              run("cd . && cargo test; echo $?"),
              run("env A=1 timeout 60 cargo test"),
              run("cargo test", escalated),
              run("cargo test; rm -rf made.txt"),
              run("ls"),
              run("cat <<'EOF'\ncargo test\nEOF"),
              run("touch made.txt"),
            ],
          });
          expect(connected.asked).toEqual(alone.asked);
          if (mode.sandboxMode !== "danger-full-access") expect(alone.asked.join("\n")).toContain("cargo test");
          // Whether an approved command that its sandbox stops is run once more outside is a race in Codex itself (0.171.0).
          const isRace = mode.sandboxMode === "read-only";
          const fates = (shown: readonly string[]) =>
            shown.map((text, at) => (isRace && at === 7 ? fate(text).replace(/ with \d+$/, "") : fate(text)));
          expect(fates(connected.shown)).toEqual(fates(alone.shown));
          if (!isRace) expect(connected.read("project/made.txt")).toBe(alone.read("project/made.txt"));
          // What nobody is asked about runs behind us, and what somebody was asked about is shortened afterwards.
          if (fate(connected.shown[0] ?? "") === "ran") {
            expect(lengthOf(connected, 0)).toBeLessThan(lengthOf(alone, 0) / 2);
            for (const line of [...failureLines, totals, "exited with code 101"])
              expect(connected.shown[0]).toContain(line);
          }
        });
      }
    }

    test("a rule that asks, in a mode that asks about nothing else", async () => {
      const { alone, connected } = await playBoth({
        agent,
        answer: "allow",
        driver: codexServer({ approvalPolicy: "on-request", sandboxMode: "workspace-write", reviewsHooks: true }),
        prepare(sandbox) {
          failingTests(sandbox);
          sandbox.write(
            "home/.codex/rules/default.rules",
            'prefix_rule(pattern=["cargo", "test"], decision="prompt", justification="Ask first")\n',
          );
        },
        script: () => [run("cargo test"), run("cd . && cargo test")],
      });
      expect(alone.asked.length).toBe(2);
      expect(connected.asked).toEqual(alone.asked);
      expect(connected.shown.map(fate)).toEqual(alone.shown.map(fate));
    });
  });

  test("a hook that nobody has reviewed does nothing, and one that was reviewed works", async () => {
    const open = { approvalPolicy: "never", sandboxMode: "danger-full-access" } as const;
    const scene: Scene = { agent, prepare: failingTests, script: () => [run("cargo test")] };
    const unreviewed = await play(
      { ...scene, driver: codexServer({ ...open, reviewsHooks: false }) },
      { connected: true },
    );
    const reviewed = await play(
      { ...scene, driver: codexServer({ ...open, reviewsHooks: true }) },
      { connected: true },
    );
    expect(unreviewed.shown[0]).toContain("case_number_100 ... ok");
    expect(reviewed.shown[0]).not.toContain("case_number_100 ... ok");
    expect(reviewed.shown[0]).toContain(totals);
  });

  const broken = breakages((sandbox) => {
    const path = "home/.codex/hooks.json";
    sandbox.write(path, sandbox.read(path).replaceAll('"timeout": 10', '"timeout": 1'));
  });
  const plain: Scene = { agent, args: full, script: () => [run("echo one"), run("echo two")] };
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

const lengthOf = (played: { readonly shown: readonly string[] }, index: number): number =>
  played.shown[index]?.length ?? 0;

const withoutCounts = (shown: string): string => shown.replace(/Original token count: \d+\n/, "");

function fate(shown: string): string {
  if (/rejected by user/i.test(shown)) return "refused by the person";
  if (/forbidden|rejected|blocked|policy/i.test(shown) && !shown.includes("238 passed")) return "refused";
  if (shown.includes(totals)) return "ran";
  const code = /exited with code (\d+)/.exec(shown)?.[1];
  return code === undefined ? `other: ${shown.slice(0, 160)}` : `ended with ${code}`;
}
