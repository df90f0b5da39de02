/**
 * What users of such tools met (sections A to E of the list of faults), tried on the compiled binary. The numbers are the
 * list's own; `test/index/faults.test.ts` says where each of the others is tried.
 */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpSession } from "../support/mcp-session.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

const fn = (name: string) => `export function ${name}(a: number) {\n  return a + 1;\n}\n`;

function json<T>(text: string): T {
  return JSON.parse(text) as T;
}

test("A.1 A.3 A.5 A.7 A.11 A.13 one running session answers as the command line does, after every kind of edit", async () => {
  using box = new Sandbox();
  box.write({ "a.ts": fn("alpha"), "b.ts": 'import { alpha } from "./a";\nexport const b = () => alpha(1);\n' });
  box.commit();
  await box.run(["index"]);
  using session = new McpSession(box);
  await session.initialize();
  /** What both say, asserted to be the same. */
  const both = async (tool: string, args: Record<string, string>, words: readonly string[]): Promise<string> => {
    const [answer, command] = [await session.tool(tool, args), await box.run(words)];
    expect(answer).toBe([command.stdout.trimEnd(), command.stderr.trimEnd()].filter(Boolean).join("\n"));
    return answer;
  };
  const ask = (name: string) => both("tokenix_symbols", { name }, ["symbols", name]);
  const edits: [string, () => unknown, () => Promise<void>][] = [
    [
      "as it was",
      () => undefined,
      async () => {
        expect(await ask("alpha")).toContain("a.ts:1");
        expect(await both("tokenix_callers", { symbol: "alpha" }, ["callers", "alpha"])).toContain("b.ts:2");
        expect(await both("tokenix_read", { file: "a.ts" }, ["read", "a.ts"])).toContain("alpha");
      },
    ],
    [
      "a rename",
      () => box.write({ "a.ts": fn("beta"), "b.ts": 'import { beta } from "./a";\nexport const b = () => beta(1);\n' }),
      async () => {
        expect(await ask("alpha")).toStartWith("no symbol is named 'alpha'");
        expect(await ask("beta")).toContain("a.ts:1");
        expect(await both("tokenix_callers", { symbol: "beta" }, ["callers", "beta"])).toContain("b.ts:2");
        expect(
          await both("tokenix_read", { file: "a.ts", symbol: "beta" }, ["read", "a.ts", "--symbol", "beta"]),
        ).toStartWith(fn("beta"));
      },
    ],
    [
      "a line that was appended this moment",
      () => appendFileSync(box.path("a.ts"), "// zebrafinch\n"),
      async () => {
        expect(await both("tokenix_grep", { pattern: "zebrafinch" }, ["grep", "zebrafinch"])).toStartWith("a.ts:4:");
        expect(await both("tokenix_query", { query: "zebrafinch" }, ["query", "zebrafinch"])).toContain("a.ts");
      },
    ],
    [
      "a merge that leaves a clean tree",
      () => {
        box.commit("beta");
        box.gitSync("checkout", "-q", "-b", "feature", "HEAD~1");
        box.write({ "c.ts": fn("f9") }).commit("f9");
        box.gitSync("checkout", "-q", "main");
        box.gitSync("merge", "-q", "-m", "merge", "feature");
      },
      async () => expect(await ask("f9")).toContain("c.ts:1"),
    ],
    [
      "a rebase",
      () => {
        box.gitSync("checkout", "-q", "-b", "topic", "HEAD~1");
        box.write({ "d.ts": fn("topical") }).commit("topic");
        box.gitSync("rebase", "-q", "main");
      },
      async () => {
        expect(await ask("topical")).toContain("d.ts:1");
        expect(await ask("f9")).toContain("c.ts:1");
      },
    ],
    [
      "a forced rebuild by another process",
      async () => {
        box.write({ "a.ts": fn("gamma") });
        expect((await box.run(["index", "--force"])).code).toBe(0);
      },
      async () => expect(await ask("gamma")).toContain("a.ts:1"),
    ],
    [
      "an index that was thrown away and made anew: the old file is gone from the disk",
      async () => {
        expect((await box.run(["forget"])).code).toBe(0);
        box.write({ "a.ts": fn("delta") });
        expect((await box.run(["index"])).code).toBe(0);
      },
      async () => {
        expect(await ask("gamma")).toStartWith("no symbol is named 'gamma'");
        expect(await ask("delta")).toContain("a.ts:1");
      },
    ],
  ];
  for (const [what, edit, check] of edits) {
    await edit();
    await check().catch((error: unknown) => {
      throw new Error(`after ${what}: ${error}`);
    });
    const stats = json<{ state: string; files: number; git: { commit: string } }>(
      (await box.run(["stats", "--json"])).stdout,
    );
    const files = json<unknown[]>((await box.run(["files", "--json"])).stdout);
    const commit = box.gitSync("rev-parse", "HEAD").trim();
    expect({ what, ...stats }).toMatchObject({ what, state: "fresh", files: files.length, git: { commit } });
  }
  expect(await session.close()).toBe(0);
}, 60_000);

test("questions that are asked at once, right after an edit, all know of it", async () => {
  using box = new Sandbox();
  for (let i = 0; i < 40; i++) box.write({ [`f${i}.ts`]: fn(`before${i}`) });
  await box.run(["index"]);
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 40; i++) box.write({ [`f${i}.ts`]: fn(`round${round}x${i}`) });
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((i) => box.run(["symbols", `round${round}x${i}`])));
    for (const [at, { code, stdout, stderr }] of answers.entries())
      expect([code, stdout.split("-")[0], stderr]).toEqual([0, `f${at + 1}.ts:1`, ""]);
  }
}, 30_000);

test("A.9 a dirty file outside the index leaves its status fresh, whatever it is", async () => {
  using box = new Sandbox();
  box.write({ "a.ts": fn("alpha"), "blob.bin": new Uint8Array([0, 1]), ".gitignore": "*.log\n", "x.log": "one" });
  box.commit();
  await box.run(["index"]);
  box.write({ "blob.bin": new Uint8Array([0, 2, 2]), "x.log": "two", "notes.unheard": new Uint8Array([0, 3]) });
  expect(json<object>((await box.run(["stats", "--json"])).stdout)).toMatchObject({ state: "fresh" });
  // Stamps younger than the clock's tick are not trusted; the next look settles them.
  await Bun.sleep(150);
  expect(json<object>((await box.run(["stats", "--json"])).stdout)).toMatchObject({ state: "fresh" });
  expect((await box.run(["index", "--if-stale"])).stdout).toContain("is up to date");
});

test("B.19 B.23 the repository's ignore rules hold for a part of it, in the index and in the answers", async () => {
  using box = new Sandbox();
  box.write({
    ".gitignore": "src/secret.py\n/parent/*.txt\n",
    "src/secret.py": "def hidden():\n    pass\n",
    "src/open.py": "def shown():\n    pass\n",
    "parent/a.txt": "topmost words\n",
    "parent/sub/x.txt": "deeper words\n",
  });
  for (const [part, expected] of [
    ["src", ["open.py"]],
    ["parent", ["sub/x.txt"]],
    [".", [".gitignore", "parent/sub/x.txt", "src/open.py"]],
  ] as const) {
    expect((await box.run(["index", part])).code).toBe(0);
    const files = json<{ path: string }[]>((await box.run(["files", part, "--json"])).stdout);
    expect([part, files.map((file) => file.path)]).toEqual([part, [...expected]]);
  }
});

test("C.31 C.33 a worktree inside the tree is not searched twice, and a question asked in it gets its own code or none", async () => {
  using box = new Sandbox();
  box.write({ "a.ts": fn("alpha"), ".gitignore": ".claude/worktrees/\n" }).commit();
  box.gitSync("worktree", "add", "-q", ".claude/worktrees/w1", "-b", "w1");
  const inside = box.path(".claude/worktrees/w1");
  writeFileSync(join(inside, "only.ts"), fn("only_w1"));
  await box.run(["index"]);
  const hits = json<{ symbols: unknown[] }>((await box.run(["symbols", "alpha", "--json"])).stdout);
  expect(JSON.stringify(hits).split('"a.ts"').length - 1).toBe(1);
  for (const words of [
    ["symbols", "only_w1"],
    ["query", "alpha"],
    ["grep", "alpha"],
  ]) {
    const asked = await box.run(words, { cwd: inside });
    expect([words, asked.code, asked.stdout]).toEqual([words, 1, ""]);
    expect(asked.stderr).toContain(`${inside} is not indexed`);
  }
  await box.run(["index"], { cwd: inside });
  expect((await box.run(["symbols", "only_w1"], { cwd: inside })).stdout).toContain("only.ts:1");
  expect((await box.run(["symbols", "only_w1"])).stdout).toStartWith("no symbol is named");
});

test("C.37 staged work and git's own index keep every byte, whichever command runs, and no lock of git's is taken", async () => {
  using box = new Sandbox();
  box.write({ "a.ts": fn("alpha") }).commit();
  box.write({ "b.ts": fn("beta"), "a.ts": fn("edited") });
  box.gitSync("add", "b.ts");
  // Git would like to refresh this index: the stamp of a.ts has moved since.
  box.write({ "a.ts": fn("edited2") });
  const before = readFileSync(box.path(".git/index"));
  // A lock that somebody holds stops whoever wants to write.
  writeFileSync(box.path(".git/index.lock"), "");
  for (const words of [
    ["index"],
    ["index", "--force"],
    ["stats"],
    ["doctor"],
    ["query", "edited"],
    ["grep", "edited"],
    ["read", "a.ts", "--mode", "diff"],
    ["context", "what does edited do"],
    ["files", "--skipped"],
  ]) {
    const { code, stderr } = await box.run(words);
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
    expect(readFileSync(box.path(".git/index")).equals(before)).toBe(true);
  }
  expect(existsSync(box.path(".git/index.lock"))).toBe(true);
  expect(box.gitSync("diff", "--cached", "--name-only").trim()).toBe("b.ts");
}, 30_000);

test("E.57 E.59 names outside ASCII for project, home and file work from every command, in the plainest locale too", async () => {
  using box = new Sandbox({ name: "проект 日本 é" });
  box.write({ "説明.py": "def explain():\n    return 'ü'\n", "ordner/ß.ts": fn("scharf") }).commit();
  const home = join(box.base, "дом é");
  mkdirSync(home);
  for (const locale of ["C", "C.UTF-8"]) {
    const env = { TOKENIX_HOME: join(home, "ñ"), LC_ALL: locale, LANG: locale };
    const say = async (...words: string[]) => {
      const { code, stdout, stderr } = await box.run(words, { env, cwd: box.path("ordner") });
      expect({ locale, words, code, stderr }).toMatchObject({ locale, words, code: 0 });
      expect(stderr).not.toContain("tokenix:");
      return stdout;
    };
    await say("index");
    expect(await say("symbols", "explain")).toContain("説明.py:1");
    expect(await say("query", "explain")).toContain("return 'ü'");
    expect(await say("grep", "scharf")).toStartWith("ordner/ß.ts:1:");
    expect(await say("read", "../説明.py", "--symbol", "explain")).toBe("def explain():\n    return 'ü'\n");
    const stats = json<{ root: string; database: string; state: string; git: { branch: string } }>(
      await say("stats", "--json"),
    );
    expect(stats).toMatchObject({ root: box.root, state: "fresh", git: { branch: "main" } });
    // A status that opens nothing would go on saying fresh.
    writeFileSync(stats.database, "not a database ".repeat(600));
    const damaged = await box.run(["stats"], { env });
    expect([damaged.code, damaged.stdout]).toEqual([1, ""]);
    expect(damaged.stderr).toContain("is damaged");
    await box.run(["index"], { env });
  }
}, 60_000);

test("every file that a walk of the disk sees is in the index or explained, itself or by a folder above it", async () => {
  if (process.platform === "win32") return;
  using box = new Sandbox();
  box.write({
    "src/a.ts": fn("alpha"),
    "src/deep/er/b.py": "def beta():\n    pass\n",
    "src/ü ö.ts": fn("umlaut"),
    "src/line\nbreak.ts": fn("broken"),
    "src/tab\tname.ts": fn("tabbed"),
    "src/-dash.ts": fn("dash"),
    "src/[x]{y}*.ts": fn("glob"),
    "src/UPPER.TS": fn("upper"),
    "empty.ts": "",
    "blank.md": " \n\n",
    "picture.png": new Uint8Array([137, 80, 78, 71, 0, 0, 1]),
    "utf16.txt": new Uint8Array([255, 254, 104, 0, 105, 0]),
    "large.csv": "a,b\n".repeat(500_000),
    "app.min.js": `var a=1;${"f(a);".repeat(600)}`,
    "Cargo.lock": "[[package]]\n",
    ".gitignore": "*.log\n/out/\nsub/only/*.txt\n",
    ".tokenixignore": "/private/\n",
    "x.log": "ignored",
    "out/deep/x.js": "1",
    "sub/.gitignore": "!keep.log\n",
    "sub/keep.log": "kept",
    "sub/only/no.txt": "no",
    "sub/only/yes.md": "# Yes\n",
    "private/p.ts": fn("secret"),
    "node_modules/m/index.js": "1",
    "cache/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n",
    "cache/c.ts": "1",
    "venv/pyvenv.cfg": "home = x\n",
    "venv/lib/v.py": "1",
  });
  box.commit();
  box.gitSync("worktree", "add", "-q", "tree", "-b", "other");
  mkdirSync(box.path("nothing/at/all"), { recursive: true });
  symlinkSync("src", box.path("to-src"));
  symlinkSync("src/a.ts", box.path("to-a.ts"));
  symlinkSync("nowhere", box.path("dangling"));
  symlinkSync("loop", box.path("loop"));
  await box.exec(["mkfifo", box.path("pipe")]);
  // A name that is no UTF-8: the system knows it by its bytes alone.
  await box.exec(["bash", "-c", "printf 1 > $'src/not-utf8-\\xff.ts'"]);
  box.write({ "shut.ts": fn("shut"), "shut/inside.ts": fn("inside") });
  chmodSync(box.path("shut.ts"), 0);
  chmodSync(box.path("shut"), 0);
  const found = await box.exec(["find", ".", "-name", ".git", "-prune", "-o", "!", "-type", "d", "-print0"]);
  chmodSync(box.path("shut"), 0o700);
  const seen = found.stdout
    .split("\0")
    .filter(Boolean)
    .map((path) => path.slice(2));
  expect(seen.length).toBeGreaterThan(35);
  expect((await box.run(["index"])).code).toBe(0);
  const paths = async (...words: string[]) =>
    new Set(json<{ path: string }[]>((await box.run([...words, "--json"])).stdout).map((row) => row.path));
  const indexed = await paths("files");
  const skipped = await paths("files", "--skipped");
  const isExplained = (path: string): boolean =>
    skipped.has(path) || (path.includes("/") && isExplained(path.slice(0, path.lastIndexOf("/"))));
  expect(seen.filter((path) => !indexed.has(path) && !isExplained(path))).toEqual([]);
  // Nothing is said to be both, and nothing is listed that is not there.
  expect([...indexed].filter((path) => skipped.has(path))).toEqual([]);
  expect([...indexed].filter((path) => !seen.includes(path))).toEqual([]);
  for (const row of json<{ path: string; detail: string }[]>((await box.run(["files", "--skipped", "--json"])).stdout))
    expect([row.path, row.detail === ""]).toEqual([row.path, false]);
  // One line a file, whatever its name.
  const lines = (await box.run(["files"])).stdout.trimEnd().split("\n");
  expect(lines.length).toBe(indexed.size + 1);
}, 60_000);

/** A disk of its own for TOKENIX_HOME. */
async function smallDisk(box: Sandbox, size: string): Promise<Disposable & { readonly path: string }> {
  const path = join(box.base, "disk");
  mkdirSync(path);
  const { code } = await box.exec(["mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path]);
  if (code !== 0) throw new Error("this process may not mount");
  return { path, [Symbol.dispose]: () => void Bun.spawnSync(["umount", "-l", path]) };
}

const mayMount = process.platform === "linux" && process.getuid?.() === 0 && canMount();

function canMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), "tokenix-mount-"));
  const { success } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path], { stderr: "ignore" });
  if (success) Bun.spawnSync(["umount", "-l", path]);
  rmdirSync(path);
  return success;
}

test.skipIf(!mayMount)(
  "a full disk is named by every command, and an index can still be forgotten to make room",
  async () => {
    using box = new Sandbox();
    const files: Record<string, string> = {};
    for (let i = 0; i < 300; i++)
      files[`f${i}.txt`] =
        `${Array.from({ length: 60 }, (_, k) => `line ${k} of ${i} says word${(i * 61 + k) % 9973}`).join("\n")}\n`;
    box.write(files);
    using disk = await smallDisk(box, "1m");
    const env = { TOKENIX_HOME: join(disk.path, "home") };
    const full = await box.run(["index"], { env });
    expect([full.code, full.stdout]).toEqual([1, ""]);
    expect(full.stderr).toContain("the disk is full: the index ");
    for (const words of [
      ["index"],
      ["stats"],
      ["query", "word17"],
      ["doctor"],
      ["memory", "add", "note"],
      ["rebuild-graph"],
    ]) {
      const { stderr, stdout } = await box.run(words, { env });
      expect([words, /fault of tokenix|check itself failed|SQLITE_|E[A-Z]{4,}:/.exec(stderr + stdout)?.[0]]).toEqual([
        words,
        undefined,
      ]);
    }
    const forgotten = await box.run(["forget"], { env });
    expect(forgotten).toMatchObject({ code: 0, stderr: "" });
    expect(forgotten.stdout).toContain("freed");
  },
);

test.skipIf(!mayMount)(
  "an index on a disk that became read-only still answers, and whoever wants to write is told why not",
  async () => {
    using box = new Sandbox();
    box.write({ "a.ts": fn("alpha") });
    using disk = await smallDisk(box, "20m");
    const env = { TOKENIX_HOME: join(disk.path, "home") };
    expect((await box.run(["index"], { env })).code).toBe(0);
    // Stamps younger than the clock's tick are settled by the next look, which writes.
    await Bun.sleep(150);
    expect((await box.run(["stats"], { env })).code).toBe(0);
    expect((await box.exec(["mount", "-o", "remount,ro", disk.path])).code).toBe(0);
    for (const [words, found] of [
      [["symbols", "alpha"], "a.ts:1"],
      [["query", "alpha"], "a.ts:1"],
      [["grep", "alpha"], "a.ts:1"],
      [["stats"], "state       fresh"],
    ] as const) {
      const { code, stdout, stderr } = await box.run(words, { env });
      expect({ words, code, stderr, has: stdout.includes(found) || stdout }).toEqual({
        words,
        code: 0,
        stderr: "",
        has: true,
      });
    }
    box.write({ "b.ts": fn("beta") });
    const stale = await box.run(["symbols", "alpha"], { env });
    expect(stale.stdout).toContain("a.ts:1");
    expect(stale.stderr).toContain("could not be brought up to date");
    const refused = await box.run(["index"], { env });
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("a read-only disk");
    expect(refused.stderr).not.toContain("fault of tokenix");
    expect((await box.run(["doctor"], { env })).stdout).not.toContain("check itself failed");
  },
);

test("a home that is no folder, or below a file, is refused in words", async () => {
  if (process.platform === "win32") return;
  using box = new Sandbox();
  box.write({ "a.ts": fn("alpha") });
  for (const home of [box.path("a.ts"), box.path("a.ts", "deeper")]) {
    const { code, stderr } = await box.run(["index"], { env: { TOKENIX_HOME: home } });
    expect([code, /fault of tokenix|E[A-Z]{4,}:/.exec(stderr)?.[0]]).toEqual([1, undefined]);
    expect(stderr).toContain("TOKENIX_HOME");
  }
});

test("a file or folder that was shut leaves the answers with its reason, and comes back when it is opened", async () => {
  if (process.platform !== "linux") return;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && Bun.which("setpriv") === null) return;
  using box = new Sandbox();
  box.write({ "shut/deep/a.ts": fn("alpha"), "part/b.ts": fn("beta"), "c.ts": fn("gamma"), "top.ts": fn("top") });
  // Nothing is shut to root: the program runs as nobody then, from a place that nobody can reach.
  const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
  const program = isRoot ? [...nobody, join(box.base, "tokenix")] : [BINARY];
  if (isRoot) {
    chmodSync(box.base, 0o755);
    copyFileSync(BINARY, join(box.base, "tokenix"));
    await box.exec(["chown", "-R", "65534:65534", box.base]);
  }
  const say = async (...words: string[]) => {
    const { code, stdout, stderr } = await box.exec([...program, ...words]);
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
    return stdout;
  };
  const modes = { shut: 0, part: 0o400, "c.ts": 0 };
  const open = { shut: 0o755, part: 0o755, "c.ts": 0o644 };
  await say("index");
  for (const words of [["stats"], ["index"]]) {
    for (const [name, mode] of Object.entries(modes)) chmodSync(box.path(name), mode);
    await say(...words);
    expect(await say("symbols", "alpha")).toStartWith("no symbol");
    expect(await say("symbols", "top")).toContain("top.ts:1");
    const skipped = json<{ path: string; outcome: string }[]>(await say("files", "--skipped", "--json"));
    const unreadable = skipped.filter((row) => row.outcome === "unreadable").map((row) => row.path);
    expect(unreadable).toEqual(["c.ts", "part/b.ts", "shut"]);
    for (const [name, mode] of Object.entries(open)) chmodSync(box.path(name), mode);
    for (const [name, place] of [
      ["alpha", "shut/deep/a.ts:1"],
      ["beta", "part/b.ts:1"],
      ["gamma", "c.ts:1"],
    ] as const)
      expect(await say("symbols", name)).toContain(place);
    expect(await say("files", "--skipped")).toBe("0 entries\n");
  }
}, 60_000);
