import { expect, test } from "bun:test";
import { BINARY, Sandbox } from "../support/sandbox.ts";

test("a message is one plain line for programs, and set off for people; its exit code is the same", async () => {
  if (process.platform === "win32") return;
  using box = new Sandbox();
  const plain = await box.run(["qurey", "x"]);
  expect([plain.code, plain.stdout]).toEqual([2, ""]);
  expect(plain.stderr).toBe("tokenix: there is no command 'qurey'\n  did you mean 'tokenix query'?\n");
  let shown = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([BINARY, "qurey", "x"], {
    cwd: box.root,
    env: { ...box.env, TERM: "xterm-256color" },
    terminal: { cols: 100, rows: 30, data: (_, bytes) => (shown += decoder.decode(bytes, { stream: true })) },
  });
  expect(await child.exited).toBe(2);
  expect(shown).toContain("\x1b[");
  const text = Bun.stripANSI(shown);
  expect(text).toContain("ERROR");
  expect(text).toContain("there is no command 'qurey'");
  expect(text).toContain("did you mean 'tokenix query'?");
});
