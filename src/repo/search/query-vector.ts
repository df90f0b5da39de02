/** The question's vector for an index: of the model that the index was built with, or none, and then why. */
import { embeddedModelBytes, embeddedModelId } from "../embed/model-file.ts";
import { DEFAULT_MODEL } from "../embed/registry.ts";
import { embedQuery, type QuantisedVector } from "../embed/static.ts";
import type { Store } from "../store/store.ts";

export interface QueryVector {
  readonly vector: { readonly model: string; readonly query: QuantisedVector } | undefined;
  /** Why the answer is by words alone, for stderr. */
  readonly note: string | undefined;
}

export async function queryVector(store: Store, query: string): Promise<QueryVector> {
  const model = store.meta("model") ?? DEFAULT_MODEL;
  if (model !== DEFAULT_MODEL)
    return { vector: undefined, note: `the index is of the model ${model}, which is not loaded here: words alone` };
  const bytes = embeddedModelBytes();
  const id = await embeddedModelId(bytes);
  const held = store.vectors.models();
  if (!held.some((one) => one.model === id)) {
    const note =
      held.length > 0
        ? "the index holds vectors of another version's model: words alone until 'tokenix index' has run"
        : undefined;
    return { vector: undefined, note };
  }
  return { vector: { model: id, query: await embedQuery(bytes, query) }, note: undefined };
}
