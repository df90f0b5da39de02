/** What a scene needs on stage: a test runner with two failures among many passes, a large source file, a long log. */
import type { Sandbox } from "./sandbox.ts";

/** Lines without which nobody can mend the two failures. */
export const failureLines = [
  "tests::total_with_tax",
  "left: 107.0",
  "right: 108.5",
  "src/orders.rs:14:9",
  "tests::rename_keeps_id",
  "src/users.rs:9:30",
];

/** The line that says how the run ended. */
export const totals = "test result: FAILED. 238 passed; 2 failed";

/** A `cargo` that needs no Rust: 240 tests, two fail, exit 101. */
export function failingTests(sandbox: Sandbox): void {
  sandbox.tool("cargo", `#!/bin/bash\ncat <<'OUT'\n${testReport()}\nOUT\nexit 101\n`);
}

export function testReport(): string {
  const passes = Array.from({ length: 238 }, (_, i) => `test part_${i % 12}::case_number_${i} ... ok`);
  return [
    "   Compiling shop v0.3.1 (/srv/shop)",
    "    Finished `test` profile [unoptimized + debuginfo] target(s) in 2.41s",
    "     Running unittests src/lib.rs (target/debug/deps/shop-0a1b2c3d4e5f6071)",
    "",
    "running 240 tests",
    ...passes,
    "test orders::tests::total_with_tax ... FAILED",
    "test users::tests::rename_keeps_id ... FAILED",
    "",
    "failures:",
    "",
    "---- orders::tests::total_with_tax stdout ----",
    "",
    "thread 'orders::tests::total_with_tax' panicked at src/orders.rs:14:9:",
    "assertion `left == right` failed: net and tax",
    "  left: 107.0",
    " right: 108.5",
    "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    "",
    "---- users::tests::rename_keeps_id stdout ----",
    "",
    "thread 'users::tests::rename_keeps_id' panicked at src/users.rs:9:30:",
    "called `Option::unwrap()` on a `None` value",
    "",
    "",
    "failures:",
    "    orders::tests::total_with_tax",
    "    users::tests::rename_keeps_id",
    "",
    `${totals}; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s`,
    "",
    "error: test failed, to rerun pass `--lib`",
  ].join("\n");
}

/** A TypeScript file long enough to be answered by its outline. */
export function largeSource(sandbox: Sandbox, functionCount = 40): string {
  const functions = Array.from({ length: functionCount }, (_, i) =>
    [
      `/** Step ${i} of the billing run. */`,
      `export function billingStep${i}(input: number): number {`,
      ...Array.from({ length: 7 }, (_, line) => `  const part${line} = input * ${i} + ${line};`),
      `  return ${Array.from({ length: 7 }, (_, line) => `part${line}`).join(" + ")};`,
      "}",
      "",
    ].join("\n"),
  );
  functions.splice(
    30,
    0,
    "/** Sends a failed upload again, with a growing pause. */\nexport function retryFailedUpload(attempt: number): number {\n  return Math.min(60_000, 500 * 2 ** attempt);\n}\n",
  );
  return sandbox.write("project/src/billing.ts", functions.join("\n"));
}

/** An MCP server with one tool, whose answer is long and says little. */
export function notesServer(sandbox: Sandbox): string {
  return sandbox.tool(
    "notes-server",
    `#!/usr/bin/env bun
const tool = { name: "list", description: "All notes.", inputSchema: { type: "object", properties: {} } };
const text = "the same note, once more\\n".repeat(400) + "last note";
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": () => ({ content: [{ type: "text", text }] }),
  ping: () => ({}),
};
let pending = "";
process.stdin.setEncoding("utf8").on("data", (piece) => {
  const lines = (pending + piece).split("\\n");
  pending = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = answers[method];
    const said = answer ? { result: answer(params ?? {}) } : { error: { code: -32601, message: "unknown" } };
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...said }) + "\\n");
  }
});
`,
  );
}
