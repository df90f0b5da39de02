/** OpenCode, the real one, in `run` mode with our plugin: what the model is shown with us and without us. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { breakages } from "../broken-binary.ts";
import { acp } from "../drivers/acp.ts";
import { failingTests, failureLines, largeSource, totals } from "../props.ts";
import type { Sandbox } from "../sandbox.ts";
import { isReady, once, play, playBoth, type Scene } from "../scene.ts";
import type { Step } from "../wire/types.ts";

const agent = "opencode" as const;
const bash = (command: string): Step => ({ tool: "bash", input: { command, description: "run" } });
const settings = (sandbox: Sandbox, value: object): void => {
  sandbox.write("home/.config/opencode/opencode.json", JSON.stringify(value, null, 2));
};

describe.skipIf(!isReady(agent))("OpenCode", () => {
  test("a failing test run keeps its failures and loses its noise; a big file is answered by its outline, and an edit of it works", async () => {
    const { alone, connected } = await playBoth({
      agent,
      isIndexed: true,
      prepare(sandbox) {
        failingTests(sandbox);
        largeSource(sandbox);
      },
      script: (sandbox) => {
        const filePath = join(sandbox.project, "src", "billing.ts");
        return [
          bash("cargo test"),
          { tool: "read", input: { filePath } },
          { tool: "grep", input: { pattern: "where are failed uploads sent again" } },
          { tool: "edit", input: { filePath, oldString: "500 * 2 ** attempt", newString: "900 * 2 ** attempt" } },
          { tool: "read", input: { filePath } },
        ];
      },
    });
    const [before = "", after = ""] = [alone.shown[0], connected.shown[0]];
    for (const line of [...failureLines, totals]) {
      expect(before).toContain(line);
      expect(after).toContain(line);
    }
    expect(after.length).toBeLessThan(before.length / 2);
    expect(connected.shown[1]).toContain("retryFailedUpload");
    expect(connected.shown[1]?.length ?? 0).toBeLessThan((alone.shown[1]?.length ?? 0) / 2);
    expect(connected.read("project/src/billing.ts")).toContain("900 * 2 ** attempt");
    expect(connected.shown[4]).toBe(alone.shown[4] ?? "");
    expect(connected.shown[2]).toContain("retryFailedUpload");
  });

  describe("the same refusal and permission", () => {
    const kinds: readonly { readonly name: string; readonly settings: object }[] = [
      {
        name: "an allow, a deny and an ask by pattern",
        settings: { permission: { bash: { "*": "ask", "cargo *": "allow", "touch *": "deny" } } },
      },
      {
        name: "the program denied, everything else allowed",
        settings: { permission: { bash: { "*": "allow", "cargo *": "deny" } } },
      },
    ];
    for (const kind of kinds) {
      test(kind.name, async () => {
        const { alone, connected } = await playBoth({
          agent,
          prepare(sandbox) {
            failingTests(sandbox);
            settings(sandbox, kind.settings);
          },
          script: () => [
            bash("cargo test"),
            bash("touch made.txt"),
            bash("cargo test | wc -l"),
            bash("cat <<'EOF'\ncargo test\nEOF"),
          ],
        });
        expect(connected.shown.map(fate)).toEqual(alone.shown.map(fate));
        expect(connected.read("project/made.txt")).toBe(alone.read("project/made.txt"));
      });
    }
  });

  describe("the same questions, word for word, over the door that editors use", () => {
    const kinds: readonly { readonly name: string; readonly permission: object; readonly isAsked: boolean }[] = [
      { name: "everything asked about", permission: { bash: "ask" }, isAsked: true },
      { name: "an ask by pattern", permission: { bash: { "*": "allow", "cargo *": "ask" } }, isAsked: true },
      {
        name: "an ask for the exact command",
        permission: { bash: { "*": "allow", "cargo test": "ask" } },
        isAsked: true,
      },
      { name: "an allow by pattern", permission: { bash: { "*": "ask", "cargo *": "allow" } }, isAsked: false },
      { name: "a deny by pattern", permission: { bash: { "*": "ask", "cargo *": "deny" } }, isAsked: false },
      { name: "no rule at all", permission: {}, isAsked: false },
    ];
    for (const kind of kinds) {
      // Where nobody is asked, the answer that would be given makes no difference.
      for (const answer of kind.isAsked ? (["allow", "deny"] as const) : (["deny"] as const)) {
        test(`${kind.name}, and the person says ${answer}`, async () => {
          const { alone, connected } = await playBoth({
            agent,
            answer,
            driver: acp("opencode"),
            prepare(sandbox) {
              failingTests(sandbox);
              settings(sandbox, { permission: kind.permission });
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

  const plain: Scene = { agent, script: () => [bash("echo one")] };
  const alone = once(() => play(plain, { connected: false }));
  for (const { name, spoil } of breakages(() => {})) {
    test(`a hook that ${name} leaves the session as it was`, async () => {
      const connected = await play({ ...plain, spoil }, { connected: true });
      expect(connected.shown).toEqual((await alone()).shown);
      expect(connected.shown.length).toBeGreaterThan(0);
      expect(connected.code).toBe(0);
    });
  }
});

function fate(shown: string): string {
  if (/specified a rule which prevents|rejected permission/i.test(shown)) return "refused";
  if (shown.includes(totals)) return "ran";
  return shown;
}
