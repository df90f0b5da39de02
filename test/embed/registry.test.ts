import { expect, test } from "bun:test";
import { MODELS, modelSpec } from "../../src/repo/embed/registry.ts";

test("every revision is a commit and every pinned hash a SHA-256", () => {
  for (const model of MODELS) {
    if (model.kind !== "onnx") continue;
    expect(model.revision).toMatch(/^[0-9a-f]{40}$/);
    for (const file of model.files) if (file.sha256 !== undefined) expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
  }
});

test("an unknown model offers the nearest", () => {
  expect(() => modelSpec("bge-smal")).toThrow("there is no embedding model 'bge-smal'");
  try {
    modelSpec("bge-smal");
  } catch (error) {
    expect((error as { hint?: string }).hint).toContain("bge-small");
  }
});
