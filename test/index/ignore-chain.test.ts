import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { trackedButIgnored, Walker } from "../../src/repo/index/walk.ts";
import { randomSource } from "../support/random-jsonc.ts";
import { Project } from "./project.ts";

/** Every file that a walk gives, relative to the root. */
function walked(project: Project, root = project.root, tracked: ReadonlySet<string> = new Set()): string[] {
  const walker = new Walker(root, { env: project.env, tracked });
  return [...walker.walk()].flatMap((listing) => listing.files.map((file) => file.path)).sort();
}

/** What git says: tracked files and untracked ones that no rule ignores. */
function gitFiles(project: Project): string[] {
  return project.git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0").filter(Boolean).sort();
}

test("walks of 40 random trees with ignore files at every depth give exactly git's files", () => {
  const random = randomSource(2026);
  const names = ["a", "b", "lib", "x.sql", "y.sql", "keep.log", "z.log", "src", "dé", "n m"];
  const patterns = [
    "*.sql",
    "!x.sql",
    "/a",
    "a/",
    "lib/",
    "!lib/",
    "*.log",
    "!keep.log",
    "b/*",
    "!b/a",
    "**/src",
    "src/**",
    "a/**/b",
    "/*/x.sql",
    "dé",
    "n\\ m",
    "# comment",
    "",
    "x.sql ",
    "/b/lib/",
    "!*/",
    "[ab]",
    "?",
    "lib/*.log",
    "**/z.log",
    "!/a/b",
  ];
  using project = new Project({ git: true });
  for (let round = 0; round < 40; round++) {
    for (const name of readdirSync(project.root)) if (name !== ".git") project.remove(name);
    project.write(".git/info/exclude", "");
    const fill = (dir: string, depth: number) => {
      for (const name of names) {
        if (!random.chance(45)) continue;
        const path = dir === "" ? name : `${dir}/${name}`;
        if (name.includes(".") || depth === 3 || random.chance(30)) project.write(path, "x");
        else fill(path, depth + 1);
      }
      if (random.chance(35)) {
        const lines = Array.from({ length: 1 + random.below(5) }, () => random.pick(patterns));
        project.write(dir === "" ? ".gitignore" : `${dir}/.gitignore`, lines.join(random.chance(20) ? "\r\n" : "\n"));
      }
    };
    fill("", 0);
    if (random.chance(30)) project.write(".git/info/exclude", `${random.pick(patterns)}\n`);
    expect({ round, files: walked(project) }).toEqual({ round, files: gitFiles(project) });
  }
}, 30_000);

test("an empty ignore file does not switch a deeper one off", () => {
  using project = new Project({ git: true });
  project.write("s/.gitignore", "");
  project.write("s/d/.gitignore", "*.sql");
  project.write("s/d/x.sql", "select 1");
  project.write("s/d/y.ts", "1");
  expect(walked(project)).not.toContain("s/d/x.sql");
  expect(walked(project)).toContain("s/d/y.ts");
});

test("an anchored folder pattern leaves out that folder and no other of its name", () => {
  using project = new Project({ git: true });
  project.write(".gitignore", "/Library/\n");
  project.write("Library/a.cs", "a");
  project.write("src/Library/b.cs", "b");
  expect(walked(project)).toEqual([".gitignore", "src/Library/b.cs"]);
});

test("the repository's ignore file holds when only a folder of it is indexed", () => {
  using project = new Project({ git: true });
  project.write(".gitignore", "src/secret.py\n/src/*.txt\n");
  project.write("src/secret.py", "x");
  project.write("src/open.py", "x");
  project.write("src/top.txt", "x");
  project.write("src/sub/x.txt", "x");
  expect(walked(project, join(project.root, "src"))).toEqual(["open.py", "sub/x.txt"]);
});

test("a pattern with a slash stays at its depth, from above and from inside", () => {
  using project = new Project({ git: true });
  project.write(".gitignore", "/parent/*.txt\n");
  project.write("parent/a.txt", "x");
  project.write("parent/sub/x.txt", "x");
  expect(walked(project)).toContain("parent/sub/x.txt");
  expect(walked(project)).not.toContain("parent/a.txt");
  expect(walked(project, join(project.root, "parent"))).toEqual(["sub/x.txt"]);
});

test("the user's core.excludesFile is applied, also with ~ and in an included file", () => {
  for (const style of ["absolute", "tilde", "included", "default"] as const) {
    using project = new Project({ git: true });
    const home = project.env["HOME"] ?? "";
    const excludes = style === "default" ? join(home, ".config/git/ignore") : join(home, "my-ignores");
    mkdirSync(join(home, ".config/git"), { recursive: true });
    writeFileSync(excludes, ".history\n");
    const value = style === "tilde" ? "~/my-ignores" : excludes;
    const setting = `[core]\n\texcludesFile = "${value}" # mine\n`;
    if (style === "included") {
      writeFileSync(join(home, "more.config"), setting);
      writeFileSync(join(home, ".gitconfig"), `[include]\n\tpath = ${join(home, "more.config")}\n`);
    } else if (style !== "default") writeFileSync(join(home, ".gitconfig"), setting);
    project.write(".history/a.ts", "x");
    project.write("b.ts", "x");
    expect({ style, files: walked(project) }).toEqual({ style, files: ["b.ts"] });
  }
});

test("a file that git tracks is not ignored, though a rule names it", async () => {
  using project = new Project({ git: true });
  project.write(".gitignore", "*.gen.ts\nvendor/\n");
  project.write("a.gen.ts", "x");
  project.write("b.gen.ts", "x");
  project.write("vendor/deep/kept.ts", "x");
  project.write("vendor/deep/other.ts", "x");
  project.git("add", "-f", "a.gen.ts", "vendor/deep/kept.ts");
  const tracked = await trackedButIgnored(project.root);
  expect(walked(project, project.root, tracked)).toEqual([".gitignore", "a.gen.ts", "vendor/deep/kept.ts"]);
  expect(gitFiles(project)).toEqual([".gitignore", "a.gen.ts", "vendor/deep/kept.ts"]);
});

test(".ignore and .tokenixignore leave out tracked files, and can take back what git ignores", async () => {
  using project = new Project({ git: true });
  project.write(".gitignore", "docs-local/\n");
  project.write("docs-local/guide.md", "x");
  project.write("huge/data.csv", "x");
  project.write("noise/n.ts", "x");
  project.write("a.ts", "x");
  project.git("add", "-A");
  project.write(".ignore", "!docs-local/\n/huge/\n");
  project.write(".tokenixignore", "/noise/\n");
  const files = walked(project, project.root, await trackedButIgnored(project.root));
  expect(files).toEqual([".gitignore", ".ignore", ".tokenixignore", "a.ts", "docs-local/guide.md"]);
});

test("inside a submodule the outer ignore rules do not hold, and its own do", () => {
  using project = new Project({ git: true });
  const inner = join(project.base, "inner");
  mkdirSync(inner);
  project.gitAt(inner, "init", "-q", "-b", "main");
  writeFileSync(join(inner, "x.def"), "x");
  writeFileSync(join(inner, "y.tmp"), "y");
  writeFileSync(join(inner, ".gitignore"), "*.tmp\n");
  project.gitAt(inner, "add", "x.def", ".gitignore");
  project.gitAt(inner, "commit", "-q", "-m", "one");
  project.write(".gitignore", "*.def\n");
  project.write("outer.def", "x");
  project.git("submodule", "add", "-q", inner, "sub");
  writeFileSync(join(project.root, "sub/y.tmp"), "y");
  expect(walked(project)).toContain("sub/x.def");
  expect(walked(project)).not.toContain("outer.def");
  expect(walked(project)).not.toContain("sub/y.tmp");
  expect(walked(project, join(project.root, "sub"))).toEqual([".gitignore", "x.def"]);
});

test("what was left out is listed with the rule that did it", () => {
  using project = new Project({ git: true });
  project.write(".gitignore", "*.log\n");
  project.write("sub/.gitignore", "tmp/\n");
  project.write("a.log", "x");
  project.write("sub/tmp/b.ts", "x");
  project.write("node_modules/m/index.js", "x");
  const leftOut = [...new Walker(project.root, { env: project.env }).walk()].flatMap((listing) => listing.leftOut);
  expect(leftOut.map((entry) => `${entry.path}: ${entry.detail}`)).toEqual([
    "a.log: .gitignore: *.log",
    "node_modules: folders named node_modules are left out",
    "sub/tmp: sub/.gitignore: tmp/",
  ]);
});
