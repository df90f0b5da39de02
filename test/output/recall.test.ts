import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rememberShown, seenBefore } from "../../src/output/recall/repeat.ts";
import { retrieve } from "../../src/output/recall/retrieve.ts";
import { isKey, prune, stash, stashPath } from "../../src/output/recall/store.ts";
import { isTeeOn, tee } from "../../src/output/recall/tee.ts";

function home(): { TOKENIX_HOME: string } {
  return { TOKENIX_HOME: mkdtempSync(join(tmpdir(), "recall-")) };
}

const DETAILS = { command: "x", project: "/p", exitCode: 0, at: new Date(0).toISOString(), bytes: 3, shownChars: 1 };

function fetched(key: string, options: Parameters<typeof retrieve>[1], env: Record<string, string>): string {
  const parts: Buffer[] = [];
  retrieve(
    key,
    options,
    (piece) => {
      parts.push(Buffer.from(piece));
      return true;
    },
    env,
  );
  return Buffer.concat(parts).toString("latin1");
}

describe("the stash", () => {
  test("keeps an output as it was, but no credential of the command beside it", () => {
    const env = home();
    const secret = `ghp_${"aB3dE5gH7j".repeat(4).slice(0, 36)}`;
    const key = stash(Buffer.from(`${secret}\n`), { ...DETAILS, command: `curl -H 'X: ${secret}' host` }, env);
    expect(fetched(key, {}, env)).toBe(`${secret}\n`);
    expect(readFileSync(join(env.TOKENIX_HOME, "stash", `${key}.json`), "utf8")).not.toContain(secret);
  });

  test("gives any bytes back as they were, to their owner only", () => {
    const env = home();
    const bytes = crypto.getRandomValues(new Uint8Array(70_000));
    const key = stash(bytes, DETAILS, env);
    expect(isKey(key)).toBe(true);
    expect(fetched(key, {}, env)).toBe(Buffer.from(bytes).toString("latin1"));
    expect(statSync(stashPath(key, env)).mode & 0o777).toBe(0o600);
    expect(statSync(join(env.TOKENIX_HOME, "stash")).mode & 0o777).toBe(0o700);
  });

  test("gives parts: lines, matches with their numbers, the tail", () => {
    const env = home();
    const raw = Array.from({ length: 3000 }, (_, at) => `row ${at + 1} ${"pad".repeat(200)}\n`).join("");
    const key = stash(Buffer.from(raw), DETAILS, env);
    const heads = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/ pad.*/, ""));
    expect(heads(fetched(key, { lines: "2998-3000" }, env))).toEqual(["row 2998", "row 2999", "row 3000"]);
    expect(heads(fetched(key, { lines: "-2" }, env))).toEqual(["row 1", "row 2"]);
    expect(heads(fetched(key, { lines: "7" }, env))).toEqual(["row 7"]);
    expect(heads(fetched(key, { tail: 2 }, env))).toEqual(["row 2999", "row 3000"]);
    expect(heads(fetched(key, { grep: "^row 29(?:97|98) " }, env))).toEqual(["2997:row 2997", "2998:row 2998"]);
    expect(heads(fetched(key, { grep: "row .9 ", tail: 1 }, env))).toEqual(["99:row 99"]);
    expect(fetched(key, { grep: "nothing" }, env)).toBe("");
  });

  test("refuses what is no key, and says when a key is gone", () => {
    const env = home();
    for (const key of ["../../etc/passwd", "", "ABCDEF012345", "0".repeat(13)])
      expect(() => fetched(key, {}, env)).toThrow("is not a key");
    expect(() => fetched("0".repeat(12), {}, env)).toThrow("nothing is stashed");
    for (const lines of ["0", "5-2", "a-b", "-", ""]) {
      const key = stash(Buffer.from("a\n"), DETAILS, env);
      expect(() => fetched(key, { lines }, env)).toThrow("--lines is A-B");
    }
  });

  test("lets old entries go by age, and the oldest by size, never the newest", () => {
    const env = home();
    const folder = join(env.TOKENIX_HOME, "stash");
    const keys = ["a", "b", "c", "d"].map((text) => stash(Buffer.from(text.repeat(1000)), DETAILS, env));
    keys.forEach((key, at) => {
      for (const name of [`${key}.raw`, `${key}.json`]) {
        const age = at === 0 ? 30 * 86_400 : (4 - at) * 60;
        utimesSync(join(folder, name), Date.now() / 1000 - age, Date.now() / 1000 - age);
      }
    });
    const left = () => keys.map((key) => readdirSync(folder).includes(`${key}.raw`));
    prune(folder, { days: 7, bytes: 1e9, entries: 100 });
    expect(left()).toEqual([false, true, true, true]);
    prune(folder, { days: 7, bytes: 2500, entries: 100 });
    expect(left()).toEqual([false, false, true, true]);
    prune(folder, { days: 7, bytes: 10, entries: 100 });
    expect(left()).toEqual([false, false, false, true]);
  });

  test("lets a spool go that a killed run left behind", () => {
    const env = home();
    const folder = join(env.TOKENIX_HOME, "stash");
    stash(Buffer.from("x"), DETAILS, env);
    writeFileSync(join(folder, "1-abc.spool"), "left");
    utimesSync(join(folder, "1-abc.spool"), 0, Date.now() / 1000 - 2 * 86_400);
    prune(folder);
    expect(readdirSync(folder).includes("1-abc.spool")).toBe(false);
  });
});

describe("repeat suppression", () => {
  const scope = { project: "/p", cwd: "/p", command: "git log" };
  test("knows exactly the same output of the same command in the same place, for its time", () => {
    const env = home();
    const now = 1_000_000;
    expect(seenBefore(scope, "key", { now, env })).toBeUndefined();
    rememberShown(scope, "key", { now, env });
    expect(seenBefore(scope, "key", { now: now + 60_000, env })).toEqual({ agoSeconds: 60 });
    expect(seenBefore(scope, "other", { now, env })).toBeUndefined();
    expect(seenBefore({ ...scope, command: "git show" }, "key", { now, env })).toBeUndefined();
    expect(seenBefore({ ...scope, project: "/q" }, "key", { now, env })).toBeUndefined();
    expect(seenBefore({ ...scope, cwd: "/p/sub" }, "key", { now, env })).toBeUndefined();
    expect(seenBefore(scope, "key", { now: now + 3_601_000, env })).toBeUndefined();
    expect(seenBefore(scope, "key", { now: now + 60_000, env: { ...env, TOKENIX_DEDUP_TTL: "30" } })).toBeUndefined();
    expect(seenBefore(scope, "key", { now, env: { ...env, TOKENIX_DEDUP_TTL: "0" } })).toBeUndefined();
  });
});

describe("the failure tee", () => {
  test("keeps every line, with credentials masked, for its owner only", () => {
    const env = home();
    const token = `ghp_${"a1B2".repeat(9)}`;
    const path = tee(Buffer.from(`before\ntoken ${token}\nafter caf\xe9\n`, "latin1"), "cargo test --all", env);
    const text = readFileSync(path).toString("latin1");
    expect(text).not.toContain(token);
    expect(text).toMatch(/^before\n.*\[REDACTED\].*\nafter caf\xe9\n$/s);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(path).toContain("cargo-test-all");
  });

  test("masks a spool of any size, piece by piece", () => {
    const env = home();
    const spool = join(env.TOKENIX_HOME, "spool");
    const token = `ghp_${"a1B2".repeat(9)}`;
    writeFileSync(spool, `${"line of text\n".repeat(120_000)}${token}\n${"line of text\n".repeat(120_000)}`);
    const text = readFileSync(tee({ spoolPath: spool }, "x", env), "utf8");
    expect(text.split("\n").length).toBe(240_002);
    expect(text).not.toContain(token);
  });

  test("TOKENIX_TEE=0 switches it off", () => {
    expect(isTeeOn({ TOKENIX_TEE: "0" })).toBe(false);
    expect(isTeeOn({})).toBe(true);
  });
});
