/** Copilot CLI, the real one, offline with a provider of its own: what the model is shown with us and without us. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { breakages } from "../broken-binary.ts";
import { acp } from "../drivers/acp.ts";
import { failingTests, failureLines, largeSource, totals } from "../props.ts";
import { connectAgain, isReady, once, play, playBoth, type Scene } from "../scene.ts";
import type { Step } from "../wire/types.ts";

const agent = "copilot" as const;
const bash = (command: string, more: object = {}): Step => ({
  tool: "bash",
  input: { command, description: "run", ...more },
});

describe.skipIf(!isReady(agent))("Copilot CLI", () => {
  test("a failing test run keeps its failures and its exit code, and loses its noise", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: ["--allow-tool", "shell(cargo:*)"],
      prepare: failingTests,
      script: () => [bash("cargo test")],
    });
    const [before = "", after = ""] = [alone.shown[0], connected.shown[0]];
    for (const line of [...failureLines, totals, "exit code 101"]) {
      expect(before).toContain(line);
      expect(after).toContain(line);
    }
    expect(after.length).toBeLessThan(before.length / 2);
  });

  test("a big file is answered by its outline, an edit of it works, and the second view gets all of it", async () => {
    const { alone, connected } = await playBoth({
      agent,
      isIndexed: true,
      args: ["--allow-all-tools"],
      prepare: largeSource,
      script: (sandbox) => {
        const path = join(sandbox.project, "src", "billing.ts");
        return [
          { tool: "view", input: { path } },
          { tool: "edit", input: { path, old_str: "500 * 2 ** attempt", new_str: "900 * 2 ** attempt" } },
          { tool: "view", input: { path } },
        ];
      },
    });
    const [outline = "", , whole = ""] = connected.shown;
    expect(outline).toContain("retryFailedUpload");
    expect(outline.length).toBeLessThan((alone.shown[0]?.length ?? 0) / 2);
    expect(connected.read("project/src/billing.ts")).toContain("900 * 2 ** attempt");
    expect(whole).toBe(alone.shown[2] ?? "");
  });

  test("a search that finds nothing is answered by meaning", async () => {
    const { alone, connected } = await playBoth({
      agent,
      isIndexed: true,
      prepare: largeSource,
      script: () => [{ tool: "grep", input: { pattern: "where are failed uploads sent again" } }],
    });
    expect(alone.shown[0]).toContain("No matches found");
    expect(connected.shown[0]).toContain("retryFailedUpload");
  });

  describe("the same refusal and permission", () => {
    const kinds: readonly {
      readonly name: string;
      readonly args: readonly string[];
      readonly env?: Record<string, string>;
    }[] = [
      { name: "no rule at all", args: [] },
      { name: "an allow of the program", args: ["--allow-tool", "shell(cargo:*)"] },
      { name: "an allow of the exact command", args: ["--allow-tool", "shell(cargo test)"] },
      { name: "an allow of the whole tool", args: ["--allow-tool", "shell"] },
      { name: "everything allowed", args: ["--allow-all-tools"] },
      { name: "everything allowed by the environment", args: [], env: { COPILOT_ALLOW_ALL: "true" } },
      { name: "everything allowed but the program", args: ["--allow-all-tools", "--deny-tool", "shell(cargo:*)"] },
      {
        name: "the same, from the environment",
        args: ["--deny-tool", "shell(cargo:*)"],
        env: { COPILOT_ALLOW_ALL: "true" },
      },
      { name: "the whole tool denied", args: ["--deny-tool", "shell"] },
    ];
    for (const kind of kinds) {
      test(kind.name, async () => {
        const { alone, connected } = await playBoth({
          agent,
          args: kind.args,
          env: kind.env,
          prepare: failingTests,
          script: () => [bash("cargo test"), bash("cd . && cargo test"), bash("touch made.txt")],
        });
        expect(connected.shown.map(fate)).toEqual(alone.shown.map(fate));
        expect(connected.read("project/made.txt")).toBe(alone.read("project/made.txt"));
      });
    }
  });

  describe("the same questions, word for word, over the door that editors use", () => {
    const kinds: readonly { readonly name: string; readonly args: readonly string[]; readonly isAsked: boolean }[] = [
      { name: "no rule at all", args: [], isAsked: true },
      { name: "an allow of the program", args: ["--allow-tool", "shell(cargo:*)"], isAsked: false },
      { name: "an allow of the exact command", args: ["--allow-tool", "shell(cargo test)"], isAsked: false },
      { name: "a deny of the program", args: ["--deny-tool", "shell(cargo:*)"], isAsked: false },
      { name: "everything allowed", args: ["--allow-all-tools"], isAsked: false },
    ];
    for (const kind of kinds) {
      // Where nobody is asked, the answer that would be given makes no difference.
      for (const answer of kind.isAsked ? (["allow", "deny"] as const) : (["deny"] as const)) {
        test(`${kind.name}, and the person says ${answer}`, async () => {
          const { alone, connected } = await playBoth({
            agent,
            answer,
            args: kind.args,
            driver: acp("copilot"),
            prepare: failingTests,
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

  test("heredocs, pipes, redirections and background jobs run as they were written", async () => {
    const { alone, connected } = await playBoth({
      agent,
      args: ["--allow-all-tools"],
      prepare: failingTests,
      script: () => [
        bash("cat <<'EOF'\ncargo test\n$HOME\nEOF"),
        bash("cargo test | wc -l"),
        bash("cargo test > out.txt; wc -c < out.txt"),
        bash("cargo test > bg.txt 2>&1 & wait; wc -c < bg.txt"),
      ],
    });
    expect(connected.shown.map(withoutJobs)).toEqual(alone.shown.map(withoutJobs));
  });

  test("a hook that is loaded twice, once through Claude's settings, does its work once", async () => {
    const scene: Scene = {
      agent,
      args: ["--allow-all-tools"],
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

  // Copilot takes a failing hook for a refusal: these hold by the guard in the installed command.
  const broken = breakages((sandbox) => {
    const path = "home/.copilot/hooks/tokenix.json";
    sandbox.write(path, sandbox.read(path).replaceAll('"timeoutSec": 10', '"timeoutSec": 1'));
  });
  const plain: Scene = {
    agent,
    args: ["--allow-tool", "shell(echo)"],
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

const withoutJobs = (shown: string): string => shown.replace(/^\[\d+\] \d+$/gm, "");

function fate(shown: string): string {
  if (/user rejected|rejected by (?:the )?user/i.test(shown)) return "refused by the person";
  if (/no interactive user response/.test(shown)) return "would have been asked for";
  if (/denied|not allowed|does not exist|blocked/i.test(shown.slice(0, 300))) return "refused";
  if (shown.includes(totals)) return "ran";
  const code = /exit code (\d+)/.exec(shown)?.[1];
  return code === undefined ? `other: ${shown.slice(0, 160)}` : `ended with ${code}`;
}
