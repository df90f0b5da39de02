/**
 * Keeps an index's vectors of the embedded model whole: embeds the files that were indexed without, and drops vectors
 * of another build's model. The caller holds the writer's lock.
 */
import { SegmentBuilder } from "../search/postings.ts";
import type { Store } from "../store/store.ts";
import { ChunkEmbedder } from "./chunk-embedder.ts";
import { embeddedModelId, loadEmbeddedModel } from "./model-file.ts";
import type { StaticModel } from "./static.ts";

/** Chunks that are embedded before they are written: a killed run loses no more than these. */
const CHUNKS_AT_ONCE = 2000;

/** Returns how many chunks were embedded. */
export async function embedPending(store: Store): Promise<number> {
  const id = await embeddedModelId();
  if (store.vectors.models().some((one) => one.model !== id)) store.transaction(() => store.vectors.clear());
  let done = 0;
  if (store.files.pendingEmbeddings() > 0) {
    const model = await loadEmbeddedModel();
    for (const files of batchesOf(store)) done += embedFiles(store, id, model, files);
  }
  return done;
}

interface PendingFile {
  readonly id: number;
  readonly path: string;
  readonly chunks: { id: number; symbol: string | undefined; startByte: number; endByte: number }[];
}

function* batchesOf(store: Store): Generator<PendingFile[]> {
  // Read at once: rows must not be walked while their table is written.
  const rows = [...store.chunks.pendingEmbedding()];
  let files: PendingFile[] = [];
  let chunks = 0;
  for (const row of rows) {
    let file = files.at(-1);
    if (file?.id !== row.fileId) {
      if (chunks >= CHUNKS_AT_ONCE) {
        yield files;
        files = [];
        chunks = 0;
      }
      file = { id: row.fileId, path: row.path, chunks: [] };
      files.push(file);
    }
    file.chunks.push({ id: row.id, symbol: row.symbol ?? undefined, startByte: row.startByte, endByte: row.endByte });
    chunks++;
  }
  if (files.length > 0) yield files;
}

function embedFiles(store: Store, modelId: string, model: StaticModel, files: readonly PendingFile[]): number {
  const builder = new SegmentBuilder();
  const embedder = new ChunkEmbedder(model, builder);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const ids: number[] = [];
  for (const file of files) {
    const bytes = store.files.textBytes(file.id);
    if (!bytes) continue;
    for (const chunk of file.chunks) {
      const content = decoder.decode(bytes.subarray(chunk.startByte, chunk.endByte));
      builder.add({ id: ids.length, path: file.path, content, symbol: chunk.symbol });
      embedder.take();
      ids.push(chunk.id);
    }
  }
  const { scales, data } = embedder.finish();
  store.transaction(() => {
    if (ids.length > 0) store.vectors.add(modelId, model.dim, Uint32Array.from(ids), scales, data);
    store.vectors.markEmbedded(files.map((file) => file.id));
  });
  return ids.length;
}
