/**
 * Which embedding model an index has. Sticky: what its vectors were made with is stamped in the index and kept, until
 * somebody asks for another one, by flag, environment or configuration; then every vector is made anew, since vectors
 * of two models cannot be compared.
 */
import type { Environment } from "../../platform/paths.ts";
import { DEFAULT_MODEL, modelSpec } from "../embed/registry.ts";
import type { Store } from "../store/store.ts";

export interface ModelRequest {
  /** `--model`. */
  readonly flag?: string | undefined;
  /** `[index] model` of the project's configuration. */
  readonly configured?: string | undefined;
  readonly env?: Environment | undefined;
}

/** The id of the model to embed with. @throws UserError for a name that is in no registry. */
export function chosenModel(store: Store, request: ModelRequest): string {
  const env = request.env ?? process.env;
  const wanted = request.flag ?? (env["TOKENIX_EMBED_MODEL"] || undefined) ?? request.configured;
  return modelSpec(wanted ?? store.meta("model") ?? DEFAULT_MODEL).id;
}

/** Stamps the model; vectors of another one go, and their files wait for new ones. */
export function stampModel(store: Store, model: string): void {
  if (store.meta("model") === model) return;
  store.transaction(() => {
    if (store.vectors.models().some((row) => !isOf(row.model, model))) store.vectors.clear();
    store.setMeta("model", model);
  });
}

/** Vectors of the embedded model carry its hash: `static-1a2b3c4d`. */
function isOf(stored: string, model: string): boolean {
  return stored === model || (model === DEFAULT_MODEL && stored.startsWith(`${DEFAULT_MODEL}-`));
}
