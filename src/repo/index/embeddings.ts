/**
 * The embedding part of a run: which model, and vectors for every file that waits for them. Words are in the index
 * before this begins, so a model that cannot be had costs meaning and nothing else.
 */
import { messageOf, UserError } from "../../platform/errors.ts";
import type { Environment } from "../../platform/paths.ts";
import { embedPending as embedLeftOver } from "../embed/pending.ts";
import { modelSpec } from "../embed/registry.ts";
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
}

/** @throws UserError when a model that was asked for by flag or environment cannot be used. */
export async function embedWaiting(store: Store, options: EmbeddingOptions): Promise<EmbeddingReport> {
  const model = chosenModel(store, { flag: options.model, configured: options.configured, env: options.env });
  stampModel(store, model);
  const none = { model, embedded: 0, cached: 0, missing: undefined };
  if (store.vectors.needsCompaction(store.chunks.count()))
    store.transaction(() => store.vectors.compact(new Set(store.chunks.owners().map((row) => row[0]))));
  if (modelSpec(model).kind === "static") return { ...none, embedded: await embedLeftOver(store) };
  if (store.files.pendingEmbeddings() === 0) return none;
  let embedder: (DocumentEmbedder & { close(): Promise<void> }) | undefined;
  try {
    embedder = await openEmbedder(model, options);
    if (!embedder) return none;
    return { ...none, ...(await embedPending(store, embedder, options)) };
  } catch (error) {
    const isWanted = options.model !== undefined || Boolean((options.env ?? process.env)["TOKENIX_EMBED_MODEL"]);
    if (isWanted || !(error instanceof UserError)) throw error;
    return { ...none, missing: messageOf(error) };
  } finally {
    await embedder?.close();
  }
}

/** Vectors of the model in the binary are made with the chunks themselves, in the same pass. */
export function embedsWithChunks(store: Store, options: EmbeddingOptions): boolean {
  const { model: flag, configured, env } = options;
  return modelSpec(chosenModel(store, { flag, configured, env })).kind === "static";
}

async function openEmbedder(model: string, options: EmbeddingOptions) {
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
