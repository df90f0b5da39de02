/** Whatever comes in, the hook of the built binary ends with 0 or 2, an answer valid for the agent, and in time. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dialectNamed, guessFromText, recognise } from "../../src/agents/dialects/index.ts";
import { BUDGET_MS } from "../../src/agents/hook/context.ts";
import { readPayload } from "../../src/agents/hook/payload.ts";
import { digestOf } from "../../src/output/recall/store.ts";
import { projectPaths } from "../../src/platform/paths.ts";
import { NAMES, payloadText, problemWith, random } from "../agents-unit/random.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { claudePayload, hook, indexed } from "./hook-payloads.ts";

// A shared machine may be busy; nothing here is about time but where it says so.
setDefaultTimeout(60_000);

const box = new Sandbox();
afterAll(() => box[Symbol.dispose]());

const COUNT = Number(process.env["TOKENIX_RANDOM_BINARY"] ?? (process.env["CI"] ? 2000 : 60));

test(
  `${COUNT} random and broken payloads through the binary`,
  async () => {
    const next = random(Number(process.env["TOKENIX_SEED"] ?? 7));
    const problems: string[] = [];
    const one = async (n: number) => {
      const text = payloadText(next);
      const name = NAMES[Math.floor(next() * NAMES.length)];
      const side = next() < 0.6 ? "pre" : "post";
      const started = performance.now();
      const args = [side === "pre" ? "hook" : "hook-post", ...(name === undefined ? [] : [name])];
      const { code, stdout, stderr, timedOut } = await box.run(args, { stdin: text, timeoutMs: 20_000 });
      const took = performance.now() - started;
      const payload = await readPayload(new Blob([text]).stream(), 1000);
      const named = dialectNamed(name);
      const dialect = (payload.value && recognise(payload.value, named)) ?? named ?? guessFromText(payload.text);
      const problem =
        timedOut || took > 10 * BUDGET_MS
          ? `took ${took.toFixed(0)} ms`
          : problemWith({ stdout, stderr, exitCode: code as 0 | 2 }, dialect?.id, side);
      if (problem) problems.push(`#${n} ${problem} · ${args.join(" ")} · ${text.slice(0, 300)}`);
    };
    for (let n = 0; n < COUNT && problems.length < 5; n += 2) await Promise.all([one(n), one(n + 1)]);
    expect(problems).toEqual([]);
  },
  20 * 60_000,
);

describe("stdin", () => {
  const payload = JSON.stringify({
    toolCall: { name: "run_command", args: { CommandLine: "ls" } },
    conversationId: "k",
  });

  test("that is never closed does not hold the answer", async () => {
    const child = Bun.spawn([BINARY, "hook", "agy"], { stdin: "pipe", stdout: "pipe", stderr: "pipe", env: box.env });
    child.stdin.write(payload);
    await child.stdin.flush();
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stdout).text()).toBe('{"decision":"allow"}\n');
  });

  test("that never says a word ends in the agent's own 'go on'", async () => {
    const child = Bun.spawn([BINARY, "hook", "agy"], { stdin: "pipe", stdout: "pipe", stderr: "pipe", env: box.env });
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stdout).text()).toBe('{"decision":"allow"}\n');
  });

  test("with byte-order marks, of UTF-16, or nested in a string is read all the same", async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(payload, "utf16le")]);
    for (const stdin of [`\ufeff${payload}`, `\ufeff\ufeff${payload}`, utf16, JSON.stringify(payload)])
      expect(await box.run(["hook"], { stdin })).toMatchObject({ code: 0, stdout: '{"decision":"allow"}\n' });
  });

  test("of more than 16 MB is let go", async () => {
    const text = JSON.stringify({ tool_name: "Bash", tool_input: { command: "x".repeat(17 * 1024 * 1024) } });
    expect(await box.run(["hook", "cursor"], { stdin: text })).toMatchObject({ code: 0, stdout: "{}\n" });
  });
});

const same = "same\n".repeat(500);
const STUCK = [
  {
    agent: "claude",
    goOn: "",
    payload: (own: Sandbox) =>
      claudePayload(own, {
        tool: "Bash",
        input: { command: "npm ci" },
        response: { stdout: same, stderr: "", interrupted: false, isImage: false },
      }),
  },
  // An agent that has to be told something.
  {
    agent: "opencode",
    goOn: "{}\n",
    payload: (own: Sandbox) =>
      JSON.stringify({
        agent: "opencode",
        event: "tool.execute.after",
        tool: "bash",
        cwd: own.root,
        args: { command: "npm ci" },
        output: same,
        metadata: { exit: 0 },
      }),
  },
];

test.each(STUCK)("a disk that never answers ends in $agent's own 'go on', with exit 0 and in time", async (one) => {
  if (process.platform === "win32") return;
  using own = new Sandbox();
  // Writing to a pipe that nobody reads blocks for ever, as a dead network disk does.
  const kept = join(own.home, ".tokenix", "stash", `${digestOf(Buffer.from(same))}.raw`);
  mkdirSync(dirname(kept), { recursive: true });
  await own.exec(["mkfifo", kept]);
  const started = performance.now();
  const answer = await own.run(["hook-post", one.agent], { stdin: one.payload(own), timeoutMs: 15_000 });
  expect(answer).toMatchObject({ code: 0, stdout: one.goOn, timedOut: false });
  expect(performance.now() - started).toBeGreaterThan(BUDGET_MS * 0.9);
});

test("an answer larger than a pipe's buffer arrives whole", async () => {
  const stdout = Array.from({ length: 30_000 }, (_, i) => `line ${i} token=ghp_${"a1B2".repeat(9)}`).join("\n");
  const payload = claudePayload(box, {
    tool: "Bash",
    input: { command: "cat big.log" },
    response: { stdout, stderr: "", interrupted: false, isImage: false },
  });
  const answer = await hook(box, payload, { door: "hook-post" });
  expect(JSON.stringify(answer.output).length).toBeGreaterThan(500_000);
});

describe("an index that is missing, damaged, or another branch's", () => {
  const body = "  const doubled = input * 2;\n  if (doubled > 9) return doubled;\n";
  const text = Array.from(
    { length: 60 },
    (_, i) => `export function part${i}(input: number): number {\n${body}  return ${i};\n}`,
  ).join("\n\n");
  const read = (own: Sandbox, session: string) => {
    const lines = text.split("\n").length;
    const file = { filePath: own.path("a.ts"), content: text, numLines: lines, startLine: 1, totalLines: lines };
    const response = { type: "text", file };
    return hook(own, claudePayload(own, { tool: "Read", input: { file_path: own.path("a.ts") }, response, session }), {
      door: "hook-post",
    });
  };
  const grep = (own: Sandbox) =>
    hook(
      own,
      claudePayload(own, { tool: "Grep", input: { pattern: "prat7x" }, response: { numFiles: 0, filenames: [] } }),
      {
        door: "hook-post",
      },
    );

  test("has no answer, and the session goes on", async () => {
    using own = new Sandbox();
    own.write({ "a.ts": text }).commit();
    expect(await read(own, "1")).toMatchObject({ code: 0, stdout: "" });
    await indexed(own);
    expect((await read(own, "2")).stdout).toContain("outline of a.ts");
    own.gitSync("checkout", "-q", "-b", "other");
    expect(await grep(own)).toMatchObject({ code: 0, stdout: "" });
    const { database } = projectPaths(own.root, { env: own.env });
    writeFileSync(database, "this is no database");
    expect(await read(own, "3")).toMatchObject({ code: 0, stdout: "" });
    expect(await grep(own)).toMatchObject({ code: 0, stdout: "" });
    mkdirSync(dirname(database), { recursive: true });
  });
});

test("the log holds no credential", async () => {
  using own = new Sandbox();
  const secret = `ghp_${"a1B2".repeat(9)}`;
  const payload = claudePayload(own, {
    tool: "Bash",
    input: { command: `curl -H "Authorization: Bearer ${secret}" https://example.test` },
    response: { stdout: "line\n".repeat(400), stderr: "", interrupted: false, isImage: false },
  });
  await hook(own, payload, { door: "hook-post" });
  const log = readFileSync(projectPaths(own.root, { env: own.env }).log, "utf8");
  expect(log).toContain("curl");
  expect(log).not.toContain(secret);
});

describe("a payload that can't be read", () => {
  const cases: readonly [name: string, stdin: string, problem: string][] = [
    ["no JSON", "{bad token=ghp_0123456789abcdefghijABCDEFGHIJ012345", "no JSON object"],
    ["too large", `{"a":"${"x".repeat(17 * 1024 * 1024)}"}`, "too large"],
  ];
  for (const [name, stdin, problem] of cases)
    test(`${name}: goes on, and leaves one line that others can't read and that quotes nothing of it`, async () => {
      using own = new Sandbox();
      const env = { TOKENIX_HOOK_BUDGET_MS: "10000" };
      for (let n = 0; n < 2; n++) expect(await own.run(["hook", "claude"], { stdin, env })).toMatchObject({ code: 0 });
      const path = join(own.home, ".tokenix", "errors.log");
      const lines = readFileSync(path, "utf8").trim().split("\n");
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(new RegExp(`^\\S+ hook: the payload for 'hook claude' is passed through: ${problem}$`));
      if (process.platform !== "win32") expect(statSync(path).mode & 0o077).toBe(0);
    });

  test("a payload that can be read leaves no line, and neither does none at all", async () => {
    using own = new Sandbox();
    expect((await own.run(["hook", "claude"], { stdin: "" })).code).toBe(0);
    expect(
      (await own.run(["hook", "claude"], { stdin: claudePayload(own, { tool: "Bash", input: { command: "ls" } }) }))
        .code,
    ).toBe(0);
    expect(existsSync(join(own.home, ".tokenix", "errors.log"))).toBe(false);
  });
});
