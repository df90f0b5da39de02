/**
 * What can be wrong with a machine while the hook runs: every fault against every branch of the decision. Always an
 * exit of 0 or 2, an answer that the agent can read, nothing on stderr that blocks, an end in time, and at most one
 * line in the error log, without a credential in it.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { projectPaths } from "../../src/platform/paths.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { claudePayload, indexed } from "./hook-payloads.ts";

// A shared machine may be busy: what hangs, hangs for good, and what is only slow is told by its processor time.
setDefaultTimeout(120_000);
const HANGS_MS = 30_000;
const MOST_CPU_MS = 1500;

const secret = `ghp_${"a1B2".repeat(9)}`;
const source = Array.from(
  { length: 60 },
  (_, i) =>
    `export function stepNumber${i}(input: number): number {\n  const wait = input * ${i};\n  return wait;\n}\n`,
).join("\n");
const noise = "gcc -c a.c -o a.o\n".repeat(500);

interface Call {
  readonly args: readonly string[];
  readonly stdin: string | Uint8Array;
  /** Silence would be a refusal, or a fault, to this agent. */
  readonly wantsJson?: boolean;
}

const claude = (box: Sandbox, door: string, call: Parameters<typeof claudePayload>[1]): Call => ({
  args: [door, "claude"],
  stdin: claudePayload(box, call),
});

/** One call for each branch that goes to the disk. */
function calls(box: Sandbox): Readonly<Record<string, Call>> {
  const lines = source.split("\n").length;
  const file = { filePath: box.path("a.ts"), content: source, numLines: lines, startLine: 1, totalLines: lines };
  const stdout = { stdout: noise, stderr: "", interrupted: false, isImage: false };
  const command = `cargo test -- ${secret}`;
  const nothing = { mode: "files_with_matches", numFiles: 0, filenames: [] };
  const codex = {
    session_id: "s",
    turn_id: "t",
    transcript_path: join(box.home, "rollout.jsonl"),
    cwd: box.root,
    permission_mode: "default",
    tool_name: "Bash",
    tool_use_id: "call-1",
  };
  return {
    "a command": claude(box, "hook", { tool: "Bash", input: { command }, mode: "bypassPermissions" }),
    "a command under rules": claude(box, "hook", { tool: "Bash", input: { command: "cargo test" } }),
    "a result": claude(box, "hook-post", { tool: "Bash", input: { command: `make ${secret}` }, response: stdout }),
    "a read": claude(box, "hook-post", {
      tool: "Read",
      input: { file_path: box.path("a.ts") },
      response: { type: "text", file },
    }),
    "a search": claude(box, "hook-post", { tool: "Grep", input: { pattern: "where does it wait" }, response: nothing }),
    "a refused read": {
      args: ["hook", "gemini"],
      stdin: JSON.stringify({
        session_id: "g",
        cwd: box.root,
        hook_event_name: "BeforeTool",
        tool_name: "read_file",
        tool_input: { file_path: "a.ts" },
      }),
      wantsJson: true,
    },
    "a gate": {
      args: ["hook", "agy"],
      stdin: JSON.stringify({
        toolCall: { name: "run_command", args: { CommandLine: "cargo test", Cwd: box.root } },
        conversationId: "k",
        workspacePaths: [box.root],
      }),
      wantsJson: true,
    },
    "Codex before": {
      args: ["hook", "codex"],
      stdin: JSON.stringify({ ...codex, hook_event_name: "PreToolUse", tool_input: { command: "cargo test" } }),
    },
    "Codex after": {
      args: ["hook-post", "codex"],
      stdin: JSON.stringify({
        ...codex,
        hook_event_name: "PostToolUse",
        tool_input: { command: "make" },
        tool_response: noise,
      }),
    },
  };
}

interface Situation {
  readonly env?: Record<string, string | undefined>;
  /** A command that starts the hook's own. */
  readonly behind?: readonly string[];
}

/** Why a call went wrong, or nothing. */
async function problemWith(box: Sandbox, call: Call, situation: Situation = {}): Promise<string | undefined> {
  const log = join(box.home, ".tokenix", "errors.log");
  const before = linesOf(log).length;
  const child = Bun.spawn([...(situation.behind ?? []), BINARY, ...call.args], {
    cwd: box.root,
    env: withoutUndefined({ ...box.env, CLAUDE_PROJECT_DIR: box.root, ...situation.env }),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, HANGS_MS);
  let pipe = "";
  const started = performance.now();
  try {
    child.stdin.write(call.stdin);
    await child.stdin.end();
  } catch (error) {
    // Past its own deadline the hook ends whatever is still to come.
    if (performance.now() - started < 1000) pipe = String(error);
  }
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  clearTimeout(timer);
  if (hung) return "hung";
  if (pipe !== "") return `the agent's pipe was closed on it: ${pipe}`;
  if (code !== 0 && code !== 2) return `exit ${code}: ${stderr}`;
  if (code === 0 && stderr !== "") return `stderr: ${stderr}`;
  if (stdout !== "" || call.wantsJson === true) {
    try {
      JSON.parse(stdout);
    } catch {
      return `no answer: ${stdout.slice(0, 200)}`;
    }
  }
  // A start without a namespace or a shell of its own: then the time is the hook's alone.
  const cpu = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
  if (situation.behind === undefined && cpu > MOST_CPU_MS) return `took ${cpu.toFixed(0)} ms of processor time`;
  const added = linesOf(log).slice(before);
  if (added.length > 1) return `${added.length} lines in the log`;
  if (added.some((line) => line.includes(secret))) return "a credential in the log";
  return undefined;
}

async function problemsWith(box: Sandbox, situation: Situation = {}): Promise<string[]> {
  const found: string[] = [];
  for (const [name, call] of Object.entries(calls(box))) {
    const problem = await problemWith(box, call, situation);
    if (problem !== undefined) found.push(`${name}: ${problem}`);
  }
  return found;
}

const linesOf = (path: string): string[] =>
  existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];

const withoutUndefined = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

async function indexedBox(): Promise<Sandbox> {
  const box = new Sandbox();
  box.write({ "a.ts": source }).commit();
  await indexed(box);
  return box;
}

const canMount =
  process.platform === "linux" && Bun.spawnSync(["unshare", "-m", "mount", "-t", "tmpfs", "t", "/mnt"]).success;

describe.skipIf(process.platform === "win32")("whatever is wrong with the machine, the session goes on", () => {
  const pipe = (box: Sandbox, path: string) => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    return box.exec(["mkfifo", path]);
  };
  const folder = (path: string) => {
    rmSync(path);
    mkdirSync(path);
  };
  const inHome = (box: Sandbox, ...parts: string[]) => join(box.home, ".tokenix", ...parts);
  const database = (box: Sandbox) => projectPaths(box.root, { env: box.env }).database;
  const faults: readonly { readonly name: string; readonly prepare: (box: Sandbox) => unknown }[] = [
    { name: "a configuration that is a pipe", prepare: (box) => pipe(box, box.path(".tokenix.toml")) },
    {
      name: "a configuration that is a device",
      prepare: (box) => symlinkSync("/dev/stdin", box.path(".tokenix.toml")),
    },
    { name: "a configuration that is a folder", prepare: (box) => mkdirSync(box.path(".tokenix.toml")) },
    {
      name: "a configuration of 200 MB",
      prepare(box) {
        box.write({ ".tokenix.toml": "[hook]\n" });
        truncateSync(box.path(".tokenix.toml"), 200_000_000);
      },
    },
    {
      name: "a configuration nested without an end",
      prepare: (box) => box.write({ ".tokenix.toml": `[hook]\nonly = ${"[".repeat(100_000)}${"]".repeat(100_000)}\n` }),
    },
    {
      name: "records of a session of 1 GB",
      prepare(box) {
        for (const name of ["rollout.jsonl", ".claude/projects/x.jsonl"]) {
          mkdirSync(dirname(join(box.home, name)), { recursive: true });
          writeFileSync(join(box.home, name), '{"call-1":1}\n'.repeat(1000));
          truncateSync(join(box.home, name), 1_000_000_000);
        }
      },
    },
    { name: "a record that is a pipe", prepare: (box) => pipe(box, join(box.home, "rollout.jsonl")) },
    {
      name: "settings that are a folder",
      prepare: (box) => mkdirSync(join(box.home, ".claude", "settings.json"), { recursive: true }),
    },
    { name: "settings that are a pipe", prepare: (box) => pipe(box, join(box.home, ".claude", "settings.json")) },
    {
      name: "settings of many stars, and nested without an end",
      prepare(box) {
        const deny = Array.from({ length: 200 }, (_, i) => `Bash(${"*a".repeat(30)}${i})`);
        mkdirSync(join(box.home, ".claude"), { recursive: true });
        writeFileSync(join(box.home, ".claude", "settings.json"), JSON.stringify({ permissions: { deny } }));
        box.write({ ".claude/settings.json": `{"permissions":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}` });
      },
    },
    {
      name: "an index that is damaged",
      prepare: (box) => writeFileSync(database(box), readFileSync(database(box)).fill(0xff, 4096)),
    },
    { name: "an index that is cut short", prepare: (box) => truncateSync(database(box), 10_000) },
    { name: "an index that is a pipe", prepare: (box) => pipe(box, database(box)) },
    { name: "an index that is a folder", prepare: (box) => folder(database(box)) },
    { name: "a log that is a pipe", prepare: (box) => pipe(box, projectPaths(box.root, { env: box.env }).log) },
    {
      name: "an error log that is a pipe, and an error",
      prepare: (box) => pipe(box.write({ ".tokenix.toml": "[[" }), inHome(box, "errors.log")),
    },
    {
      name: "files where the home's folders should be",
      prepare(box) {
        for (const name of ["stash", "tee", "cache", "logs", "filters"]) {
          rmSync(inHome(box, name), { recursive: true, force: true });
          writeFileSync(inHome(box, name), "no folder");
        }
      },
    },
    { name: "a user's filter that is a pipe", prepare: (box) => pipe(box, inHome(box, "filters", "a.toml")) },
    {
      name: "a repository that brings settings, filters and a .git of its own",
      prepare(box) {
        box.write({
          ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash"] }, hooks: { PreToolUse: 7 } }),
          ".tokenix/filters/cargo.toml": 'name = "evil"\ncommand = "cargo test"\n',
          ".codex/rules/a.rules": "\0",
        });
        return pipe(box, box.path(".git"));
      },
    },
    { name: "a source that became a pipe", prepare: (box) => pipe(box, box.path("a.ts")) },
    { name: "a project that is gone", prepare: (box) => rmSync(box.path("a.ts")) },
  ];
  for (const { name, prepare } of faults) {
    test(name, async () => {
      using box = await indexedBox();
      await prepare(box);
      expect(await problemsWith(box)).toEqual([]);
    });
  }

  test("a fault that every call meets is one line, however long its message", async () => {
    using box = await indexedBox();
    box.write({ ".tokenix.toml": `[hook]\nonly = ${"[".repeat(1000)}\n[${"x".repeat(5000)}` });
    expect(await problemsWith(box)).toEqual([]);
    expect(linesOf(inHome(box, "errors.log")).length).toBe(1);
  });

  test("no home at all, one that is nowhere, one on a device", async () => {
    using box = await indexedBox();
    for (const env of [
      { HOME: "/nonexistent/home", USERPROFILE: undefined, TOKENIX_HOME: undefined },
      { TOKENIX_HOME: "relative" },
      { TOKENIX_HOME: "/proc/tokenix" },
      { TOKENIX_HOME: "/dev/null/tokenix" },
    ])
      expect(await problemsWith(box, { env })).toEqual([]);
  });

  test("an index that is being written", async () => {
    using box = await indexedBox();
    const writer = Bun.spawn([BINARY, "index", "--force"], {
      cwd: box.root,
      env: box.env,
      stdout: "ignore",
      stderr: "ignore",
    });
    expect(await problemsWith(box)).toEqual([]);
    await writer.exited;
  });

  test.skipIf(!canMount)(
    "a home that can only be read, or has no room left, and a temporary folder without room",
    async () => {
      using box = await indexedBox();
      const home = box.home;
      const full = (path: string) =>
        `mkdir -p ${path}; mount -t tmpfs -o size=64k t ${path}; dd if=/dev/zero of=${path}/fill bs=1k 2>/dev/null`;
      for (const script of [
        `mount --bind ${home} ${home}; mount -o remount,ro,bind ${home}`,
        full(`${home}/.tokenix`),
        `${full(`${home}/.tokenix`)}; ${full(`${box.base}/full`)}; export TMPDIR=${box.base}/full`,
      ])
        expect(
          await problemsWith(box, { behind: ["unshare", "-m", "sh", "-c", `${script}; exec "$@"`, "sh"] }),
        ).toEqual([]);
    },
  );

  test("a clock that was set back, and files from the future", async () => {
    using box = await indexedBox();
    expect(await problemsWith(box)).toEqual([]);
    // What the first calls left behind is from the year 2040 now, as after a clock that was wrong.
    for (const path of [box.path("a.ts"), inHome(box), inHome(box, "stash"), inHome(box, "cache"), database(box)])
      await box.exec(["find", path, "-exec", "touch", "-d", "2040-01-01", "{}", "+"]);
    expect(await problemsWith(box)).toEqual([]);
  });

  test("a folder that was deleted under the agent is never a refusal", async () => {
    // The runtime itself ends there, before a line of ours runs: 1 is no answer to any agent, and the guarded lines say 'go on'.
    using box = await indexedBox();
    const gone = box.path("gone");
    mkdirSync(gone);
    const script = `cd ${gone}; rmdir ${gone}; exec "$@"`;
    const { code, stdout } = await box.exec(["sh", "-c", script, "sh", BINARY, "hook", "claude"], { stdin: "{}" });
    expect([0, 1]).toContain(code);
    expect(stdout).toBe("");
  });
});

describe("whatever the payload is, the session goes on", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const shell = (input: string, more = "") =>
    `{"session_id":"s","cwd":"/","permission_mode":"bypassPermissions","tool_name":"Bash","tool_input":${input}${more}}`;
  const long = (command: string) => shell(JSON.stringify({ command }), ',"hook_event_name":"PreToolUse"');
  const after = (response: unknown, tool = "Bash", input: object = { command: "make" }) =>
    JSON.stringify({
      cwd: "/",
      hook_event_name: "PostToolUse",
      tool_name: tool,
      tool_input: input,
      tool_response: response,
    });
  const payloads: Readonly<Record<string, string | Uint8Array>> = {
    "50 MB": long(`cargo test ${"x".repeat(50_000_000)}`),
    "a command of 5 MB": long(`cargo test ${"x".repeat(5_000_000)}`),
    "300,000 commands": long("cargo test;".repeat(300_000)),
    "900,000 quotes": long(`cargo test ${`'a'"b"$(c)`.repeat(300_000)}`),
    "100,000 levels in the input": shell(
      `{"command":"cargo test","x":${nested(100_000)}}`,
      ',"hook_event_name":"PreToolUse"',
    ),
    "100,000 objects in the input": shell(
      `{"command":"cargo test","x":${objects(100_000)}}`,
      ',"hook_event_name":"PreToolUse"',
    ),
    "100,000 levels alone": objects(100_000),
    "1,000,000 levels that never end": "[".repeat(1_000_000),
    "levels that never end in a gate": `{"toolCall":${'{"a":'.repeat(100_000)}`,
    "NULs in every text": JSON.stringify({
      cwd: "/\0x",
      session_id: "\0",
      hook_event_name: "PostToolUse",
      tool_name: "Read",
      tool_input: { file_path: "a\0.ts" },
      tool_response: {
        type: "text",
        file: { filePath: "\0", content: "x\n".repeat(500), numLines: 500, startLine: 1, totalLines: 500 },
      },
    }),
    "NULs alone": new Uint8Array(100_000),
    "lone surrogates": long("cargo test \ud800 \udc00"),
    "lone surrogates in a result": after({ stdout: "same \ud800 line\n".repeat(500), stderr: "", interrupted: false }),
    "bytes that are not UTF-8": Buffer.concat([
      Buffer.from(long("cargo test ").slice(0, -2)),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"}}'),
    ]),
    "a result of 5 MB in one line": after({ stdout: "y".repeat(5_000_000), stderr: "", interrupted: false }),
    "a pattern of 900,000 words": after({ numFiles: 0, filenames: [] }, "Grep", {
      pattern: "where is it ".repeat(300_000),
    }),
    "a list of 100,000 files": after(
      { numFiles: 100_000, filenames: Array.from({ length: 100_000 }, (_, i) => `src/d${i % 777}/f${i}.ts`) },
      "Glob",
      { pattern: "**" },
    ),
    "wrong types everywhere": JSON.stringify({
      session_id: 1,
      cwd: [],
      permission_mode: {},
      hook_event_name: 5,
      tool_name: null,
      tool_input: "x",
    }),
    "names of prototypes":
      '{"__proto__":{"a":1},"hook_event_name":"__proto__","tool_name":"constructor","tool_input":{"__proto__":{"command":"x"}}}',
  };
  for (const [name, stdin] of Object.entries(payloads)) {
    test(name, async () => {
      using box = new Sandbox();
      const doors: readonly Call[] = [
        { args: ["hook", "claude"], stdin },
        { args: ["hook-post", "claude"], stdin },
        { args: ["hook", "agy"], stdin, wantsJson: true },
        { args: ["hook-post", "codex"], stdin },
      ];
      for (const call of doors)
        expect(`${call.args.join(" ")}: ${await problemWith(box, call)}`).toEndWith("undefined");
    });
  }
});
