/** Every agent's payload becomes the one tool call, and every decision the agent's own words. */
import { describe, expect, test } from "bun:test";
import { dialectNamed, dialectOf, dialects, guessFromText, recognise } from "../../src/agents/dialects/index.ts";
import { isObject, type JsonObject } from "../../src/agents/json.ts";
import type { Decision, ToolCall } from "../../src/agents/tool-call.ts";
import { samples } from "./payloads.ts";

function decoded(payload: unknown): ToolCall {
  const object = payload as JsonObject;
  const call = recognise(object)?.decode(object, "pre");
  if (!call) throw new Error("no call in this payload");
  return call;
}

const byTitle = (title: string): ToolCall => {
  const sample = samples.find((one) => one.title === title);
  if (!sample) throw new Error(`no sample '${title}'`);
  return decoded(sample.payload);
};

const parsed = (stdout: string): JsonObject => {
  const value: unknown = JSON.parse(stdout);
  if (!isObject(value)) throw new Error("no object");
  return value;
};

describe("a payload is recognised and decoded", () => {
  for (const sample of samples)
    test(sample.title, () => {
      const object = sample.payload as JsonObject;
      expect(recognise(object)?.id).toBe(sample.dialect);
      const call = decoded(object);
      expect([call.event, call.kind]).toEqual([sample.event, sample.kind]);
      expect(call as unknown as Record<string, unknown>).toMatchObject(sample.holds);
    });
});

describe("a name on the command line", () => {
  const claudeLike = { tool_name: "Bash", tool_input: { command: "ls" } };
  test("decides where the payload could be anybody's", () => {
    for (const dialect of dialects) expect(recognise({}, dialect)?.id).toBe(dialect.id);
    expect(recognise(claudeLike, dialectNamed("codex"))?.id).toBe("codex");
  });
  test("loses to a payload that is surely another agent's", () => {
    for (const sample of samples) {
      if (sample.dialect === "claude") continue;
      expect(recognise(sample.payload as JsonObject, dialectNamed("claude"))?.id).toBe(sample.dialect);
    }
  });
  test("is known under every spelling that the installers write", () => {
    expect(["claude", "claude-code", "agy", "cursor-agent", "vscode"].map((name) => dialectNamed(name)?.id)).toEqual([
      "claude",
      "claude",
      "antigravity",
      "cursor",
      "vscode",
    ]);
    expect(dialectNamed("nobody")).toBeUndefined();
  });
});

describe("letting a call go on", () => {
  test("is each agent's own neutral answer", () => {
    const answers = Object.fromEntries(dialects.map((dialect) => [dialect.id, dialect.pass("pre").stdout.trim()]));
    expect(answers).toEqual({
      claude: "",
      codex: "",
      copilot: "",
      vscode: "",
      antigravity: '{"decision":"allow"}',
      gemini: "{}",
      opencode: "{}",
      cursor: "{}",
    });
  });
  test("is an empty object after a tool of Antigravity", () => {
    expect(dialectOf("antigravity").pass("post").stdout).toBe("{}\n");
  });
  test("is guessed from broken text for agents that take silence for a refusal", () => {
    expect(guessFromText('{"toolCall":{"name":"run_co')?.id).toBe("antigravity");
    expect(guessFromText('{"cursor_version":"3')?.id).toBe("cursor");
    expect(guessFromText("not json")).toBeUndefined();
  });
});

describe("a rewrite", () => {
  const rewrite: Decision = { kind: "rewrite-command", command: "tokenix run X", why: "allowed by Bash(X:*)" };
  const encode = (title: string) => {
    const call = byTitle(title);
    return parsed(dialectOf(call.dialect).encode(rewrite, call).stdout);
  };
  test("keeps every other key of Claude Code's input", () => {
    expect(encode("claude: a command about to run")).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        permissionDecisionReason: "allowed by Bash(X:*)",
        updatedInput: { command: "tokenix run X", description: "unit tests", timeout: 120000 },
      },
    });
  });
  test("is exactly the pair that Codex takes", () => {
    expect(encode("codex: a command about to run")).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { command: "tokenix run X" },
      },
    });
  });
  test("is flat for Copilot", () => {
    expect(encode("copilot: camel names, arguments as text")["modifiedArgs"]).toEqual({
      command: "tokenix run X",
      description: "install",
    });
  });
  test("goes under the argument's own name for Antigravity, Gemini and Cursor", () => {
    expect(encode("antigravity: a command about to run")).toEqual({
      decision: "allow",
      overwrite: { CommandLine: "tokenix run X" },
    });
    expect(encode("gemini: a command about to run")).toEqual({
      hookSpecificOutput: { tool_input: { command: "tokenix run X", description: "tests", dir_path: "." } },
    });
    expect(encode("cursor: a command about to run")["updated_input"]).toEqual({ command: "tokenix run X" });
  });
});

describe("a replaced result", () => {
  test("has the object shape of Claude Code's Bash, without the pointer to its own file", () => {
    const call = decoded({
      hook_event_name: "PostToolUse",
      session_id: "s",
      tool_name: "Bash",
      tool_input: { command: "x" },
      tool_response: {
        stdout: "long",
        stderr: "",
        interrupted: false,
        isImage: false,
        persistedOutputPath: "/tmp/o",
        persistedOutputSize: 9,
        extra: [1],
      },
    });
    const answer = dialectOf("claude").encode(
      { kind: "replace", with: { kind: "shell", stdout: "short", stderr: "e" }, why: "" },
      call,
    );
    expect(parsed(answer.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PostToolUse",
        updatedToolOutput: { stdout: "short", stderr: "e", interrupted: false, isImage: false, extra: [1] },
      },
    });
  });
  test("turns 'unchanged' into the text shape of a read", () => {
    const call = byTitle("claude: the stub for an unchanged file");
    const answer = dialectOf("claude").encode(
      { kind: "replace", with: { kind: "read", text: "a\nb", totalLines: 2 }, why: "" },
      call,
    );
    expect(parsed(answer.stdout)["hookSpecificOutput"]).toMatchObject({
      updatedToolOutput: {
        type: "text",
        file: { filePath: "/w/app/a.ts", content: "a\nb", numLines: 2, startLine: 1, totalLines: 2 },
      },
    });
  });
  test("answers a search for file names as content", () => {
    const call = byTitle("claude: a search without a match");
    const answer = dialectOf("claude").encode(
      { kind: "replace", with: { kind: "grep", text: "x\ny", matched: false }, why: "" },
      call,
    );
    expect(parsed(answer.stdout)["hookSpecificOutput"]).toMatchObject({
      updatedToolOutput: { mode: "content", filenames: [], content: "x\ny", numLines: 2 },
    });
  });
  test("keeps an MCP answer's other blocks", () => {
    const call = byTitle("claude: an MCP tool's answer");
    const answer = dialectOf("claude").encode(
      { kind: "replace", with: { kind: "mcp", texts: ["1", "2"] }, why: "" },
      call,
    );
    expect(parsed(answer.stdout)["hookSpecificOutput"]).toMatchObject({
      updatedToolOutput: [
        { type: "text", text: "1" },
        { type: "image", data: "" },
        { type: "text", text: "2" },
      ],
    });
  });
  test("is the reason of a Codex 'block', and Copilot's modifiedResult", () => {
    const shell: Decision = { kind: "replace", with: { kind: "shell", stdout: "short", stderr: "" }, why: "" };
    const codexCall = byTitle("codex: a result with its exit code in the text");
    expect(parsed(dialectOf("codex").encode(shell, codexCall).stdout)).toEqual({
      decision: "block",
      reason: "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 7\nOutput:\nshort",
    });
    const copilotCall = byTitle("copilot: a result");
    expect(parsed(dialectOf("copilot").encode(shell, copilotCall).stdout)).toEqual({
      modifiedResult: { resultType: "success", textResultForLlm: "short\n<shellId: 0 completed with exit code 3>" },
    });
  });
  test("goes back to Cursor as an object", () => {
    const call = byTitle("cursor: an MCP tool's answer, sent as text");
    const answer = dialectOf("cursor").encode({ kind: "replace", with: { kind: "mcp", texts: ["1"] }, why: "" }, call);
    expect(parsed(answer.stdout)).toEqual({ updated_mcp_tool_output: { content: [{ type: "text", text: "1" }] } });
  });
});

test("a block is exit 2 with the reason for a bare payload, and JSON elsewhere", () => {
  const block: Decision = { kind: "block", reason: "outline", why: "" };
  const bare = byTitle("claude: nothing but a tool and its input");
  expect(dialectOf("claude").encode(block, bare)).toEqual({ stdout: "", stderr: "outline\n", exitCode: 2 });
  const agy = byTitle("antigravity: a file viewed");
  expect(dialectOf("antigravity").encode(block, agy)).toMatchObject({ exitCode: 0 });
  expect(parsed(dialectOf("antigravity").encode(block, agy).stdout)).toEqual({ decision: "deny", reason: "outline" });
});
