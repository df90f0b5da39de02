/** The question's vector for an index: of the model that the index was built with, or none, and then why. */
import { UserError } from "../../platform/errors.ts";
import { embeddedModelBytes, embeddedModelId } from "../embed/model-file.ts";
import { quantiseVector } from "../embed/quantise.ts";
import { DEFAULT_MODEL, modelSpec } from "../embed/registry.ts";
import { embedQuery, type QuantisedVector } from "../embed/static.ts";
import type { Store } from "../store/store.ts";

export interface QueryVector {
  readonly vector: { readonly model: string; readonly query: QuantisedVector } | undefined;
  /** Why the answer is by words alone, for stderr. */
  readonly note: string | undefined;
}

export async function queryVector(store: Store, query: string): Promise<QueryVector> {
  const model = store.meta("model") ?? DEFAULT_MODEL;
  if (model !== DEFAULT_MODEL) return onnxVector(store, model, query);
  const bytes = embeddedModelBytes();
  const id = await embeddedModelId(bytes);
  if (!store.vectors.has(id)) {
    const note =
      store.vectors.models().length > 0
        ? "the index holds vectors of another version's model: words alone until 'tokenix index' has run"
        : undefined;
    return { vector: undefined, note };
  }
  return { vector: { model: id, query: await embedQuery(bytes, query) }, note: undefined };
}

/** A question to an index of an ONNX model: from the cache, since a question downloads nothing. */
async function onnxVector(store: Store, id: string, query: string): Promise<QueryVector> {
  if (!store.vectors.has(id))
    return { vector: undefined, note: `nothing is embedded with ${id} yet: words alone until 'tokenix index' has run` };
  const { openOnnxModel } = await import("../embed/onnx.ts");
  try {
    const spec = modelSpec(id);
    if (spec.kind !== "onnx") throw new UserError(`'${id}' is no ONNX model`);
    const model = await openOnnxModel(spec, { airgap: true });
    try {
      return { vector: { model: id, query: quantiseVector(await model.embedQuery(query)) }, note: undefined };
    } finally {
      await model.close();
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // Another model's vectors do not compare: words alone, and said.
    return { vector: undefined, note: `words alone: ${error.message}${error.hint ? ` (${error.hint})` : ""}` };
  }
}
