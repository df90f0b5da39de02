import { expect, test } from "bun:test";
import { appendFileSync, renameSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { acquireWriter } from "../../src/platform/lock.ts";
import { outlineFromStore } from "../../src/repo/context/outline.ts";
import { openFresh, staleness } from "../../src/repo/index/freshness.ts";
import { openStore, storePaths } from "../../src/repo/store/open.ts";
import { Project } from "./project.ts";

const fn = (name: string) => `export function ${name}() {\n  return 1;\n}\n`;

async function ask(project: Project, name: string): Promise<string[]> {
  const fresh = await openFresh(project.root, { env: project.env });
  try {
    return fresh.store.graph.symbolsNamed(name, true).map((row) => `${row.path}:${row.startLine}`);
  } finally {
    fresh.store.close();
  }
}

test("a name that was renamed on disk is found by its new name at once, and no longer by its old one", async () => {
  using project = new Project();
  project.write("a.ts", fn("alpha"));
  await project.index();
  expect(await ask(project, "alpha")).toEqual(["a.ts:1"]);
  project.write("a.ts", fn("betas"));
  expect(await ask(project, "betas")).toEqual(["a.ts:1"]);
  expect(await ask(project, "alpha")).toEqual([]);
});

test("text appended a moment ago is in the index when the next question is asked", async () => {
  using project = new Project();
  const path = project.write("a.ts", fn("alpha"));
  await project.index();
  await ask(project, "alpha");
  appendFileSync(path, fn("uniqueNewcomer"));
  expect(await ask(project, "uniqueNewcomer")).toEqual(["a.ts:4"]);
});

test("new files, in old and new folders, and deleted ones need no run by hand", async () => {
  using project = new Project();
  project.write("src/a.ts", fn("alpha"));
  project.write("gone/b.ts", fn("beta"));
  await project.index();
  project.write("src/new.ts", fn("gamma"));
  project.write("other/deep/new.ts", fn("delta"));
  project.remove("gone");
  expect(await ask(project, "gamma")).toEqual(["src/new.ts:1"]);
  expect(await ask(project, "delta")).toEqual(["other/deep/new.ts:1"]);
  expect(await ask(project, "beta")).toEqual([]);
});

test("a rename takes the old path out of the answers", async () => {
  using project = new Project();
  project.write("old.ts", fn("moved"));
  await project.index();
  renameSync(join(project.root, "old.ts"), join(project.root, "new.ts"));
  expect(await ask(project, "moved")).toEqual(["new.ts:1"]);
});

test("a merge that leaves a clean tree is seen, and so is a branch switch back and forth", async () => {
  using project = new Project({ git: true });
  project.write("a.ts", fn("base"));
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "base");
  project.git("checkout", "-q", "-b", "feature");
  project.write("b.ts", fn("f9"));
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "feature");
  project.git("checkout", "-q", "main");
  await project.index();
  expect(await ask(project, "f9")).toEqual([]);
  project.git("merge", "-q", "feature");
  expect(await ask(project, "f9")).toEqual(["b.ts:1"]);
  project.git("checkout", "-q", "HEAD~1");
  expect(await ask(project, "f9")).toEqual([]);
});

test("a branch switch reads only the files that differ", async () => {
  using project = new Project({ git: true });
  for (let i = 0; i < 30; i++) project.write(`f${i}.ts`, fn(`same${i}`));
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "base");
  project.git("checkout", "-q", "-b", "other");
  project.write("f3.ts", fn("changed"));
  project.git("commit", "-q", "-a", "-m", "change");
  await project.index();
  // Stamps younger than the clock's tick are not trusted; this run settles them.
  await Bun.sleep(150);
  await project.index();
  project.git("checkout", "-q", "main");
  const report = await project.index();
  expect([...report.outcomes.values()].reduce((sum, n) => sum + n, 0)).toBe(1);
});

test("a dirty file that is not in the index does not make it stale", async () => {
  using project = new Project({ git: true });
  project.write("a.ts", fn("alpha"));
  project.write("blob.dat", Buffer.from([0, 1, 2, 3]));
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "one");
  await project.index();
  project.write("blob.dat", Buffer.from([0, 9, 9, 9, 9]));
  const fresh = await openFresh(project.root, { env: project.env });
  expect(fresh.stale).toBeUndefined();
  expect(staleness(fresh.store)).toBeUndefined();
  fresh.store.close();
});

test("an ignore rule that is added, changed or removed holds for the next question", async () => {
  using project = new Project({ git: true });
  project.write("a.ts", fn("alpha"));
  project.write("gen/b.ts", fn("beta"));
  await project.index();
  expect(await ask(project, "beta")).toEqual(["gen/b.ts:1"]);
  project.write(".gitignore", "gen/\n");
  expect(await ask(project, "beta")).toEqual([]);
  project.write(".gitignore", "other/\n");
  expect(await ask(project, "beta")).toEqual(["gen/b.ts:1"]);
  project.write(".git/info/exclude", "gen\n");
  expect(await ask(project, "beta")).toEqual([]);
});

test("a project that was empty when it was indexed finds its first file", async () => {
  using project = new Project();
  await project.index();
  project.write("a.py", "def first():\n    pass\n");
  expect(await ask(project, "first")).toEqual(["a.py:1"]);
});

test("while another process writes, a question is answered from what there is, and says so", async () => {
  using project = new Project();
  project.write("a.ts", fn("alpha"));
  await project.index();
  project.write("a.ts", fn("gammas"));
  const lock = acquireWriter(storePaths(project.root, project.env).lock, "index");
  if (!("release" in lock)) throw new Error("the lock was not free");
  try {
    const fresh = await openFresh(project.root, { env: project.env });
    expect(fresh.store.graph.symbolsNamed("alpha").length).toBe(1);
    expect(fresh.stale).toContain("1 file has changed");
    expect(fresh.stale).toContain(String(process.pid));
    fresh.store.close();
  } finally {
    lock.release();
  }
});

test("a reader that stays open sees the next commit, and notices when its file was replaced", async () => {
  using project = new Project();
  project.write("a.ts", fn("alpha"));
  await project.index();
  const reader = openStore(project.root, { mode: "read", env: project.env });
  const before = reader.dataVersion();
  project.write("a.ts", fn("betas"));
  await project.index();
  expect(reader.graph.symbolsNamed("betas").length).toBe(1);
  expect(reader.dataVersion()).not.toBe(before);
  expect(reader.isCurrent()).toBe(true);
  renameSync(reader.path, `${reader.path}.aside`);
  await project.index();
  expect(reader.isCurrent()).toBe(false);
  reader.close();
});

test("an outline comes from the index only while the file is what was indexed", async () => {
  using project = new Project();
  project.write("a.ts", fn("alpha"));
  await project.index();
  expect(project.read((store) => outlineFromStore(store, "a.ts"))?.entries.map((entry) => entry.name)).toEqual([
    "alpha",
  ]);
  project.write("a.ts", fn("other"));
  expect(project.read((store) => outlineFromStore(store, "a.ts"))).toBeUndefined();
  await project.index();
  expect(project.read((store) => outlineFromStore(store, "a.ts"))?.entries.map((entry) => entry.name)).toEqual([
    "other",
  ]);
});

test("a pull that deletes 276 of 900 files costs one pass: the next question writes less than the index has, and nothing of them is left", async () => {
  using project = new Project();
  for (let i = 0; i < 900; i++) project.write(`d${i % 20}/f${i}.ts`, fn(`name${i}`));
  await project.index();
  const size = statSync(storePaths(project.root, project.env).database).size;
  for (let i = 0; i < 276; i++) project.remove(`d${i % 20}/f${i}.ts`);
  // While somebody reads, everything that is written stays in the log: its size is what was written.
  const reader = openStore(project.root, { mode: "read", env: project.env });
  reader.files.stored();
  const fresh = await openFresh(project.root, { env: project.env });
  expect([fresh.removed, fresh.stale]).toEqual([276, undefined]);
  expect(statSync(`${reader.path}-wal`).size).toBeLessThan(size);
  fresh.store.close();
  reader.close();
  project.read((store) => {
    expect(store.files.stored().length).toBe(624);
    expect(store.graph.symbolCount()).toBe(624);
    const living = store.lexical.segments().reduce((sum, segment) => sum + segment.chunkCount, 0);
    expect(living).toBe(store.chunks.count());
  });
});

test("a folder that became a file, and a file that became a folder, are seen by the next question and the next run", async () => {
  using project = new Project();
  project.write("a/b/x.ts", fn("inFolder"));
  project.write("c", fn("asFile"));
  for (let i = 0; i < 320; i++) project.write(`many/f${i}.ts`, fn(`other${i}`));
  await project.index();
  project.remove("a");
  project.write("a", "some words\n");
  project.remove("c");
  project.write("c/y.ts", fn("nowFolder"));
  expect(await ask(project, "inFolder")).toEqual([]);
  expect(await ask(project, "nowFolder")).toEqual(["c/y.ts:1"]);
  expect(project.paths()).toContain("a");
  project.remove("c");
  project.write("c", fn("asFile"));
  const report = await project.index();
  expect(report.removed).toBe(1);
  expect(project.paths()).toContain("c");
});

test("a file that is dated into the future is read once, and again when it changes", async () => {
  using project = new Project();
  const path = project.write("a.ts", fn("alpha"));
  utimesSync(path, new Date(), new Date("2099-01-01"));
  await Bun.sleep(150);
  await project.index();
  const fresh = await openFresh(project.root, { env: project.env });
  expect([fresh.refreshed, fresh.store.files.byPath("a.ts")?.mtime]).toEqual([0, Date.parse("2099-01-01")]);
  fresh.store.close();
  project.write("a.ts", fn("betas"));
  utimesSync(path, new Date(), new Date("2099-01-01"));
  expect(await ask(project, "betas")).toEqual(["a.ts:1"]);
});
