/** The parts of the hook that need no agent: reading stdin, lists, families, state, masks, listings. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isExcluded } from "../../src/agents/hook/exclusions.ts";
import { failsLong, mayFailLong } from "../../src/agents/hook/families.ts";
import { byFolder } from "../../src/agents/hook/glob-after.ts";
import { isBareName, wordsOf } from "../../src/agents/hook/grep-answer.ts";
import { masked } from "../../src/agents/hook/masked.ts";
import { readPayload } from "../../src/agents/hook/payload.ts";
import { noteShown, shownBefore } from "../../src/agents/hook/read-state.ts";
import { ancestors, parentOf } from "../../src/agents/places.ts";
import { candidates } from "../../src/output/shell/index.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A stream that never ends, as some agents leave it. */
function open(...pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
    },
  });
}

describe("stdin", () => {
  test("is read as one JSON value, without waiting for its end", async () => {
    expect((await readPayload(open(bytes('{"a": {"b"'), bytes(': "}"}}\n')), 60_000)).value).toEqual({ a: { b: "}" } });
  });
  test("is given up at the deadline, with what has come", async () => {
    const payload = await readPayload(open(bytes('{"toolCall": {')), 20);
    expect(payload).toMatchObject({ value: undefined, problem: "stdin was not closed in time" });
    expect(payload.text).toContain("toolCall");
  });
  test("may hold marks, a string, or something behind the value", async () => {
    for (const text of [
      '\ufeff{"a":1}',
      '\ufeff\ufeff{"a":1}',
      '"{\\"a\\":1}"',
      '{"a":1}\n{"b":2}',
      ' {"a":1} trailing',
    ])
      expect((await readPayload(new Blob([text]).stream(), 1000)).value).toEqual({ a: 1 });
  });
  test("that is empty, a list or a number holds no payload", async () => {
    for (const text of ["", "[]", "3", "null", "\u0000"])
      expect((await readPayload(new Blob([text]).stream(), 1000)).value).toBeUndefined();
  });
  test("of many pieces is put together at any cut", async () => {
    const text = JSON.stringify({ tool_name: "Bash", text: "é🙂".repeat(50_000) });
    const all = bytes(text);
    const pieces = Array.from({ length: Math.ceil(all.length / 65_536) }, (_, i) =>
      all.slice(i * 65_536, (i + 1) * 65_536),
    );
    expect((await readPayload(open(...pieces), 5000)).value).toEqual(JSON.parse(text));
  });
});

describe("only and exclude", () => {
  const rows: readonly [entry: string, command: string, hit: boolean][] = [
    ["git", "git log -3", true],
    ["git diff", "git diff --stat", true],
    ["git diff", "git -C x diff", true],
    ["git diff", "FOO=1 git diff", true],
    ["git diff", "git difftool", false],
    ["git diff", "git log", false],
    ["cat", "/bin/cat f", true],
    ["cat", "catalog", false],
    ["pytest", "uv run pytest -q", true],
    ["  npm   test ", "npm test -- -x", true],
    ["", "npm test", false],
  ];
  for (const [entry, command, hit] of rows)
    test(`'${entry}' ${hit ? "names" : "does not name"} '${command}'`, () => {
      expect(isExcluded(candidates(command), { only: [], exclude: [entry] })).toBe(hit);
      expect(isExcluded(candidates(command), { only: [entry], exclude: [] })).toBe(!hit);
    });
});

test("tests, builds and linters are known under the names that wrappers hide", () => {
  for (const command of [
    "npm test",
    "uv run pytest -q",
    "npx tsc -p .",
    "cargo +nightly build",
    "python -m pytest",
    "sudo make",
  ])
    expect([command, failsLong(candidates(command)), mayFailLong(command)]).toEqual([command, true, true]);
  for (const command of ["ls -la", "echo hello", "git status", "npm view x", "cat file"])
    expect([command, failsLong(candidates(command))]).toEqual([command, false]);
});

test("what a session was shown is remembered by session and file, and forgotten without a session id", () => {
  const env = { TOKENIX_HOME: mkdtempSync(join(tmpdir(), "tokenix-state-")) };
  const key = (sessionId: string | undefined) => ({ dialect: "claude", sessionId, root: "/w" });
  const now = 1_800_000_000_000;
  expect(shownBefore(key("a"), "/w/x.ts", env, now)).toBeUndefined();
  noteShown(key("a"), "/w/x.ts", "outline", env, now);
  expect(shownBefore(key("a"), "/w/x.ts", env, now)).toBe("outline");
  expect(shownBefore(key("a"), "/w/y.ts", env, now)).toBeUndefined();
  expect(shownBefore(key("b"), "/w/x.ts", env, now)).toBeUndefined();
  noteShown(key("a"), "/w/x.ts", "whole", env, now + 1);
  expect(shownBefore(key("a"), "/w/x.ts", env, now)).toBe("whole");
  noteShown(key(undefined), "/w/x.ts", "outline", env, now);
  expect(shownBefore(key(undefined), "/w/x.ts", env, now + 60_000)).toBe("outline");
  expect(shownBefore(key(undefined), "/w/x.ts", env, now + 3_600_000)).toBeUndefined();
});

test("what sessions of days ago were shown goes once there are many of them", () => {
  const env = { TOKENIX_HOME: mkdtempSync(join(tmpdir(), "reads-")) };
  const folder = join(env.TOKENIX_HOME, "cache", "reads");
  mkdirSync(folder, { recursive: true });
  const now = Date.now();
  for (let n = 0; n < 250; n++) {
    const path = join(folder, `old${n}`);
    writeFileSync(path, "");
    utimesSync(path, now / 1000 - 3 * 86_400, now / 1000 - 3 * 86_400);
  }
  for (let n = 0; n < 20; n++)
    noteShown({ dialect: "claude", sessionId: `s${n}`, root: "/w" }, "/w/x.ts", "outline", env, now);
  expect(readdirSync(folder).filter((name) => name.startsWith("old"))).toEqual([]);
  expect(readdirSync(folder).length).toBe(20);
});

test("a mask says that it is one; text without a credential is not touched", () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  expect(masked(`x ${secret} y\n`)).toBe(
    "x [REDACTED] y\n[tokenix: 1 credential masked as [REDACTED]; that is not the literal text]",
  );
  const code =
    'const password = readPassword();\nconst token_count = 12;\nif (!process.env.API_KEY) throw new Error("x");\n';
  expect(masked(code)).toBe(code);
});

test("a listing by folder keeps every name, in its order", () => {
  expect(byFolder(["src/b.ts", "src/a.ts", "x/y/c.ts", "top.md", "src/d.ts"])).toEqual([
    "[tokenix: 5 files, by folder]",
    "src/: b.ts a.ts d.ts",
    "x/y/: c.ts",
    "./: top.md",
  ]);
  expect(byFolder(["a b.ts"])).toBeUndefined();
});

test("a question has words, a name has none, a pattern is neither", () => {
  expect(["where are uploads retried", "a b", "foo.*bar baz qux", "x|y z w", "retry upload"].map(wordsOf)).toEqual([
    4, 2, 0, 0, 2,
  ]);
  expect(["uploadStep", "a::b", "Foo.bar", "x", "foo bar", "foo(", "[a-z]+"].map(isBareName)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("folders above a path are found for either slash", () => {
  expect(ancestors("/w/app/src")).toEqual(["/w/app/src", "/w/app", "/w", "/"]);
  expect(ancestors("C:\\w\\app")).toEqual(["C:\\w\\app", "C:\\w"]);
  expect(parentOf("/")).toBeUndefined();
  expect(parentOf("relative")).toBeUndefined();
});
