import { expect, test } from "bun:test";
import { type DocumentEmbedder, embedPending } from "../../src/repo/index/embed-pending.ts";
import { stampModel } from "../../src/repo/index/model.ts";
import { withWriter } from "../../src/repo/index/writer.ts";
import type { Store } from "../../src/repo/store/store.ts";
import { Project } from "./project.ts";

/** A model whose vectors say how long a text is and how many times the letter a occurs in it. */
function letters(id: string, failAfter = Number.POSITIVE_INFINITY): DocumentEmbedder & { texts: number } {
  return {
    id,
    dimensions: 2,
    texts: 0,
    embedDocuments(texts) {
      this.texts += texts.length;
      if (this.texts > failAfter) throw new Error("the machine went to sleep");
      return Promise.resolve(texts.map((text) => Float32Array.of(text.length, text.split("a").length - 1)));
    },
  };
}

function write<T>(project: Project, body: (store: Store) => Promise<T>): Promise<T> {
  return withWriter(project.root, { purpose: "test", env: project.env }, body);
}

function vectors(project: Project, model: string): Map<number, number[]> {
  return project.read((store) => {
    const found = new Map<number, number[]>();
    for (const block of store.vectors.blocks(model))
      block.ids.forEach((id, row) => {
        const scale = block.scales[row] ?? 0;
        found.set(
          id,
          [...block.data.subarray(row * 2, row * 2 + 2)].map((value) => value * scale),
        );
      });
    return found;
  });
}

function fill(project: Project, files: number): void {
  for (let i = 0; i < files; i++) project.write(`f${i}.txt`, `aa ${"word ".repeat(i + 1)}`);
}

test("every chunk gets its vector, once, and the files no longer wait", async () => {
  using project = new Project();
  fill(project, 40);
  await project.index();
  expect(project.read((store) => store.files.pendingEmbeddings())).toBe(40);
  const model = letters("m1");
  expect(await write(project, (store) => embedPending(store, model))).toEqual({ embedded: 40, cached: 0 });
  expect(project.read((store) => store.files.pendingEmbeddings())).toBe(0);
  const found = vectors(project, "m1");
  expect(found.size).toBe(40);
  project.read((store) => {
    for (const file of store.files.stored()) {
      const chunk = store.chunks.ofFile(file.id)[0];
      const text = `${file.path}\n${store.chunks.text(chunk?.id ?? 0)}`;
      const [length = 0, as = 0] = found.get(chunk?.id ?? 0) ?? [];
      expect(Math.abs(length - text.length)).toBeLessThan(1);
      expect(Math.abs(as - 2)).toBeLessThan(text.length / 127);
    }
  });
  expect(await write(project, (store) => embedPending(store, model))).toEqual({ embedded: 0, cached: 0 });
});

test("a run that ends in the middle goes on where it was", async () => {
  using project = new Project();
  fill(project, 400);
  await project.index();
  const dying = letters("m1", 300);
  await expect(write(project, (store) => embedPending(store, dying))).rejects.toThrow("went to sleep");
  const next = letters("m1");
  const result = await write(project, (store) => embedPending(store, next));
  expect(next.texts).toBeLessThan(200);
  expect(result.embedded).toBe(next.texts);
  expect(vectors(project, "m1").size).toBe(400);
});

test("an edited file waits again, and text that comes back is taken from the cache", async () => {
  using project = new Project();
  fill(project, 3);
  await project.index();
  await write(project, (store) => embedPending(store, letters("m1")));
  project.write("f1.txt", "something else");
  await project.index();
  expect(project.read((store) => store.files.pendingEmbeddings())).toBe(1);
  await write(project, (store) => embedPending(store, letters("m1")));
  fill(project, 3);
  await project.index();
  expect(await write(project, (store) => embedPending(store, letters("m1")))).toEqual({ embedded: 0, cached: 1 });
});

test("a switch of models drops the other's vectors and makes all files wait; a switch back costs nothing", async () => {
  using project = new Project();
  fill(project, 5);
  await project.index();
  const embed = (id: string) =>
    write(project, async (store) => {
      stampModel(store, id);
      return embedPending(store, letters(id));
    });
  await embed("m1");
  expect(await embed("m2")).toEqual({ embedded: 5, cached: 0 });
  expect(vectors(project, "m1").size).toBe(0);
  expect(await embed("m1")).toEqual({ embedded: 0, cached: 5 });
});

test("vectors of chunks that are gone are cleared away, and the living ones keep theirs", async () => {
  using project = new Project();
  fill(project, 30);
  await project.index();
  const model = letters("m1");
  for (let round = 0; round < 80; round++) {
    project.write("f0.txt", `round ${round}`);
    await project.index();
    await write(project, (store) => embedPending(store, model));
  }
  const before = vectors(project, "m1");
  await write(project, async (store) => {
    const living = new Set(store.chunks.owners().map((row) => row[0]));
    expect(store.vectors.needsCompaction(living.size)).toBe(true);
    expect(store.transaction(() => store.vectors.compact(living))).toBe(79);
    expect(store.vectors.needsCompaction(living.size)).toBe(false);
  });
  const after = vectors(project, "m1");
  expect(after.size).toBe(30);
  for (const [id, vector] of after) expect(vector).toEqual(before.get(id) ?? []);
}, 60_000);

test("files that are ignored and come back leave no more dead vectors than a share, and only living ones count", async () => {
  using project = new Project();
  project.write("kept.txt", "stays");
  for (let i = 0; i < 400; i++) project.write(`many/f${i}.txt`, `word ${i}`);
  await project.index({ embedding: {} });
  const counts = () =>
    project.read((store) => {
      const living = new Set(store.chunks.owners().map((row) => row[0]));
      const sum = (rows: readonly { count: number }[]) => rows.reduce((all, row) => all + row.count, 0);
      return { chunks: living.size, rows: sum(store.vectors.models()), living: sum(store.vectors.living(living)) };
    });
  expect(counts()).toEqual({ chunks: 401, rows: 401, living: 401 });
  for (let round = 0; round < 3; round++) {
    project.write(".gitignore", "many/\n");
    await project.index({ embedding: {} });
    expect(counts()).toMatchObject({ chunks: 1 + 1, living: 2 });
    project.remove(".gitignore");
    await project.index({ embedding: {} });
    const { chunks, rows, living } = counts();
    expect({ chunks, living }).toEqual({ chunks: 401, living: 401 });
    expect(rows).toBeLessThanOrEqual(401 * 1.5 + 500);
  }
}, 60_000);
