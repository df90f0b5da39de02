import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { openFresh } from "../../src/repo/index/freshness.ts";
import { Project } from "./project.ts";

function stored(project: Project, path: string): string | undefined {
  return project.read((store) => store.files.text(store.files.byPath(path)?.id ?? -1));
}

test("a replacement character in valid UTF-8 does not drop the file", async () => {
  using project = new Project();
  const text = "export const sign = '\ufffd';\nexport function after() {}\n";
  project.write("a.ts", text);
  await project.index();
  expect(stored(project, "a.ts")).toBe(text);
});

test("UTF-16 with a byte-order mark, either way round, is decoded; its lines keep their numbers", async () => {
  using project = new Project();
  const text = "function first() {}\r\nfunction second() {}\r\n";
  const little = Buffer.from(`\ufeff${text}`, "utf16le");
  project.write("little.js", little);
  project.write("big.js", Buffer.from(little).swap16());
  await project.index();
  expect(stored(project, "little.js")).toBe(text);
  expect(stored(project, "big.js")).toBe(text);
  const lines = project.read((store) => store.graph.symbolsNamed("second").map((row) => row.startLine));
  expect(lines).toEqual([2, 2]);
});

test("legacy bytes stay readable, a NUL means binary, and both are said", async () => {
  using project = new Project();
  project.write("latin.c", Buffer.from("/* caf\xe9 */\nint f(void) { return 1; }\n", "latin1"));
  project.write("data.bin", Buffer.from([1, 2, 0, 3]));
  await project.index();
  expect(stored(project, "latin.c")).toBe("/* café */\nint f(void) { return 1; }\n");
  expect(project.read((store) => store.files.byPath("latin.c")?.encoding)).toBe("latin1");
  expect(project.outcomes()["data.bin"]).toBe("binary");
});

test("a project and files with names outside ASCII are indexed, found and read as any other", async () => {
  using project = new Project({ git: true, name: "проект 日本 é" });
  project.write("説明.py", "def explain():\n    return 'ü'\n");
  project.write("a b/ç.ts", "export function cedille() {}\n");
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "eins");
  await project.index();
  expect(project.paths()).toEqual(["a b/ç.ts", "説明.py"]);
  const where = project.read((store) =>
    store.graph.symbolsNamed("explain").map((row) => `${row.path}:${row.startLine}`),
  );
  expect(where).toEqual(["説明.py:1"]);
  project.write("説明.py", "def explain():\n    return 2\n\ndef more():\n    pass\n");
  const fresh = await openFresh(project.root, { env: project.env });
  expect(fresh.store.graph.symbolsNamed("more").length).toBe(1);
  expect(fresh.store.meta("fingerprint")).toContain("main");
  fresh.store.close();
});

test("chunks of text with characters of many bytes put together are the text", async () => {
  using project = new Project();
  const text = Array.from({ length: 400 }, (_, i) => `行${i} ${"😀é".repeat(i % 40)}\r\n`).join("");
  project.write("a.txt", text);
  project.write("b.json", `{"one": "${"ß😀".repeat(9000)}"}`);
  await project.index();
  project.read((store) => {
    for (const file of store.files.stored()) {
      const joined = store.chunks
        .ofFile(file.id)
        .map((chunk) => store.chunks.text(chunk.id))
        .join("");
      expect(joined).toBe(store.files.text(file.id) ?? "");
    }
  });
});

test("every file that is seen ends in one outcome with a reason", async () => {
  using project = new Project({ git: true });
  project.write(".gitignore", "out/\n");
  project.write("ok.ts", "export const a = 1;\n");
  project.write("empty.ts", "");
  project.write("blank.md", " \n\n\t\n");
  project.write("binary.dat", Buffer.from([0, 1, 2]));
  project.write("large.txt", "x".repeat(1_600_000));
  project.write("lib.min.js", `var a=1;${"f(a);".repeat(600)}`);
  project.write("qdb.43f98.js", `!function(){${"var ab=cd(ef);".repeat(22_000)}}();`);
  project.write("package-lock.json", "{}");
  project.write("out/x.js", "1");
  chmodSync(project.write("secret.ts", "export const s = 1;\n"), 0o000);
  await project.index();
  const outcomes = project.outcomes();
  expect(outcomes).toMatchObject({
    ".gitignore": "indexed",
    "ok.ts": "indexed",
    "empty.ts": "empty",
    "blank.md": "empty",
    "binary.dat": "binary",
    "large.txt": "too-large",
    "lib.min.js": "generated",
    "qdb.43f98.js": "generated",
    "package-lock.json": "generated",
    out: "ignored",
  });
  if (process.getuid?.() !== 0 && process.platform !== "win32") expect(outcomes["secret.ts"]).toBe("unreadable");
  for (const file of project.read((store) => store.files.all()))
    if (file.outcome !== "indexed") expect(file.detail ?? "").not.toBe("");
});

test("a large file is indexed whole, whatever its words, or named as too large; a higher limit takes it in", async () => {
  using project = new Project();
  const words = (n: number) => Array.from({ length: n }, (_, i) => `word${(i * 7919) % 1_000_003}`).join("\n");
  project.write("some.txt", words(20_000));
  project.write("many.txt", words(120_000));
  project.write("most.txt", words(400_000));
  await project.index();
  expect(stored(project, "some.txt")).toBe(words(20_000));
  expect(stored(project, "many.txt")).toBe(words(120_000));
  expect(project.outcomes()).toMatchObject({ "some.txt": "indexed", "many.txt": "indexed", "most.txt": "too-large" });
  const detail = project.read((store) => store.files.all().find((file) => file.path === "most.txt")?.detail);
  expect(detail).toMatch(/^\d{7} bytes; the limit is 1500000$/);
  project.write(".tokenix.toml", "[index]\nmax_file_bytes = 8000000\n");
  await project.index();
  expect(stored(project, "most.txt")).toBe(words(400_000));
}, 60_000);
