/**
 * The embedding part of a run: which model, and vectors for every file that waits for them. Words are in the index
 * before this begins, so a model that cannot be had costs meaning and nothing else.
 */
import { UserError } from "../../platform/errors.ts";
import type { Environment } from "../../platform/paths.ts";
import { embedPending as embedLeftOver } from "../embed/pending.ts";
import { DEFAULT_MODEL, modelSpec } from "../embed/registry.ts";
import type { Store } from "../store/store.ts";
import { type DocumentEmbedder, embedPending } from "./embed-pending.ts";
import { chosenModel, stampModel } from "./model.ts";
import type { Progress } from "./run.ts";

export interface EmbeddingOptions {
  /** `--model`: asked for by name, so a failure is the run's failure. */
  readonly model?: string | undefined;
  readonly configured?: string | undefined;
  readonly airgap?: boolean | undefined;
  readonly onlyCpu?: boolean | undefined;
  readonly env?: Environment | undefined;
  readonly now?: (() => number) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onDownload?: ((file: string, received: number, total: number | undefined) => void) | undefined;
  readonly onNote?: ((note: string) => void) | undefined;
}

export interface EmbeddingReport {
  readonly model: string;
  readonly embedded: number;
  readonly cached: number;
  /** Why files still wait; undefined when none does. */
  readonly missing: string | undefined;
  /** Why another model than the configured one was used. */
  readonly refused: string | undefined;
}

/** The model of a run. `embedder` is open already when the run switches to it; the caller closes it. */
export interface ModelChoice {
  readonly model: string;
  readonly embedder: OpenEmbedder | undefined;
  /** Why the configured model is not the one that is used. */
  readonly refused: string | undefined;
}

type OpenEmbedder = DocumentEmbedder & { close(): Promise<void> };

/**
 * Decides before anything is written. A model that the index does not have yet is opened and tried first: one that
 * cannot be had leaves the index, its vectors and its model as they are.
 * @throws UserError when a model that was asked for by flag or environment cannot be used.
 */
export async function chooseModel(store: Store, options: EmbeddingOptions): Promise<ModelChoice> {
  const { model: flag, configured, env } = options;
  const model = chosenModel(store, { flag, configured, env });
  const isSwitch = modelSpec(model).kind !== "static" && store.meta("model") !== model;
  if (!isSwitch) return { model, embedder: undefined, refused: undefined };
  let embedder: OpenEmbedder | undefined;
  try {
    embedder = await openEmbedder(model, options);
    await embedder?.embedDocuments(["one text"]);
    return { model, embedder, refused: undefined };
  } catch (error) {
    await embedder?.close();
    if (isWanted(options) || !(error instanceof UserError)) throw error;
    const kept = modelSpec(store.meta("model") ?? DEFAULT_MODEL).id;
    return { model: kept, embedder: undefined, refused: `${why(error)}; '${kept}' is used` };
  }
}

/** @throws UserError when a model that was asked for by flag or environment cannot be used. */
export async function embedWaiting(
  store: Store,
  options: EmbeddingOptions,
  choice: ModelChoice,
): Promise<EmbeddingReport> {
  const { model, refused } = choice;
  stampModel(store, model);
  const none = { model, embedded: 0, cached: 0, missing: undefined, refused };
  if (store.vectors.needsCompaction(store.chunks.count()))
    store.transaction(() => store.vectors.compact(new Set(store.chunks.owners().map((row) => row[0]))));
  if (modelSpec(model).kind === "static") return { ...none, embedded: await embedLeftOver(store) };
  if (store.files.pendingEmbeddings() === 0) return none;
  let opened: OpenEmbedder | undefined;
  try {
    if (!choice.embedder) opened = await openEmbedder(model, options);
    const embedder = choice.embedder ?? opened;
    if (!embedder) return none;
    return { ...none, ...(await embedPending(store, embedder, options)) };
  } catch (error) {
    if (isWanted(options) || !(error instanceof UserError)) throw error;
    return { ...none, missing: why(error) };
  } finally {
    await opened?.close();
  }
}

function isWanted(options: EmbeddingOptions): boolean {
  return options.model !== undefined || Boolean((options.env ?? process.env)["TOKENIX_EMBED_MODEL"]);
}

function why(error: UserError): string {
  return error.hint ? `${error.message} (${error.hint})` : error.message;
}

async function openEmbedder(model: string, options: EmbeddingOptions): Promise<OpenEmbedder | undefined> {
  const spec = modelSpec(model);
  if (spec.kind === "static") return undefined;
  const { openOnnxModel } = await import("../embed/onnx.ts");
  return openOnnxModel(spec, {
    ...(options.env ? { env: options.env } : {}),
    ...(options.airgap ? { airgap: true } : {}),
    ...(options.onlyCpu ? { onlyCpu: true } : {}),
    ...(options.onDownload ? { onProgress: options.onDownload } : {}),
    onFallback: (reason) => options.onNote?.(`${reason}: the CPU is used`),
  });
}
