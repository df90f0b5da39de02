/** What keeps an index from answering by meaning, for those who look after it. Opens no model and no socket. */
import type { Environment } from "../../platform/paths.ts";
import { missingFiles } from "../embed/download.ts";
import { embeddedModelId } from "../embed/model-file.ts";
import { DEFAULT_MODEL, modelSpec } from "../embed/registry.ts";
import type { Store } from "../store/store.ts";

export interface VectorGap {
  readonly detail: string;
  readonly hint: string;
}

/** Undefined when every file has the vectors that a question here compares with. */
export async function vectorGap(store: Store, env: Environment = process.env): Promise<VectorGap | undefined> {
  const model = store.meta("model") ?? DEFAULT_MODEL;
  const spec = modelSpec(model);
  const isThere = spec.kind === "static" || missingFiles(spec, env).length === 0;
  const hint = isThere
    ? "run 'tokenix index'"
    : `run 'tokenix index' where '${model}' can be downloaded, or use the embedded model: tokenix index --model static`;
  const waiting = store.files.pendingEmbeddings();
  if (waiting > 0)
    return {
      detail: `${waiting === 1 ? "1 file has" : `${waiting} files have`} no vectors of '${model}': found by words alone`,
      hint,
    };
  const models = store.vectors.models();
  const wanted = spec.kind === "static" ? await embeddedModelId() : model;
  if (models.length > 0 && !models.some((one) => one.model === wanted))
    return { detail: `the vectors are of another model than '${model}': questions go by words alone`, hint };
  if (models.length > 0 && !isThere)
    return { detail: `model '${model}' is not in this machine's cache: questions go by words alone`, hint };
  return undefined;
}
