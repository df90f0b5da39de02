/** The other agents' payloads through the built binary: what each is told, by what it lets a hook do. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "../../src/agents/json.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { indexed } from "./hook-payloads.ts";

// A shared machine may be busy; nothing here is about time.
setDefaultTimeout(60_000);

const PATIENT = { TOKENIX_HOOK_BUDGET_MS: "60000" };
const box = new Sandbox();
afterAll(() => box[Symbol.dispose]());

const source = Array.from(
  { length: 60 },
  (_, i) =>
    `export function stepNumber${i}(input: number): number {\n  const wait = input * ${i};\n  if (wait > 9) return 9;\n  return wait;\n}\n`,
).join("\n");

beforeAll(async () => {
  box.write({ "src/steps.ts": source }).commit();
  await indexed(box);
}, 120_000);

async function answer(payload: JsonObject, args: readonly string[] = ["hook"]): Promise<JsonObject | undefined> {
  const { code, stdout, stderr } = await box.run(args, { stdin: JSON.stringify(payload), env: PATIENT });
  expect([code, stderr]).toEqual([0, ""]);
  if (stdout === "") return undefined;
  const value: unknown = JSON.parse(stdout);
  if (!isObject(value)) throw new Error("no object");
  return value;
}

describe("an agent whose results can't be replaced", () => {
  const file = () => box.path("src/steps.ts");
  const reads: readonly [
    name: string,
    payload: () => JsonObject,
    refusal: (value: JsonObject) => unknown,
    goOn: JsonObject | undefined,
  ][] = [
    [
      "VS Code",
      () => ({
        hookEventName: "PreToolUse",
        sessionId: "v",
        cwd: box.root,
        tool_name: "read_file",
        tool_input: { filePath: file() },
      }),
      (value) => isObject(value["hookSpecificOutput"]) && value["hookSpecificOutput"]["permissionDecisionReason"],
      undefined,
    ],
    [
      "Antigravity",
      () => ({
        toolCall: { name: "view_file", args: { AbsolutePath: file() } },
        conversationId: "k",
        workspacePaths: [box.root],
      }),
      (value) => value["decision"] === "deny" && value["reason"],
      { decision: "allow" },
    ],
    [
      "Gemini CLI",
      () => ({
        hook_event_name: "BeforeTool",
        session_id: "g",
        cwd: box.root,
        tool_name: "read_file",
        tool_input: { file_path: file() },
      }),
      (value) => value["decision"] === "deny" && value["reason"],
      {},
    ],
    [
      "Cursor",
      () => ({
        hook_event_name: "preToolUse",
        conversation_id: "u",
        generation_id: "1",
        cwd: box.root,
        tool_name: "Read",
        tool_input: { path: file() },
      }),
      (value) => value["permission"] === "deny" && value["agent_message"],
      {},
    ],
  ];
  for (const [name, payload, refusal, goOn] of reads)
    test(`${name}: a big file is refused once with its outline, then read`, async () => {
      const first = await answer(payload());
      expect(first && refusal(first)).toContain("export function stepNumber59(input: number): number");
      expect(await answer(payload())).toEqual(goOn);
    });

  test("a part of the file is never refused", async () => {
    const payload = { hook_event_name: "BeforeTool", session_id: "part", cwd: box.root, tool_name: "read_file" };
    expect(await answer({ ...payload, tool_input: { file_path: file(), start_line: 1, end_line: 400 } })).toEqual({});
  });

  test("a question is answered by meaning and a name by the symbol table, in the place of the search", async () => {
    const base = { hook_event_name: "BeforeTool", session_id: "q", cwd: box.root, tool_name: "grep_search" };
    const name = await answer({ ...base, tool_input: { pattern: "stepNumber7" } });
    expect(name?.["reason"]).toMatch(/symbol table[\s\S]*src\/steps\.ts:\d+-\d+/);
    // Asked once more, the search itself is wanted.
    const again = await answer({ ...base, tool_input: { pattern: "stepNumber7" } });
    expect(again?.["decision"]).toBeUndefined();
    const question = await answer({ ...base, tool_input: { pattern: "which step number waits" } });
    expect(question?.["reason"]).toMatch(/nearest in meaning[\s\S]*src\/steps\.ts:/);
    const pattern = await answer({ ...base, tool_input: { pattern: "step[0-9]+" } });
    expect(pattern).toEqual({});
  });

  test("a command is left alone where nothing tells what would be asked", async () => {
    const vscode = {
      hookEventName: "PreToolUse",
      sessionId: "v",
      cwd: box.root,
      tool_name: "run_in_terminal",
      tool_input: { command: "cargo test" },
    };
    expect(await answer(vscode)).toBeUndefined();
    const cursor = {
      hook_event_name: "preToolUse",
      conversation_id: "u",
      generation_id: "1",
      tool_name: "Shell",
      tool_input: { command: "cargo test" },
    };
    expect(await answer(cursor)).toEqual({});
    const agy = { toolCall: { name: "run_command", args: { CommandLine: "cargo test" } }, conversationId: "k" };
    expect(await answer(agy)).toEqual({ decision: "allow" });
  });

  test("Antigravity's command is rewritten where its settings ask nothing", async () => {
    using own = new Sandbox();
    const settings = join(own.home, ".gemini", "antigravity-cli");
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, "settings.json"), '{"toolPermission":"always-proceed"}');
    const payload = {
      toolCall: { name: "run_command", args: { CommandLine: "cargo test", Cwd: own.root } },
      conversationId: "k",
    };
    const { stdout } = await own.run(["hook", "agy"], { stdin: JSON.stringify(payload), env: PATIENT });
    expect(JSON.parse(stdout)).toEqual({ decision: "allow", overwrite: { CommandLine: `${BINARY} run cargo test` } });
  });
});

describe("codex", () => {
  const base = {
    session_id: "c",
    turn_id: "t",
    cwd: box.root,
    model: "m",
    permission_mode: "default",
    tool_name: "Bash",
  };
  const long = Array.from({ length: 600 }, (_, i) => `   Compiling crate-${i % 9} v1.0.0`).join("\n");

  test("a command is rewritten by the exact pair it takes, where nobody is asked about it", async () => {
    const before = { ...base, hook_event_name: "PreToolUse", tool_input: { command: "cargo test" } };
    expect(await answer(before)).toBeUndefined();
    const value = await answer({ ...before, permission_mode: "bypassPermissions" });
    expect(value).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { command: `${BINARY} run cargo test` },
      },
    });
  });
  test("a result is replaced only where its text, or the session's record, proves how the command ended", async () => {
    const after = { ...base, hook_event_name: "PostToolUse", tool_input: { command: "make" } };
    for (const code of [0, 2]) {
      const proven = await answer(
        { ...after, tool_response: `Wall time: 1 s\nProcess exited with code ${code}\nOutput:\n${long}` },
        ["hook-post"],
      );
      expect(proven?.["reason"]).toStartWith(`Wall time: 1 s\nProcess exited with code ${code}\nOutput:\n`);
      expect(String(proven?.["reason"]).length).toBeLessThan(long.length / 2);
    }
    expect(await answer({ ...after, tool_response: long }, ["hook-post"])).toBeUndefined();
    const record = box.path("record.jsonl");
    const item = { type: "CommandExecution", id: "call-1", status: "failed", exit_code: 2 };
    const lines = [{ type: "event_msg", payload: { type: "item_completed", item } }, { type: "token_usage_record" }];
    writeFileSync(record, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    const recorded = { ...after, tool_use_id: "call-1", transcript_path: record };
    const value = await answer({ ...recorded, tool_response: long }, ["hook-post"]);
    expect(value?.["reason"]).toStartWith("Process exited with code 2\nOutput:\n");
    // Codex shows its user what was replaced: a little is not worth that.
    const short = long.split("\n").slice(0, 30).join("\n");
    expect(await answer({ ...recorded, tool_response: short }, ["hook-post"])).toBeUndefined();
    const other = await answer({ ...recorded, tool_use_id: "call-2", tool_response: long }, ["hook-post"]);
    expect(other).toBeUndefined();
  });
});

test("opencode: a failing command's output is shortened, and the call itself never touched", async () => {
  const base = {
    agent: "opencode",
    tool: "bash",
    sessionID: "o",
    callID: "1",
    cwd: box.root,
    args: { command: "make" },
  };
  expect(await answer({ ...base, event: "tool.execute.before" })).toEqual({});
  const output = `${"cc -c file.c -o file.o\n".repeat(400)}file.c:3:5: error: expected ';'\nmake: *** [all] Error 1\n`;
  const value = await answer({ ...base, event: "tool.execute.after", output, metadata: { exit: 2 } }, ["hook-post"]);
  const shown = String(value?.["output"]);
  expect(shown.length).toBeLessThan(output.length / 2);
  expect(shown).toContain("file.c:3:5: error: expected ';'");
  expect(shown).toContain("Error 1");
});

test("a bare payload that names no event is answered by itself: exit 2 with the outline, as a script would ask", async () => {
  const payload = JSON.stringify({ tool_name: "Read", tool_input: { file_path: "src/steps.ts" } });
  const { code, stderr, stdout } = await box.run(["hook"], { stdin: payload, env: PATIENT });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("outline of src/steps.ts");
});

test("a broken configuration is named once in the log, and works no harm", async () => {
  using own = new Sandbox();
  own.write({ ".tokenix.toml": "[hook]\nread_min_lihnes = 3\n" });
  const payload = JSON.stringify({
    hook_event_name: "PostToolUse",
    session_id: "s",
    cwd: own.root,
    tool_name: "Bash",
    tool_input: { command: "npm ci" },
    tool_response: { stdout: "x\n".repeat(500), stderr: "", interrupted: false, isImage: false },
  });
  for (let n = 0; n < 3; n++) expect((await own.run(["hook-post"], { stdin: payload, env: PATIENT })).code).toBe(0);
  const log = await Bun.file(join(own.home, ".tokenix", "errors.log")).text();
  expect(log.split("read_min_lihnes")).toHaveLength(2);
});
