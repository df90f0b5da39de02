/**
 * A real ONNX model through the real runtime. `bun run test:models` puts the model into the cache first
 * (`scripts/test-models.ts`); stored vectors are compared with fresh ones, so a silent drift of tokenizer, runtime or
 * pooling would break every index: the vectors are pinned.
 */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { openOnnxModel } from "../../src/repo/embed/onnx.ts";
import { modelSpec, type OnnxModelSpec } from "../../src/repo/embed/registry.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";

const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  [...(a ?? [])].reduce((sum, value, i) => sum + value * (b?.[i] ?? Number.NaN), 0);

test("texts of one meaning lie near each other, and the vectors are those of before", async () => {
  const model = await openOnnxModel(modelSpec("minilm-l6") as OnnxModelSpec, { airgap: true, onlyCpu: true });
  const [config, reads, fruit] = await model.embedDocuments([
    "parse the config file",
    "reads configuration from disk",
    "bananas are yellow",
  ]);
  expect(config?.length).toBe(384);
  expect(dot(config, config)).toBeCloseTo(1, 5);
  expect(dot(config, reads)).toBeCloseTo(0.607, 2);
  expect(dot(config, fruit)).toBeCloseTo(0.039, 2);
  for (const [i, value] of [0.064, 0.0549, -0.0844, -0.0075].entries()) expect(config?.[i]).toBeCloseTo(value, 2);
  await model.close();
});

test("an index of an ONNX model answers a question by meaning, from the cache alone", async () => {
  const { Project } = await import("../graph/support.ts");
  const { embedPending } = await import("../../src/repo/index/embed-pending.ts");
  const { withWriter } = await import("../../src/repo/index/writer.ts");
  const { runIndex } = await import("../../src/repo/index/run.ts");
  const { queryVector } = await import("../../src/repo/search/query-vector.ts");
  const { search } = await import("../../src/repo/search/search.ts");
  const { storeSource } = await import("../../src/repo/search/store-source.ts");
  const { openStore } = await import("../../src/repo/store/open.ts");
  using project = new Project({
    "fruit.py": "def peel(banana):\n    return banana.skin\n",
    "settings.py": "def read_configuration(disk):\n    return disk.load()\n",
  });
  const { env, root } = project;
  await withWriter(root, { purpose: "test", env }, async (store) => {
    await runIndex(store, { env, jobs: 0 });
    const model = await openOnnxModel(modelSpec("minilm-l6") as OnnxModelSpec, { airgap: true, onlyCpu: true });
    await embedPending(store, model);
    store.setMeta("model", "minilm-l6");
    await model.close();
  });
  const store = openStore(root, { mode: "read", env });
  const { vector, note } = await queryVector(store, "where are the preferences of the program parsed");
  expect(note).toBeUndefined();
  const [best] = search(storeSource(store), "where are the preferences of the program parsed", {
    mode: "semantic",
    vector,
  });
  expect(best?.head.path).toBe("settings.py");
  store.close();
}, 60_000);

// There the library is packed text and the runtime is unpacked from the program: what no test from source meets.
test.skipIf(!existsSync(BINARY))(
  "the executable embeds with it as well",
  async () => {
    using box = new Sandbox().write({
      "fruit.py": "def peel(banana):\n    return banana.skin\n",
      "settings.py": "def read_configuration(disk):\n    return disk.load()\n",
    });
    const env = { TOKENIX_MODEL_CACHE: process.env["TOKENIX_MODEL_CACHE"] };
    const indexed = await box.run(["index", "--model", "minilm-l6"], { env });
    expect(indexed.stderr).toBe("");
    expect(indexed.stdout).toContain("2 chunks embedded with minilm-l6");
    const asked = await box.run(["query", "where are the preferences of the program parsed"], { env });
    expect(asked.stdout).toStartWith("settings.py:1");
  },
  120_000,
);
