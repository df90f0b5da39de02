/** A model that cannot be had must cost nothing: the index keeps the vectors and the model that it has. */
import { expect, test } from "bun:test";
import { vectorGap } from "../../src/repo/index/vector-gaps.ts";
import { exportIndex } from "../../src/repo/snapshot/export.ts";
import { Project } from "./project.ts";

const state = (project: Project) =>
  project.read((store) => ({
    model: store.meta("model"),
    vectors: store.vectors.models(),
    waiting: store.files.pendingEmbeddings(),
    files: store.files.stored().map((file) => file.path),
  }));

async function indexed(): Promise<Project> {
  const project = new Project();
  project.write("a.ts", "export function alpha(): number {\n  return 1;\n}\n");
  project.write("b.md", "# Notes\n\nHow uploads are retried.\n");
  await project.index({ embedding: {} });
  return project;
}

test("a model by flag that may not be downloaded is refused, and the index is as it was", async () => {
  using project = await indexed();
  const before = state(project);
  expect(before).toMatchObject({ model: "static", waiting: 0, files: ["a.ts", "b.md"] });
  await expect(project.index({ embedding: { model: "bge-small", airgap: true } })).rejects.toThrow("air-gap");
  expect(state(project)).toEqual(before);
  project.write("c.ts", "export const gamma = 1;\n");
  await project.index({ embedding: {} });
  expect(state(project)).toMatchObject({ model: "static", waiting: 0 });
});

test("a model by environment that may not be downloaded is refused, and the index is as it was", async () => {
  using project = await indexed();
  const before = state(project);
  const env = { ...project.env, TOKENIX_EMBED_MODEL: "bge-small", TOKENIX_AIRGAP: "1" };
  await expect(project.index({ env, embedding: {} })).rejects.toThrow("air-gap");
  expect(state(project)).toEqual(before);
});

test("a configured model that cannot be had is named, and the files get vectors of the one that is there", async () => {
  using project = await indexed();
  project.write(".tokenix.toml", '[index]\nmodel = "bge-small"\n');
  project.write("c.ts", "export const gamma = 1;\n");
  const { embedding } = await project.index({ embedding: { airgap: true } });
  expect(embedding).toMatchObject({ model: "static", missing: undefined });
  expect(embedding?.refused).toContain("'bge-small' is not in the cache");
  expect(embedding?.refused).toContain("'static' is used");
  expect(state(project)).toMatchObject({ model: "static", waiting: 0 });
});

test("files without vectors are said by the check and by an export, and a whole index says nothing", async () => {
  using project = await indexed();
  const gap = () => project.read((store) => vectorGap(store, project.env));
  const target = (name: string) => `${project.base}/${name}`;
  expect(await gap()).toBeUndefined();
  expect((await exportIndex(project.root, target("1.gz"), { content: true, env: project.env })).gap).toBeUndefined();
  project.write("c.ts", "export const gamma = 1;\n");
  await project.index();
  expect(await gap()).toMatchObject({ hint: "run 'tokenix index'" });
  const exported = await exportIndex(project.root, target("2.gz"), { content: true, env: project.env });
  expect(exported.gap?.detail).toContain("1 file has no vectors of 'static'");
});
