import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { byteString, parsePatterns } from "../../src/repo/index/ignore-patterns.ts";

const base = mkdtempSync(join(tmpdir(), "tokenix-patterns-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const NAMES = ["a", "b", "ab", "a.c", "b.log", "é", "A", "a b", "[x]", "x-y", "deep", "#h", "!n", "a]", "-"];
const PIECES = [
  "*",
  "**",
  "?",
  "a",
  "b",
  "ab",
  ".c",
  ".log",
  "é",
  "A",
  "[ab]",
  "[!a]",
  "[^b]",
  "[a-c]",
  "[[:alpha:]]",
  "[]a]",
  "[a",
  "[",
  "\\",
  "\\*",
  "\\[x\\]",
  "[[:upper:][:digit:]]",
  "[\\]]",
  "[a\\-z]",
  "[c-a]",
  "x-y",
  "deep",
  " ",
  "\\ ",
  "#h",
  "\\#h",
  "[-a]",
  "[a-]",
  "[[:nope:]]",
  "[[:alpha]",
];

/** Small and seeded: the same trees on every machine. */
function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    below: (n: number) => Math.floor(next() * n),
    of: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
  };
}

test("one file's patterns decide as git decides, for 3,000 random patterns over 200 random paths", async () => {
  const root = join(base, "one");
  mkdirSync(root);
  Bun.spawnSync(["git", "init", "-q", root]);
  const random = randomFrom(7);
  const paths = new Set<string>();
  while (paths.size < 200) {
    const parts = Array.from({ length: 1 + random.below(4) }, () => random.of(NAMES));
    paths.add(parts.join("/"));
  }
  const patterns: string[] = [];
  for (let i = 0; i < 3000; i++) {
    const part = () => Array.from({ length: 1 + random.below(3) }, () => random.of(PIECES)).join("");
    const parts = Array.from({ length: 1 + random.below(3) }, part);
    patterns.push(`${random.below(4) === 0 ? "/" : ""}${parts.join("/")}${random.below(5) === 0 ? "/" : ""}`);
  }
  // Each pattern is one ignore file; git answers for all paths (none exists, so all count as files) in one call.
  const wrong: string[] = [];
  const list = [...paths];
  for (const pattern of patterns) {
    if (pattern.startsWith("#") || pattern.startsWith("!")) continue;
    const ours = parsePatterns(pattern);
    const mine = new Set(list.filter((path) => isIgnored(ours, path)));
    expected.push({ pattern, mine });
  }
  for (let at = 0; at < expected.length; at += 1) {
    const one = expected[at];
    if (!one || at % 15 !== 0) continue; // a process each: 200 of them are enough for one run
    writeFileSync(join(root, ".gitignore"), `${one.pattern}\n`);
    const result = Bun.spawnSync(["git", "check-ignore", "--no-index", "-z", "--stdin"], {
      cwd: root,
      stdin: Buffer.from(list.join("\0")),
    });
    const theirs = new Set(result.stdout.toString().split("\0").filter(Boolean));
    for (const path of list)
      if (one.mine.has(path) !== theirs.has(path))
        wrong.push(`${JSON.stringify(one.pattern)} on ${JSON.stringify(path)}: git ${theirs.has(path)}`);
  }
  expect(wrong).toEqual([]);
});

const expected: { pattern: string; mine: Set<string> }[] = [];

/** Parents count as folders, the last part as a file: what check-ignore does with paths that do not exist. */
function isIgnored(patterns: ReturnType<typeof parsePatterns>, path: string): boolean {
  const parts = byteString(path).split("/");
  for (let n = 1; n <= parts.length; n++) {
    const hit = patterns.match(parts.slice(0, n).join("/"), parts[n - 1] as string, n < parts.length);
    if (hit >= 0) return !patterns.isNegative(hit);
  }
  return false;
}

test("globs with many wildcards decide as those with few, and none takes for ever", () => {
  const long = `${"a".repeat(60)}/`.repeat(60);
  const hostile = [
    "*a*a*a*a*a*a*a*a*b",
    "**/a**/a**/a**/a*/b",
    "a/**/**/**/**/**/**/x",
    `${"*".repeat(200)}x*y*z`,
    "[a*]*[a*]*[a*]*c",
  ];
  for (const pattern of hostile) {
    const patterns = parsePatterns(pattern);
    expect(patterns.match(long, "a".repeat(250), false)).toBe(-1);
  }
  const cases: [string, string, boolean][] = [
    ["a/**/b/**/c/**/d", "a/x/y/b/c/d", true],
    ["a/**/b/**/c/**/d", "a/b/c/x/d", true],
    ["a/**/b/**/c/**/d", "a/b/x/d", false],
    ["*/*/*/x*", "a/b/c/xy", true],
    ["*/*/*/x*", "a/b/c/d/xy", false],
    ["**/*.*.*", "p/q/a.b.c", true],
    ["**/*.*.*", "p/q/a.b", false],
    ["**/a/**", "a/b", true],
    ["**/a/**", "x/a/b/c", true],
    ["**/a/**", "x/a", false],
    ["*a*b*c*", "xaybzc", true],
    ["*a*b*c*", "xaybz", false],
  ];
  for (const [pattern, path, expected] of cases)
    expect([
      pattern,
      path,
      parsePatterns(pattern).match(path, path.slice(path.lastIndexOf("/") + 1), false) === 0,
    ]).toEqual([pattern, path, expected]);
});
