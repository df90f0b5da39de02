import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProjectRoot } from "../../src/repo/store/root.ts";
import { Project } from "./project.ts";

const source = "export function onlyHere() {\n  return 1;\n}\n";

test("worktrees inside the tree are other checkouts: each symbol is found once", async () => {
  using project = new Project({ git: true });
  project.write("a.ts", source);
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "one");
  project.git("worktree", "add", "-q", ".claude/worktrees/w1", "-b", "w1");
  project.git("worktree", "add", "-q", "visible-tree", "-b", "w2");
  await project.index();
  expect(project.read((store) => store.graph.symbolsNamed("onlyHere").map((row) => row.path))).toEqual(["a.ts"]);
  expect(project.outcomes()["visible-tree"]).toBe("other-checkout");
});

test("a question asked in a nested worktree never goes to the outer checkout's index", async () => {
  using project = new Project({ git: true });
  project.write("a.ts", source);
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "one");
  project.git("worktree", "add", "-q", ".claude/worktrees/w1", "-b", "w1");
  await project.index();
  const inside = join(project.root, ".claude/worktrees/w1");
  mkdirSync(join(inside, "src"));
  expect(findProjectRoot(join(inside, "src"), project.env)).toEqual({ root: inside, indexed: false });
  expect(findProjectRoot(join(project.root, ".claude"), project.env)).toEqual({ root: project.root, indexed: true });
});

test("two worktrees of a bare repository in one folder are indexed once", async () => {
  using project = new Project();
  project.git("init", "-q", "--bare", "-b", "main", ".bare");
  const seed = join(project.base, "seed");
  mkdirSync(seed);
  project.gitAt(seed, "init", "-q", "-b", "main");
  writeFileSync(join(seed, "a.ts"), source);
  project.gitAt(seed, "add", "-A");
  project.gitAt(seed, "commit", "-q", "-m", "one");
  project.gitAt(seed, "push", "-q", join(project.root, ".bare"), "main", "main:other");
  project.gitAt(join(project.root, ".bare"), "worktree", "add", "-q", "../one", "main");
  project.gitAt(join(project.root, ".bare"), "worktree", "add", "-q", "../two", "other");
  await project.index();
  expect(project.read((store) => store.graph.symbolsNamed("onlyHere").length)).toBe(1);
});

test("a submodule is indexed once, and a question asked in it goes to the project", async () => {
  using project = new Project({ git: true });
  const inner = join(project.base, "inner");
  mkdirSync(inner);
  project.gitAt(inner, "init", "-q", "-b", "main");
  writeFileSync(join(inner, "lib.ts"), source);
  project.gitAt(inner, "add", "-A");
  project.gitAt(inner, "commit", "-q", "-m", "one");
  project.git("submodule", "add", "-q", inner, "deps/lib");
  await project.index();
  expect(project.read((store) => store.graph.symbolsNamed("onlyHere").map((row) => row.path))).toEqual([
    "deps/lib/lib.ts",
  ]);
  expect(findProjectRoot(join(project.root, "deps/lib"), project.env).root).toBe(project.root);
});

test("a folder link to its own ancestor ends, and a link to a file counts once", async () => {
  if (process.platform === "win32") return;
  using project = new Project();
  project.write("r/a/b/x.ts", source);
  symlinkSync("../..", join(project.root, "r/a/b/loop"));
  symlinkSync("x.ts", join(project.root, "r/a/b/y.ts"));
  writeFileSync(join(project.base, "outside.ts"), source);
  symlinkSync(join(project.base, "outside.ts"), join(project.root, "z.ts"));
  await project.index();
  expect(project.paths()).toEqual(["r/a/b/x.ts"]);
  const outcomes = project.outcomes();
  expect([outcomes["r/a/b/loop"], outcomes["r/a/b/y.ts"], outcomes["z.ts"]]).toEqual(["link", "link", "link"]);
});

test("staged work and git's own index are not touched, byte for byte", async () => {
  using project = new Project({ git: true });
  project.write("a.ts", source);
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "one");
  project.write("b.ts", source);
  project.git("add", "b.ts");
  project.write("a.ts", `${source}// edited\n`);
  const before = readFileSync(join(project.root, ".git/index"));
  await project.index();
  project.write("c.ts", source);
  await project.index();
  expect(readFileSync(join(project.root, ".git/index")).equals(before)).toBe(true);
  expect(project.git("diff", "--cached", "--name-only").trim()).toBe("b.ts");
});

test("an index of the folder itself wins over a marker further up, and a marker over nothing", async () => {
  using project = new Project();
  project.write("package.json", "{}");
  project.write("inner/a.ts", source);
  expect(findProjectRoot(join(project.root, "inner"), project.env)).toEqual({ root: project.root, indexed: false });
  await project.index();
  project.write("inner/package.json", "{}");
  expect(findProjectRoot(join(project.root, "inner"), project.env)).toEqual({ root: project.root, indexed: true });
});
