import { expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acquireWriter } from "../../src/platform/lock.ts";
import { storePaths } from "../../src/repo/store/open.ts";
import { randomSource } from "../support/random-jsonc.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

const fn = (name: string) => `/** Says ${name}. */\nexport function ${name}(a: number) {\n  return a + 1;\n}\n`;

function json(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

/** 1,500 files of plain text, 4 MB: enough for a dozen batches, and no grammar to wait for. */
function manyFiles(sandbox: Sandbox): void {
  const files: Record<string, string> = {};
  for (let i = 0; i < 1500; i++) {
    const lines = Array.from({ length: 60 }, (_, k) => `line ${k} of file ${i} says word${(i * 60 + k) % 9973} again`);
    files[`m${i % 30}/f${i}.txt`] = `${lines.join("\n")}\n`;
  }
  sandbox.write(files);
}

const PATIENT = { timeoutMs: 170_000 };

test("index says what it read and what it left out, and a second run reads nothing", async () => {
  using sandbox = new Sandbox();
  sandbox.write({
    "src/a.ts": fn("alpha"),
    "bin.dat": new Uint8Array([0, 1]),
    ".gitignore": "out/\n",
    "out/x.ts": "1",
  });
  const first = await sandbox.run(["index"]);
  expect(first.stderr).toBe("");
  expect(first.code).toBe(0);
  expect(first.stdout).toContain("2 files in the index");
  expect(first.stdout).toContain("1 ignored");
  expect(first.stdout).toContain("1 binary");
  // Stamps younger than the clock's tick are not trusted; the next look settles them.
  await Bun.sleep(150);
  const second = json((await sandbox.run(["index", "--json"])).stdout);
  expect(second["run"]).toMatchObject({ outcomes: {}, removed: 0 });
  const skipped = await sandbox.run(["files", "--skipped"]);
  expect(skipped.stdout).toContain("ignored         out  (.gitignore: out/)");
  expect(skipped.stdout).toContain("binary          bin.dat  (a NUL byte in its first 8 KiB)");
  expect((await sandbox.run(["index", "--if-stale"])).stdout).toContain("is up to date");
});

test("symbols answers for the name and for no other; a fresh edit is in the answer", async () => {
  using sandbox = new Sandbox();
  sandbox.write({ "a.ts": fn("fetchAll") });
  await sandbox.run(["index"]);
  expect((await sandbox.run(["symbols", "fetchAll"])).stdout).toContain("a.ts:2-4");
  const none = await sandbox.run(["symbols", "fetch"]);
  expect(none.code).toBe(0);
  expect(none.stdout).toBe("no symbol is named 'fetch'; near: fetchAll\n");
  sandbox.write({ "b.ts": fn("brandNew") });
  expect((await sandbox.run(["symbols", "brandNew", "--json"])).stdout).toContain('"path":"b.ts"');
  const stats = json((await sandbox.run(["stats", "--json"])).stdout);
  expect(stats).toMatchObject({ files: 2, symbols: 2, state: "fresh" });
});

test("read shows small files whole, large ones as an outline, and every part that is asked for", async () => {
  using sandbox = new Sandbox();
  const names = Array.from({ length: 80 }, (_, i) => `part${i}`);
  sandbox.write({ "big.ts": names.map(fn).join("\n"), "small.ts": fn("tiny") });
  await sandbox.run(["index"]);
  expect((await sandbox.run(["read", "small.ts"])).stdout).toBe(fn("tiny"));
  const outline = (await sandbox.run(["read", "big.ts"])).stdout;
  expect(outline).toContain("big.ts (typescript, 399 lines");
  expect(outline).toContain("7-9  export function part1(a: number)");
  expect((await sandbox.run(["read", "big.ts", "--symbol", "part7"])).stdout).toBe(
    "export function part7(a: number) {\n  return a + 1;\n}\n",
  );
  expect((await sandbox.run(["read", "big.ts", "--lines", "2-3"])).stdout).toBe(
    "export function part0(a: number) {\n  return a + 1;\n",
  );
  expect((await sandbox.run(["read", "big.ts", "--mode", "full"])).stdout).toBe(names.map(fn).join("\n"));
  const dense = (await sandbox.run(["read", "big.ts", "--mode", "density:20"])).stdout;
  expect(dense.length).toBeLessThan(names.map(fn).join("\n").length / 2);
  expect(dense).toContain("... line");
  const wrong = await sandbox.run(["read", "big.ts", "--symbol", "part7x"]);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain("did you mean 'part7'?");
});

test("read --mode diff shows what has changed since the commit", async () => {
  using sandbox = new Sandbox();
  sandbox.write({ "a.ts": fn("alpha") }).commit();
  sandbox.write({ "a.ts": fn("alphas") });
  const { stdout } = await sandbox.run(["read", "a.ts", "--mode", "diff"]);
  expect(stdout).toContain("-export function alpha(a: number) {");
  expect(stdout).toContain("+export function alphas(a: number) {");
});

test("wrong paths, flags, modes and numbers end with 2 and the nearest right word", async () => {
  using sandbox = new Sandbox();
  sandbox.write({ "a.ts": fn("alpha") });
  const cases: [string[], string][] = [
    [["index", "nowhere"], "there is no folder"],
    [["index", "a.ts"], "is a file"],
    [["index", "--forse"], "did you mean '--force'?"],
    [["index", "--jobs", "many"], "--jobs must be a whole number"],
    [["read", "b.ts"], "there is no file"],
    [["read", "a.ts", "--mode", "signature"], "did you mean '--mode signatures'?"],
    [["read", "a.ts", "--lines", "x"], "is no range of lines"],
    [["read", "a.ts", "--lines", "99"], "has 4 lines, none at 99"],
    [["tokenmap", "--format", "htm"], "did you mean 'html'?"],
  ];
  await sandbox.run(["index"]);
  for (const [args, message] of cases) {
    const { code, stderr, stdout } = await sandbox.run(args);
    expect({ args, code, stdout, has: stderr.includes(message) || stderr }).toEqual({
      args,
      code: 2,
      stdout: "",
      has: true,
    });
  }
});

test("without an index each command says so and what to run", async () => {
  using sandbox = new Sandbox();
  for (const args of [["stats"], ["files"], ["symbols", "x"], ["tokenmap"]]) {
    const { code, stderr } = await sandbox.run(args);
    expect({ args, code }).toEqual({ args, code: 1 });
    expect(stderr).toContain("is not indexed");
    expect(stderr).toContain("tokenix index");
  }
  expect((await sandbox.run(["forget"])).code).toBe(1);
});

test("a home folder is refused with the count it saw, unless --force-root insists", async () => {
  using sandbox = new Sandbox({ git: false });
  writeFileSync(join(sandbox.home, "a.txt"), "some words\n");
  const refused = await sandbox.run(["index", sandbox.home]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/is your home folder, with \d+ files and folders in it/);
  expect(refused.stderr).toContain("--force-root");
  expect((await sandbox.run(["index", sandbox.home, "--force-root"])).code).toBe(0);
  expect((await sandbox.run(["index", "/"])).stderr).toContain("the root of a disk");
});

test("a misspelt key in the configuration is named with the right one, and defaults are used", async () => {
  using sandbox = new Sandbox();
  sandbox.write({ "a.ts": fn("alpha"), ".tokenix.toml": "[index]\nmax_file_byte = 10\n" });
  const { code, stderr, stdout } = await sandbox.run(["index"]);
  expect(code).toBe(0);
  expect(stderr).toContain("did you mean max_file_bytes?");
  expect(stdout).toContain("2 files in the index");
});

test("an unknown language in the configuration is named with the nearest right one, by every command that reads it", async () => {
  using sandbox = new Sandbox();
  sandbox.write({ "a.foo": fn("alpha"), ".tokenix.toml": '[languages]\nfoo = "typescrpt"\n' });
  for (const args of [["index"], ["symbols", "alpha"], ["stats"]]) {
    const { code, stderr } = await sandbox.run(args);
    expect({ args, code, stderr }).toEqual({
      args,
      code: 0,
      stderr: "tokenix: languages.foo: there is no language 'typescrpt' (did you mean typescript?): ignored\n",
    });
  }
  expect((await sandbox.run(["doctor"])).stdout).toContain("there is no language 'typescrpt'");
  sandbox.write({ ".tokenix.toml": '[languages]\nfoo = "typescript"\n' });
  await sandbox.run(["index"]);
  expect((await sandbox.run(["symbols", "alpha"])).stdout).toContain("a.foo:2");
});

test("the configuration's ignore patterns, size limit and languages hold, and a change of them is taken in", async () => {
  using sandbox = new Sandbox();
  sandbox.write({
    "a.ts": fn("alpha"),
    "gen/b.ts": fn("beta"),
    "c.mystuff": fn("gamma"),
    "big.txt": "word ".repeat(500),
  });
  await sandbox.run(["index"]);
  sandbox.write({
    ".tokenix.toml": '[index]\nignore = ["gen/"]\nmax_file_bytes = 2000\n[languages]\nmystuff = "typescript"\n',
  });
  const { stdout } = await sandbox.run(["index"]);
  expect(stdout).toContain("1 too-large");
  const files = (await sandbox.run(["files"])).stdout;
  expect(files).toContain("c.mystuff  typescript");
  expect(files).not.toContain("gen/b.ts");
});

test("a damaged index is set aside, named, and built anew; doctor finds it before", async () => {
  using sandbox = new Sandbox();
  sandbox.write({ "a.ts": fn("alpha") });
  await sandbox.run(["index"]);
  const { database } = storePaths(sandbox.root, sandbox.env);
  writeFileSync(database, "not a database ".repeat(2000));
  const stats = await sandbox.run(["stats"]);
  expect(stats.code).toBe(1);
  expect(stats.stderr).toContain("is damaged");
  const doctor = await sandbox.run(["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/fail +index/);
  const again = await sandbox.run(["index"]);
  expect(again.code).toBe(0);
  expect(again.stderr).toContain(".damaged-");
  expect((await sandbox.run(["symbols", "alpha"])).stdout).toContain("a.ts:2-4");
});

test("damage in the middle of an index is named by whoever meets it, and the next run builds anew, whatever it would have read", async () => {
  using sandbox = new Sandbox();
  for (let i = 0; i < 60; i++)
    sandbox.write({ [`f${i}.ts`]: `${fn(`name${i}`)}// ${"words and words ".repeat(200)}\n` });
  await sandbox.run(["index"]);
  const { database } = storePaths(sandbox.root, sandbox.env);
  const good = readFileSync(database);
  const random = randomSource(11);
  let met = 0;
  for (let round = 0; round < 3; round++) {
    const bad = Buffer.from(good);
    for (let hole = 0; hole < 12; hole++) {
      const at = 8192 + random.below(bad.length - 16_384);
      bad.fill(random.below(256), at, at + 3000);
    }
    writeFileSync(database, bad);
    for (const args of [["query", "name7"], ["callers", "name7"], ["grep", "name7"], ["stats"]]) {
      const { code, stderr } = await sandbox.run(args);
      expect([args, /fault of tokenix|malformed/.exec(stderr)?.[0]]).toEqual([args, undefined]);
      if (code === 0 || !stderr.includes("is damaged")) continue;
      met++;
      expect(stderr).toContain("run 'tokenix index'");
    }
    expect((await sandbox.run(["doctor"])).stdout).toMatch(/fail +index/);
    const again = await sandbox.run(["index"]);
    expect([again.code, again.stderr.includes(".damaged-")]).toEqual([0, true]);
    expect((await sandbox.run(["symbols", "name7"])).stdout).toContain("f7.ts:2-4");
  }
  expect((await sandbox.run(["doctor"])).stdout).toMatch(/ok +index/);
  expect(met).toBeGreaterThan(2);
}, 120_000);

test("an index that is being written by somebody else is refused with pid and time; readers still read", async () => {
  using sandbox = new Sandbox();
  sandbox.write({ "a.ts": fn("alpha") });
  await sandbox.run(["index"]);
  const lock = acquireWriter(storePaths(sandbox.root, sandbox.env).lock, "index");
  if (!("release" in lock)) throw new Error("the lock was not free");
  try {
    const refused = await sandbox.run(["index"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(new RegExp(`process ${process.pid} \\(index, since 20`));
    expect((await sandbox.run(["forget"])).code).toBe(1);
    expect((await sandbox.run(["symbols", "alpha"])).stdout).toContain("a.ts:2-4");
    sandbox.write({ "a.ts": fn("alphas") });
    const stale = await sandbox.run(["symbols", "alpha"]);
    expect(stale.stdout).toContain("a.ts:2-4");
    expect(stale.stderr).toContain("1 file has changed");
  } finally {
    lock.release();
  }
});

test("when no more can be written the error says so, what was finished is kept, and the next run ends the work", async () => {
  if (process.platform === "win32") return;
  using sandbox = new Sandbox();
  manyFiles(sandbox);
  const limited = await sandbox.exec(["sh", "-c", `ulimit -f 6000; exec "${BINARY}" index`], PATIENT);
  expect(limited.code).toBe(1);
  expect(limited.stderr).toContain("cannot be written");
  expect(limited.stderr).toContain("what was finished is kept");
  expect(limited.stderr).not.toContain("fault of tokenix");
  const next = json((await sandbox.run(["index", "--json"], PATIENT)).stdout);
  expect((next["index"] as { files: number }).files).toBe(1500);
}, 180_000);

test("an index run that is interrupted or killed anywhere keeps what it finished, and the next goes on from there", async () => {
  if (process.platform === "win32") return;
  using sandbox = new Sandbox();
  manyFiles(sandbox);
  let keptBefore = 0;
  for (const [signal, afterMs] of [
    ["SIGINT", 5],
    ["SIGKILL", 60],
    ["SIGINT", 250],
    ["SIGKILL", 500],
    ["SIGINT", 900],
  ] as const) {
    const child = Bun.spawn([BINARY, "index"], { cwd: sandbox.root, env: sandbox.env, stdout: "pipe", stderr: "pipe" });
    await Bun.sleep(afterMs);
    child.kill(signal);
    await child.exited;
    const stderr = await new Response(child.stderr).text();
    if (signal === "SIGINT" && child.exitCode === 130) expect(stderr).toContain("what was finished is kept");
    if (!existsSync(storePaths(sandbox.root, sandbox.env).database)) continue;
    const { Database } = await import("bun:sqlite");
    const database = new Database(storePaths(sandbox.root, sandbox.env).database);
    // A run that ended before its tables were made has kept nothing yet.
    const isMade = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'files'").get() !== null;
    const kept = isMade ? (database.query("SELECT count(*) AS n FROM files").get() as { n: number }).n : 0;
    expect(database.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    database.close();
    expect(kept).toBeGreaterThanOrEqual(keptBefore);
    keptBefore = kept;
  }
  const last = json((await sandbox.run(["index", "--json"], PATIENT)).stdout);
  expect(last["index"]).toMatchObject({ files: 1500 });
}, 180_000);

test("a reader that closes the pipe early meets no error", async () => {
  if (process.platform === "win32") return;
  using sandbox = new Sandbox();
  manyFiles(sandbox);
  await sandbox.run(["index"], PATIENT);
  const { code, stdout, stderr } = await sandbox.exec([
    "sh",
    "-c",
    `"${BINARY}" files | head -1; "${BINARY}" tokenmap --format json | head -c 10`,
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.startsWith("m0/f0.txt  text  ")).toBe(true);
}, 180_000);

test("when what is printed has no room the reason is said, and nothing else", async () => {
  if (process.platform !== "linux") return;
  using sandbox = new Sandbox();
  sandbox.write({ "a.ts": fn("alpha") });
  await sandbox.run(["index"]);
  for (const words of ["files", "stats", "query alpha", "grep alpha", "read a.ts", "symbols alpha", "--help"]) {
    const { code, stderr } = await sandbox.exec(["sh", "-c", `exec "${BINARY}" ${words} > /dev/full`]);
    expect([words, code]).toEqual([words, 1]);
    expect(stderr).toStartWith("tokenix: the disk is full: the output cannot grow\n");
    expect(stderr.trim().split("\n").length).toBe(2);
    const closed = await sandbox.exec(["bash", "-c", `"${BINARY}" ${words} | head -c 0; exit \${PIPESTATUS[0]}`]);
    expect([words, closed.code, closed.stderr]).toEqual([words, 0, ""]);
  }
}, 60_000);

test("an unreadable file is listed with its reason", async () => {
  if (process.platform === "win32" || process.getuid?.() === 0) return;
  using sandbox = new Sandbox();
  sandbox.write({ "a.ts": fn("alpha"), "secret.ts": fn("hidden") });
  chmodSync(sandbox.path("secret.ts"), 0);
  expect((await sandbox.run(["index"])).code).toBe(0);
  expect((await sandbox.run(["files", "--skipped"])).stdout).toContain("unreadable      secret.ts  (EACCES)");
});

test("forget removes the index and nothing of the project", async () => {
  using sandbox = new Sandbox();
  sandbox.write({ "a.ts": fn("alpha") });
  await sandbox.run(["index"]);
  const { code, stdout } = await sandbox.run(["forget"]);
  expect(code).toBe(0);
  expect(stdout).toContain("freed");
  expect(readdirSync(join(sandbox.home, ".tokenix", "indexes"))).toEqual([]);
  expect(readFileSync(sandbox.path("a.ts"), "utf8")).toBe(fn("alpha"));
});

test("a project at a path outside ASCII works from within it, with a truthful status", async () => {
  using sandbox = new Sandbox({ name: "проект 日本 é" });
  sandbox.write({ "説明.py": "def explain():\n    return 1\n" }).commit();
  expect((await sandbox.run(["index"])).code).toBe(0);
  expect((await sandbox.run(["symbols", "explain"])).stdout).toContain("説明.py:1-2");
  expect((await sandbox.run(["read", "説明.py", "--symbol", "explain"])).stdout).toBe("def explain():\n    return 1\n");
  expect(json((await sandbox.run(["stats", "--json"])).stdout)).toMatchObject({
    state: "fresh",
    git: { branch: "main" },
  });
});

test("the token map adds up, and its page names files as data and loads nothing from outside", async () => {
  using sandbox = new Sandbox();
  sandbox.write({ "a/<b>&.ts": fn("alpha"), "a/c.ts": fn("beta"), "d.md": "# Words\n" });
  await sandbox.run(["index"]);
  const tree = json((await sandbox.run(["tokenmap", "--format", "json"])).stdout);
  const children = tree["children"] as { tokens: number }[];
  expect(children.reduce((sum, child) => sum + child.tokens, 0)).toBe(tree["tokens"] as number);
  const page = (await sandbox.run(["tokenmap", "--format", "html"])).stdout;
  expect(page).toContain("\\u003cb>&.ts");
  expect(page).not.toMatch(/https?:\/\//);
});
