/** Gemini CLI, the real one, without a terminal: what the model is shown with us and without us. */
import { describe, expect, test } from "bun:test";
import { breakages } from "../broken-binary.ts";
import { acp } from "../drivers/acp.ts";
import { failingTests, failureLines, largeSource, totals } from "../props.ts";
import type { Sandbox } from "../sandbox.ts";
import { isReady, once, play, playBoth, type Scene } from "../scene.ts";
import type { Step } from "../wire/types.ts";

const agent = "gemini" as const;
const bash = (command: string, more: object = {}): Step => ({
  tool: "run_shell_command",
  input: { command, description: "run", ...more },
});
const settings = (sandbox: Sandbox, value: object): void => {
  sandbox.write("home/.gemini/settings.json", JSON.stringify(value, null, 2));
};

describe.skipIf(!isReady(agent))("Gemini CLI", () => {
  test("a failing test run keeps its failures, and loses its noise", async () => {
    const { alone, connected } = await playBoth({
      agent,
      prepare(sandbox) {
        failingTests(sandbox);
        settings(sandbox, { tools: { allowed: ["run_shell_command"] } });
      },
      script: () => [bash("cargo test")],
    });
    const [before = "", after = ""] = [alone.shown[0], connected.shown[0]];
    for (const line of [...failureLines, totals, "Exit Code: 101"]) {
      expect(before).toContain(line);
      expect(after).toContain(line);
    }
    expect(after.length).toBeLessThan(before.length / 2);
  });

  test("a big file is answered by its outline once, and the second time by all of it", async () => {
    const read: Step = { tool: "read_file", input: { file_path: "src/billing.ts" } };
    const { alone, connected } = await playBoth({
      agent,
      isIndexed: true,
      prepare: largeSource,
      script: () => [read, read],
    });
    expect(connected.shown[0]).toContain("retryFailedUpload");
    expect(connected.shown[0]?.length ?? 0).toBeLessThan((alone.shown[0]?.length ?? 0) / 2);
    expect(connected.shown[1]).toBe(alone.shown[1] ?? "");
  });

  test("a question and a name are answered from the index once, then searched for, and every other search runs as it is", async () => {
    const search = (pattern: string, more: object = {}): Step => ({ tool: "grep_search", input: { pattern, ...more } });
    const { alone, connected } = await playBoth({
      agent,
      isIndexed: true,
      prepare(sandbox) {
        largeSource(sandbox);
        const lines = Array.from({ length: 240 }, (_, i) => `const tariff${i} = ${i};`);
        sandbox.write("project/src/tariffs.ts", `${lines.join("\n")}\n`);
      },
      script: () => [
        search("where are failed uploads sent again"),
        search("where are failed uploads sent again"),
        search("retryFailedUpload"),
        search("const tariff"),
      ],
    });
    expect(alone.shown[0]).not.toContain("retryFailedUpload");
    expect(connected.shown[0]).toContain("retryFailedUpload");
    expect(connected.shown[1]).toBe(alone.shown[1] ?? "");
    expect(connected.shown[2]).toContain("src/billing.ts");
    expect(alone.shown[3]?.match(/const tariff\d/g)?.length).toBe(100);
    expect(connected.shown[3]).toBe(alone.shown[3] ?? "");
  });

  describe("the same refusal and permission", () => {
    const kinds: readonly { readonly name: string; readonly settings: object; readonly args?: readonly string[] }[] = [
      { name: "no rule at all", settings: {} },
      { name: "an allow of the program", settings: { tools: { allowed: ["run_shell_command(cargo)"] } } },
      { name: "an allow of the whole tool", settings: { tools: { allowed: ["run_shell_command"] } } },
      {
        name: "an allow and an exclusion",
        settings: { tools: { allowed: ["run_shell_command"], exclude: ["run_shell_command(cargo)"] } },
      },
      { name: "everything allowed", settings: {}, args: ["--yolo"] },
    ];
    for (const kind of kinds) {
      test(kind.name, async () => {
        const { alone, connected } = await playBoth({
          agent,
          args: kind.args,
          prepare(sandbox) {
            failingTests(sandbox);
            settings(sandbox, kind.settings);
          },
          script: () => [bash("cargo test"), bash("cd . && cargo test"), bash("touch made.txt")],
        });
        expect(connected.shown.map(fate)).toEqual(alone.shown.map(fate));
        expect(connected.read("project/made.txt")).toBe(alone.read("project/made.txt"));
      });
    }
  });

  describe("the same questions, word for word, over the door that editors use", () => {
    const kinds: readonly {
      readonly name: string;
      readonly settings: object;
      readonly policy?: string;
      readonly isAsked: boolean;
    }[] = [
      { name: "no rule at all", settings: {}, isAsked: true },
      {
        name: "an allow of the program",
        settings: { tools: { allowed: ["run_shell_command(cargo)"] } },
        isAsked: false,
      },
      { name: "an allow of the whole tool", settings: { tools: { allowed: ["run_shell_command"] } }, isAsked: false },
      {
        name: "an exclusion of the program",
        settings: { tools: { allowed: ["run_shell_command"], exclude: ["run_shell_command(cargo)"] } },
        isAsked: false,
      },
      {
        name: "an allow of the whole tool, and a policy that asks",
        settings: { tools: { allowed: ["run_shell_command"] } },
        policy:
          '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "cargo"\ndecision = "ask_user"\npriority = 900\n',
        isAsked: true,
      },
    ];
    for (const kind of kinds) {
      // Where nobody is asked, the answer that would be given makes no difference.
      for (const answer of kind.isAsked ? (["allow", "deny"] as const) : (["deny"] as const)) {
        test(`${kind.name}, and the person says ${answer}`, async () => {
          const { alone, connected } = await playBoth({
            agent,
            answer,
            driver: acp("gemini"),
            prepare(sandbox) {
              failingTests(sandbox);
              settings(sandbox, kind.settings);
              if (kind.policy !== undefined) sandbox.write("home/.gemini/policies/mine.toml", kind.policy);
            },
            script: () => [
              bash("cargo test"),
              bash("cd . && cargo test"),
              bash("env A=1 timeout 60 cargo test"),
              bash("touch made.txt"),
            ],
          });
          expect(connected.asked).toEqual(alone.asked);
          expect(alone.asked.some((question) => question.includes('"cargo test"'))).toBe(kind.isAsked);
          expect(connected.shown.map(fate)).toEqual(alone.shown.map(fate));
          expect(connected.read("project/made.txt")).toBe(alone.read("project/made.txt"));
        });
      }
    }
  });

  test("heredocs, pipes and redirections run as they were written", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: ["--yolo"],
      prepare: failingTests,
      script: () => [
        bash("cat <<'EOF'\ncargo test\n$HOME\nEOF"),
        bash("cargo test | wc -l"),
        bash("cargo test > out.txt; wc -c < out.txt"),
      ],
    });
    expect(connected.shown).toEqual(alone.shown);
  });

  // Gemini CLI takes an exit code above 1 for a refusal: these hold by the guard in the installed command.
  const broken = breakages((sandbox) => {
    const path = "home/.gemini/settings.json";
    sandbox.write(path, sandbox.read(path).replaceAll('"timeout": 10000', '"timeout": 1000'));
  });
  const plain: Scene = { agent, args: ["--yolo"], script: () => [bash("echo one"), bash("echo two")] };
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

function fate(shown: string): string {
  if (/denied by policy|not found\. Did you mean|blocked/i.test(shown.slice(0, 300))) return "refused";
  // On a busy machine the agent itself loses what stands behind the first 4 KB of a terminal.
  if (shown.includes(totals) || shown.includes("running 240 tests")) return "ran";
  if (/cancell?ed|user did not allow/i.test(shown.slice(0, 300))) return "refused by the person";
  return shown.includes("Output:") ? "ended" : `other: ${shown.slice(0, 160)}`;
}
