/**
 * Embeds the chunks of files that have no embeddings yet, from the stored text. A few hundred chunks are one
 * transaction, and every vector goes into the cache by its content, so a killed run goes on where it was, and text
 * that comes back (a branch switch, a revert) costs nothing.
 */
import { quantiseInto } from "../embed/quantise.ts";
import type { ChunkRow } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { Progress } from "./run.ts";

/** What turns texts into unit vectors; an ONNX model, or the embedded one. */
export interface DocumentEmbedder {
  readonly id: string;
  readonly dimensions: number;
  embedDocuments(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

export interface PendingOptions {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly now?: (() => number) | undefined;
}

const COMMIT_CHUNKS = 256;
const AT_ONCE = 32;

/** @returns how many chunks were embedded anew, and how many came from the cache. */
export async function embedPending(
  store: Store,
  embedder: DocumentEmbedder,
  options: PendingOptions = {},
): Promise<{ embedded: number; cached: number }> {
  const chunks = [...store.chunks.pendingEmbedding()];
  const result = { embedded: 0, cached: 0 };
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.endByte - chunk.startByte, 0);
  let bytesDone = 0;
  for (let from = 0; from < chunks.length; ) {
    const to = endOfFile(chunks, Math.min(chunks.length, from + COMMIT_CHUNKS));
    const part = chunks.slice(from, to);
    const vectors = await vectorsOf(store, embedder, part, options, result);
    store.transaction(() => {
      const { ids, scales, data } = quantised(part, vectors, embedder.dimensions);
      store.vectors.add(embedder.id, embedder.dimensions, ids, scales, data);
      store.vectors.markEmbedded(new Set(part.map((chunk) => chunk.fileId)));
    });
    from = to;
    for (const chunk of part) bytesDone += chunk.endByte - chunk.startByte;
    options.onProgress?.({ filesDone: from, files: chunks.length, bytesDone, bytes });
  }
  return result;
}

/** A file is marked as embedded whole or not at all. */
function endOfFile(chunks: readonly ChunkRow[], at: number): number {
  let end = at;
  while (end < chunks.length && chunks[end]?.fileId === chunks[end - 1]?.fileId) end++;
  return end;
}

async function vectorsOf(
  store: Store,
  embedder: DocumentEmbedder,
  chunks: readonly ChunkRow[],
  options: PendingOptions,
  result: { embedded: number; cached: number },
): Promise<Float32Array[]> {
  const texts = chunks.map((chunk) => documentText(chunk, store.chunks.text(chunk.id) ?? ""));
  const keys = texts.map((text) => cacheKey(embedder.id, text));
  const vectors = keys.map((key) => {
    const known = store.vectors.cached(key);
    return known?.length === embedder.dimensions ? known : undefined;
  });
  const missing = vectors.flatMap((vector, at) => (vector ? [] : [at]));
  result.cached += chunks.length - missing.length;
  for (let from = 0; from < missing.length; from += AT_ONCE) {
    const part = missing.slice(from, from + AT_ONCE);
    const made = await embedder.embedDocuments(part.map((at) => texts[at] ?? ""));
    const now = (options.now ?? Date.now)();
    store.transaction(() =>
      part.forEach((at, i) => {
        const vector = made[i];
        if (!vector) throw new Error(`${embedder.id} gave ${made.length} vectors for ${part.length} texts`);
        vectors[at] = vector;
        store.vectors.cache(keys[at] ?? "", vector, now);
      }),
    );
    result.embedded += part.length;
  }
  return vectors.map((vector) => vector ?? new Float32Array(embedder.dimensions));
}

/** What a model reads of a chunk: where it is and what it is called say much of what it is about. */
function documentText(chunk: ChunkRow, content: string): string {
  return `${chunk.path}${chunk.symbol ? ` ${chunk.symbol}` : ""}\n${content}`;
}

function cacheKey(model: string, text: string): string {
  return `${model}:${new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 40)}`;
}

function quantised(chunks: readonly ChunkRow[], vectors: readonly Float32Array[], dim: number) {
  const ids = Uint32Array.from(chunks, (chunk) => chunk.id);
  const scales = new Float32Array(chunks.length);
  const data = new Int8Array(chunks.length * dim);
  vectors.forEach((vector, row) => {
    scales[row] = quantiseInto(vector, data, row * dim);
  });
  return { ids, scales, data };
}
