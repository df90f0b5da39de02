import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { openFresh } from "../../src/repo/index/freshness.ts";
import { withWriter } from "../../src/repo/index/writer.ts";
import { Project } from "./project.ts";

const body = (name: string) => `export function ${name}() {\n  return "${name}";\n}\n`;

test("a first run stores every byte of every file, and a second one reads nothing again", async () => {
  using project = new Project();
  const text = body("alpha").repeat(200);
  project.write("src/a.ts", text);
  project.write("README.md", "# Title\r\n\r\nWords.\r\n");
  await project.index();
  project.read((store) => {
    for (const [path, expected] of [
      ["src/a.ts", text],
      ["README.md", "# Title\r\n\r\nWords.\r\n"],
    ] as const) {
      const file = store.files.byPath(path);
      expect(store.files.text(file?.id ?? -1)).toBe(expected);
      const joined = store.chunks
        .ofFile(file?.id ?? -1)
        .map((chunk) => store.chunks.text(chunk.id))
        .join("");
      expect(joined).toBe(expected);
    }
  });
  const again = await project.index();
  expect(again.outcomes.size).toBe(0);
  expect(again.unchanged).toBe(2);
});

test("an edit, a new file, a deletion and a rename are found on the next run", async () => {
  using project = new Project();
  project.write("a.ts", body("alpha"));
  project.write("b/b.ts", body("beta"));
  project.write("c/d/e.ts", body("epsilon"));
  await project.index();
  project.write("a.ts", body("gamma"));
  project.write("new/deep/f.ts", body("zeta"));
  project.remove("b/b.ts");
  project.remove("c");
  const report = await project.index();
  expect(project.paths()).toEqual(["a.ts", "new/deep/f.ts"]);
  expect(report.removed).toBe(2);
  project.read((store) => {
    expect(store.files.text(store.files.byPath("a.ts")?.id ?? -1)).toBe(body("gamma"));
    expect(store.chunks.count()).toBe(2);
  });
});

test("an edit that keeps size, and follows within the clock's tick, is still found", async () => {
  using project = new Project();
  project.write("a.ts", body("alpha"));
  await project.index();
  project.write("a.ts", body("gamma"));
  await project.index();
  expect(project.read((store) => store.files.text(store.files.byPath("a.ts")?.id ?? -1))).toBe(body("gamma"));
});

test("a term leads to the living chunks and never to a deleted one", async () => {
  using project = new Project();
  project.write("a.ts", body("alphaWord"));
  project.write("b.ts", body("betaWord"));
  await project.index();
  project.remove("a.ts");
  project.write("c.ts", body("alphaWord"));
  await project.index();
  const { PostingList, lengthsOf } = await import("../../src/repo/search/postings.ts");
  const found = project.read((store) => {
    const paths: string[] = [];
    for (const segment of store.lexical.segments()) {
      const list = new PostingList();
      list.append(store.lexical.list(segment, "alphaword") ?? new Uint8Array());
      for (let i = 0; i < list.size; i++) {
        const id = list.chunks[i] ?? 0;
        if (lengthsOf(segment)[id - segment.firstChunk]) paths.push(store.chunks.byId(id)?.path ?? "gone");
      }
    }
    return paths;
  });
  expect(found).toEqual(["c.ts"]);
});

test("the database and its folder are for their owner only", async () => {
  if (process.platform === "win32") return;
  using project = new Project();
  project.write("a.ts", body("alpha"));
  await project.index();
  const path = project.read((store) => store.path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
});

test("an index of another program version is read anew whole, even when that run is ended in the middle", async () => {
  using project = new Project();
  for (let i = 0; i < 1200; i++) project.write(`f${i}.txt`, `text number ${i}`);
  await project.index();
  const pretend = () =>
    withWriter(project.root, { purpose: "test", env: project.env }, async (store) =>
      store.setMeta("extractor", "older"),
    );
  await pretend();
  const ended = project.index({
    onProgress: () => {
      throw new Error("ended");
    },
  });
  await expect(ended).rejects.toThrow("ended");
  const again = await project.index();
  expect(again.outcomes.get("indexed")).toBe(1200);
  expect((await project.index()).unchanged).toBe(1200);
  // A refresh before an answer reads what has changed, and claims nothing about the rest.
  await pretend();
  project.write("f1.txt", "changed");
  const fresh = await openFresh(project.root, { env: project.env });
  expect(fresh.stale).toContain("another version");
  fresh.store.close();
  expect((await project.index()).outcomes.get("indexed")).toBe(1200);
}, 60_000);
