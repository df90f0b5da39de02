/** A session with Claude Code's own payloads: what the model is shown, call by call. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { isObject, type JsonObject } from "../../src/agents/json.ts";
import { Sandbox } from "../support/sandbox.ts";
import { claudePayload, hook, indexed } from "./hook-payloads.ts";

// A shared machine may be busy; nothing here is about time.
setDefaultTimeout(60_000);

const box = new Sandbox();
afterAll(() => box[Symbol.dispose]());

const functions = Array.from(
  { length: 60 },
  (_, i) =>
    `/** Step ${i} of retrying a failed upload. */\nexport function uploadStep${i}(attempt: number): number {\n  const wait = attempt * ${i};\n  if (wait > 9000) throw new Error("gave up");\n  return wait;\n}\n`,
).join("\n");

beforeAll(async () => {
  box
    .write({ "src/upload.ts": functions, "src/small.ts": "export const a = 1;\n", "notes.md": "x\n".repeat(300) })
    .commit();
  await indexed(box);
}, 120_000);

function readResponse(path: string, text: string): JsonObject {
  const lines = text.split("\n").length;
  return { type: "text", file: { filePath: path, content: text, numLines: lines, startLine: 1, totalLines: lines } };
}

async function afterRead(
  file: string,
  text: string,
  options: { session: string; input?: JsonObject; response?: JsonObject },
) {
  const path = box.path(file);
  const payload = claudePayload(box, {
    tool: "Read",
    input: { file_path: path, ...options.input },
    response: options.response ?? readResponse(path, text),
    session: options.session,
  });
  const answer = await hook(box, payload, { door: "hook-post" });
  expect(answer.code).toBe(0);
  const updated = answer.output["updatedToolOutput"];
  const shown = isObject(updated) && isObject(updated["file"]) ? updated["file"]["content"] : undefined;
  return { ...answer, shown };
}

describe("a big file", () => {
  test("is read as it is: before the tool nothing happens", async () => {
    const payload = claudePayload(box, { tool: "Read", input: { file_path: box.path("src/upload.ts") } });
    expect(await hook(box, payload)).toMatchObject({ code: 0, stdout: "" });
  });

  test("is answered by its outline, and the second whole read by all of it", async () => {
    const first = await afterRead("src/upload.ts", functions, { session: "twice" });
    expect(first.shown).toContain("outline of src/upload.ts, 419 lines");
    expect(first.shown).toContain("export function uploadStep59(attempt: number): number");
    expect(first.shown).toMatch(/\b8-13? {2}export function uploadStep1\(|9-13 {2}export function uploadStep1\(/);
    expect(String(first.shown).length).toBeLessThan(functions.length * 0.7);
    const second = await afterRead("src/upload.ts", functions, { session: "twice" });
    expect(second.stdout).toBe("");
  });

  test("comes whole where the agent would say 'unchanged'", async () => {
    await afterRead("src/upload.ts", functions, { session: "stub" });
    const stub = { type: "file_unchanged", file: { filePath: box.path("src/upload.ts") } };
    const second = await afterRead("src/upload.ts", "", { session: "stub", response: stub });
    expect(second.shown).toBe(functions);
    const third = await afterRead("src/upload.ts", "", { session: "stub", response: stub });
    expect(third.stdout).toBe("");
  });

  test("is another matter in another session", async () => {
    await afterRead("src/upload.ts", functions, { session: "a" });
    expect((await afterRead("src/upload.ts", functions, { session: "b" })).shown).toContain("outline of");
  });

  test("is asked for once, even when two settings files deliver the same call", async () => {
    const path = box.path("src/upload.ts");
    const call = {
      tool: "Read",
      input: { file_path: path },
      response: readResponse(path, functions),
      session: "double",
    };
    const payload = JSON.stringify({ ...JSON.parse(claudePayload(box, call)), tool_use_id: "toolu_1" });
    for (let n = 0; n < 2; n++)
      expect((await hook(box, payload, { door: "hook-post" })).stdout).toContain("outline of src/upload.ts");
  });

  test("was not shown to a sub-agent because the session has seen it", async () => {
    const path = box.path("src/upload.ts");
    await afterRead("src/upload.ts", functions, { session: "parent" });
    const call = {
      tool: "Read",
      input: { file_path: path },
      response: readResponse(path, functions),
      session: "parent",
    };
    const payload = JSON.stringify({ ...JSON.parse(claudePayload(box, call)), agent_id: "a1" });
    expect((await hook(box, payload, { door: "hook-post" })).stdout).toContain("outline of src/upload.ts");
  });

  test("comes as it is when a part was asked for", async () => {
    const part = await afterRead("src/upload.ts", functions, { session: "part", input: { offset: 10, limit: 400 } });
    expect(part.stdout).toBe("");
  });

  test("has the outline of its present text when it was edited after indexing", async () => {
    const edited = `// new first line\n${functions}`;
    writeFileSync(box.path("src/upload.ts"), edited);
    try {
      const first = await afterRead("src/upload.ts", edited, { session: "edited" });
      expect(first.shown).toContain("10-14  export function uploadStep1(");
    } finally {
      writeFileSync(box.path("src/upload.ts"), functions);
    }
  });

  test("that the agent refuses for its size gets its outline beside the refusal", async () => {
    const payload = claudePayload(box, {
      event: "PostToolUseFailure",
      tool: "Read",
      input: { file_path: box.path("src/upload.ts") },
      error: "File content (310.2KB) exceeds maximum allowed size (256KB).",
    });
    const { output } = await hook(box, payload, { door: "hook-post" });
    expect(output["hookEventName"]).toBe("PostToolUseFailure");
    expect(output["additionalContext"]).toContain("uploadStep59");
  });
});

test("small files, texts that are no code and unknown files come as they are", async () => {
  for (const file of ["src/small.ts", "notes.md"]) {
    const text = await Bun.file(box.path(file)).text();
    expect((await afterRead(file, text, { session: "small" })).stdout).toBe("");
  }
  expect((await afterRead("../elsewhere.ts", functions, { session: "small" })).stdout).toBe("");
});

describe("a search", () => {
  const grep = (input: JsonObject, response?: JsonObject) =>
    hook(box, claudePayload(box, { tool: "Grep", input, ...(response ? { response } : {}) }), {
      door: response ? "hook-post" : "hook",
    });
  const nothing = { mode: "files_with_matches", numFiles: 0, filenames: [] };

  test("for content without a limit gets one; its other keys stay", async () => {
    const { output } = await grep({ pattern: "upload", output_mode: "content", "-n": true });
    expect(output["updatedInput"]).toEqual({ pattern: "upload", output_mode: "content", "-n": true, head_limit: 100 });
    expect(output["permissionDecision"]).toBeUndefined();
    expect((await grep({ pattern: "upload", output_mode: "content", head_limit: 5 })).stdout).toBe("");
    expect((await grep({ pattern: "upload" })).stdout).toBe("");
  });

  test("that found something keeps what it found", async () => {
    const found = { mode: "content", numFiles: 1, filenames: [], content: "src/upload.ts:2:x", numLines: 1 };
    expect((await grep({ pattern: "uploadStep1", output_mode: "content" }, found)).stdout).toBe("");
  });

  test("for a name that stands nowhere is answered with the near one, and says so", async () => {
    const { output } = await grep({ pattern: "uploadStpe7" }, nothing);
    const updated = output["updatedToolOutput"];
    expect(updated).toMatchObject({ mode: "content" });
    expect(isObject(updated) ? updated["content"] : "").toMatch(
      /no literal match.*symbol table[\s\S]*src\/upload\.ts:\d+-\d+: /,
    );
  });

  test("in words is answered by meaning, from the searched folder alone", async () => {
    const asked = async (path: string) => {
      const { output } = await grep({ pattern: "when is a failed upload retried", path }, nothing);
      const updated = output["updatedToolOutput"];
      return isObject(updated) ? String(updated["content"]) : undefined;
    };
    expect(await asked(box.path("src"))).toMatch(/no literal match.*nearest in meaning[\s\S]*src\/upload\.ts:\d+-\d+/);
    expect(await asked(box.path("docs"))).toBeUndefined();
  });

  test("by a regular expression, or for nothing known, stays without an answer", async () => {
    expect((await grep({ pattern: "upl.*Step[0-9]+x" }, nothing)).stdout).toBe("");
    expect((await grep({ pattern: "zzqqxxyyww" }, nothing)).stdout).toBe("");
  });
});

describe("a command's result", () => {
  const run = (command: string, stdout: string, more: JsonObject = {}) =>
    hook(
      box,
      claudePayload(box, {
        tool: "Bash",
        input: { command },
        response: { stdout, stderr: "", interrupted: false, isImage: false, ...more },
      }),
      { door: "hook-post" },
    );
  const long = Array.from({ length: 800 }, (_, i) => `fetching package number ${i % 7} from the cache`).join("\n");

  test("is shortened in the tool's own shape, with the way back", async () => {
    const { output } = await run("npm ci", long, { extra: true });
    const updated = output["updatedToolOutput"];
    if (!isObject(updated)) throw new Error("not replaced");
    expect(Object.keys(updated).sort()).toEqual(["extra", "interrupted", "isImage", "stderr", "stdout"]);
    const stdout = String(updated["stdout"]);
    expect(stdout.length).toBeLessThan(long.length / 4);
    const key = /retrieve ([0-9a-f]{12})/.exec(stdout)?.[1];
    expect(key).toBeDefined();
    const stashed = await Bun.file(`${box.home}/.tokenix/stash/${key}.raw`).text();
    expect(stashed).toBe(long);
  });

  test("that an edit may be made from, a selector made, or a machine reads stays to the byte", async () => {
    for (const command of [
      "cat a.ts",
      "sed -n 1,400p a.ts",
      "npm ci | grep x",
      "gh pr list --json title",
      "for i in 1; do ls; done",
    ])
      expect((await run(command, long)).stdout).toBe("");
  });

  test("loses its credentials on the way, and says that it did", async () => {
    const { output } = await run("cat .env", `A=1\nGITHUB_TOKEN=ghp_${"a1B2".repeat(9)}\n`);
    const updated = output["updatedToolOutput"];
    const stdout = isObject(updated) ? String(updated["stdout"]) : "";
    expect(stdout).toContain("[REDACTED]");
    expect(stdout).not.toContain("a1B2a1B2");
    expect(stdout).toContain("not the literal text");
  });

  test("of an odd shape is left alone", async () => {
    const payload = claudePayload(box, { tool: "Bash", input: { command: "ls" }, response: "a plain string" });
    expect((await hook(box, payload, { door: "hook-post" })).stdout).toBe("");
    expect((await run("npm ci", long, { interrupted: true })).stdout).toBe("");
  });
});

describe("an MCP server's answer", () => {
  const answer = (tool: string, text: string) =>
    hook(
      box,
      claudePayload(box, {
        tool,
        input: {},
        response: [
          { type: "text", text },
          { type: "image", data: "x" },
        ],
      }),
      {
        door: "hook-post",
      },
    );
  const long = Array.from({ length: 900 }, (_, i) => `row ${i % 3}: nothing new here`).join("\n");

  test("is shortened block by block, with the way back", async () => {
    const { output } = await answer("mcp__tickets__list", long);
    const updated = output["updatedToolOutput"];
    expect(updated).toMatchObject([{ type: "text" }, { type: "image", data: "x" }]);
    const text = JSON.stringify(updated);
    expect(text.length).toBeLessThan(long.length / 2);
    expect(text).toMatch(/retrieve [0-9a-f]{12}/);
  });

  test("that is a file, or our own server's, stays as it is", async () => {
    expect((await answer("mcp__fs__read_text_file", long)).stdout).toBe("");
    expect((await answer("mcp__tokenix__query", long)).stdout).toBe("");
  });
});

test("a long listing of files is told by folder", async () => {
  const filenames = Array.from(
    { length: 60 },
    (_, i) => `packages/application/source/components/part${i % 3}/file${i}.ts`,
  );
  const response = { durationMs: 3, numFiles: 60, filenames, truncated: false };
  const { output } = await hook(box, claudePayload(box, { tool: "Glob", input: { pattern: "**/*.ts" }, response }), {
    door: "hook-post",
  });
  const updated = output["updatedToolOutput"];
  expect(updated).toMatchObject({ durationMs: 3, numFiles: 60, truncated: false });
  const lines = isObject(updated) && Array.isArray(updated["filenames"]) ? updated["filenames"] : [];
  expect(lines).toHaveLength(4);
  expect(lines[1]).toStartWith("packages/application/source/components/part0/: file0.ts file3.ts ");
});

test("gain tells what the session saved, out of everything that was measured", async () => {
  const { stdout, code } = await box.run(["gain", "--json"]);
  expect(code).toBe(0);
  const report = JSON.parse(stdout) as { total: { calls: number; shortened: number; fetches: number } };
  expect(report.total.calls).toBeGreaterThan(report.total.shortened - 1);
  expect(report.total.shortened).toBeGreaterThan(3);
  expect(report.total.fetches).toBeGreaterThan(0);
});

test("explain-hook says what would happen and why, and leaves no trace", async () => {
  const payload = claudePayload(box, {
    tool: "Read",
    input: { file_path: box.path("src/upload.ts") },
    response: readResponse(box.path("src/upload.ts"), functions),
    session: "explained",
  });
  const { stdout, code } = await box.run(["explain-hook"], { stdin: payload });
  expect(code).toBe(0);
  expect(stdout).toMatch(/decision {2}replace[\s\S]*because {3}outline: \d+ → \d+ tokens/);
  expect((await afterRead("src/upload.ts", functions, { session: "explained" })).shown).toContain("outline of");
});
