/** The MCP server through the compiled binary: both protocol eras, fresh answers, refusals that end nothing. */
import { expect, test } from "bun:test";
import { BINARY, Sandbox } from "../support/sandbox.ts";

type Message = { id?: number; result?: Record<string, unknown>; error?: { code: number } };

async function session(
  box: Sandbox,
  body: (ask: (message: object) => Promise<Message>) => Promise<void>,
): Promise<number> {
  const child = Bun.spawn([BINARY, "mcp"], {
    cwd: box.root,
    env: box.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const next = async (id: number): Promise<Message> => {
    for (;;) {
      const end = text.indexOf("\n");
      if (end >= 0) {
        const message = JSON.parse(text.slice(0, end)) as Message;
        text = text.slice(end + 1);
        if (message.id === id) return message;
        continue;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error("the server ended");
      text += decoder.decode(value, { stream: true });
    }
  };
  let id = 0;
  await body(async (message) => {
    id++;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`);
    await child.stdin.flush();
    return next(id);
  });
  await child.stdin.end();
  return child.exited;
}

const initialize = {
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const call = (name: string, args: object, meta?: object) => ({
  method: "tools/call",
  params: { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
});
const textOf = (message: Message): string =>
  ((message.result?.["content"] as { text: string }[] | undefined) ?? []).map((one) => one.text).join("");

test("answers from the index as it is now, refuses in words, and ends with its input", async () => {
  using box = new Sandbox().write({
    "a.ts": "export function alpha(): void {}\n",
    "b.ts": 'import { alpha } from "./a";\nexport const b = () => alpha();\n',
  });
  box.commit();
  await box.run(["index"]);
  const code = await session(box, async (ask) => {
    expect((await ask(initialize)).result?.["serverInfo"]).toMatchObject({ name: "tokenix" });
    const { tools } = (await ask({ method: "tools/list" })).result as { tools: { name: string }[] };
    expect(tools.map((tool) => tool.name)).toContain("tokenix_query");
    expect(textOf(await ask(call("tokenix_callers", { symbol: "alpha" })))).toContain("b.ts:2");
    box.write({ "a.ts": "export function beta(): void {}\n" });
    expect(textOf(await ask(call("tokenix_symbols", { name: "beta" })))).toContain("a.ts:1");
    expect(textOf(await ask(call("tokenix_symbols", { name: "alpha" })))).toContain("no symbol");
    const unknown = await ask(call("tokenix_callers", { symbol: "nope" }));
    expect(unknown.result?.["isError"]).toBe(true);
    expect(textOf(unknown)).toContain("there is no symbol 'nope'");
    expect(textOf(await ask(call("tokenix_query", { query: "--path=/etc" })))).toContain("can't be an argument");
    const bad = await ask(call("tokenix_query", {}));
    expect(bad.error !== undefined || bad.result?.["isError"] === true).toBe(true);
  });
  expect(code).toBe(0);
});

test("speaks the stateless revision too, without an initialize", async () => {
  using box = new Sandbox().write({ "a.ts": "export function alpha(): void {}\n" });
  await box.run(["index"]);
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  await session(box, async (ask) => {
    const answer = await ask(call("tokenix_symbols", { name: "alpha" }, meta));
    expect(textOf(answer)).toContain("a.ts:1");
    expect(answer.result?.["resultType"]).toBe("complete");
  });
});
