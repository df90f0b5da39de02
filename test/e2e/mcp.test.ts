/** The MCP server through the compiled binary: both protocol eras, fresh answers, refusals that end nothing. */
import { expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { McpSession, textOf } from "../support/mcp-session.ts";
import { Sandbox } from "../support/sandbox.ts";

test("answers from the index as it is now, refuses in words, and ends with its input", async () => {
  using box = new Sandbox().write({
    "a.ts": "export function alpha(): void {}\n",
    "b.ts": 'import { alpha } from "./a";\nexport const b = () => alpha();\n',
  });
  box.commit();
  await box.run(["index"]);
  using session = new McpSession(box);
  expect((await session.initialize()).result?.["serverInfo"]).toMatchObject({ name: "tokenix" });
  const { tools } = (await session.ask({ method: "tools/list" })).result as { tools: { name: string }[] };
  expect(tools.map((tool) => tool.name)).toContain("tokenix_query");
  expect(await session.tool("tokenix_callers", { symbol: "alpha" })).toContain("b.ts:2");
  box.write({ "a.ts": "export function beta(): void {}\n" });
  expect(await session.tool("tokenix_symbols", { name: "beta" })).toContain("a.ts:1");
  expect(await session.tool("tokenix_symbols", { name: "alpha" })).toContain("no symbol");
  const unknown = await session.callTool("tokenix_callers", { symbol: "nope" });
  expect(unknown.result?.["isError"]).toBe(true);
  expect(textOf(unknown)).toContain("there is no symbol 'nope'");
  expect(await session.tool("tokenix_query", { query: "--path=/etc" })).toContain("can't be an argument");
  const bad = await session.callTool("tokenix_query", {});
  expect(bad.error !== undefined || bad.result?.["isError"] === true).toBe(true);
  expect(await session.close()).toBe(0);
});

test("speaks the stateless revision too, without an initialize", async () => {
  using box = new Sandbox().write({ "a.ts": "export function alpha(): void {}\n" });
  await box.run(["index"]);
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  using session = new McpSession(box);
  const answer = await session.callTool("tokenix_symbols", { name: "alpha" }, meta);
  expect(textOf(answer)).toContain("a.ts:1");
  expect(answer.result?.["resultType"]).toBe("complete");
  expect(await session.close()).toBe(0);
});

test("reads files of the project and no other, not by a path upwards and not through a link", async () => {
  using box = new Sandbox().write({ "src/a.ts": "export function alpha(): void {}\n", "..odd.ts": "odd\n" });
  box.commit();
  const secret = join(box.base, "secret.txt");
  writeFileSync(secret, "topsecret\n");
  symlinkSync(secret, box.path("link.txt"));
  using session = new McpSession(box, { cwd: box.path("src") });
  expect(await session.tool("tokenix_read", { file: "a.ts" })).toContain("alpha");
  expect(await session.tool("tokenix_read", { file: "../..odd.ts" })).toContain("odd");
  for (const file of [secret, "../../secret.txt", "../link.txt"]) {
    const answer = await session.callTool("tokenix_read", { file });
    expect([file, answer.result?.["isError"], textOf(answer).includes("topsecret")]).toEqual([file, true, false]);
    expect(textOf(answer)).toContain("lies outside the project");
  }
  expect(await session.tool("tokenix_read", { file: "none.ts" })).toContain("there is no file");
});
