/**
 * Vectors of a few chunks from the rows of their own words: a file that was edited has some hundred of them, and the
 * whole model is 6 MB to read (12 ms of a run that takes 60).
 */
import type { SegmentBuilder } from "../search/postings.ts";
import { ChunkEmbedder, type EmbeddedChunks } from "./chunk-embedder.ts";
import { embeddedModelBytes, isEmbeddedModelLoaded, loadEmbeddedModel } from "./model-file.ts";
import { type ModelBytes, StaticModel } from "./static.ts";

/** What embeds the chunks of a batch, one after another as they are added to its builder. */
export interface BatchEmbedder {
  /** Takes the chunk that was added to the builder last. */
  take(): void;
  finish(): Promise<EmbeddedChunks>;
}

/** So much source has more distinct words than are worth reading one by one. */
const FEW_BYTES = 20_000;

export async function batchEmbedder(builder: SegmentBuilder, sourceBytes: number): Promise<BatchEmbedder> {
  if (sourceBytes <= FEW_BYTES && !isEmbeddedModelLoaded()) return new FewEmbedder(embeddedModelBytes(), builder);
  const embedder = new ChunkEmbedder(await loadEmbeddedModel(), builder);
  return { take: () => embedder.take(), finish: async () => embedder.finish() };
}

export class FewEmbedder implements BatchEmbedder {
  private readonly chunks: { id: number; words: [term: number, count: number][] }[] = [];

  constructor(
    private readonly bytes: ModelBytes,
    private readonly builder: SegmentBuilder,
  ) {}

  take(): void {
    const words: [number, number][] = [];
    const id = this.builder.eachOfLast((term, count) => words.push([term, count]));
    this.chunks.push({ id, words });
  }

  async finish(): Promise<EmbeddedChunks> {
    const { builder, chunks } = this;
    const terms = Array.from({ length: builder.termCount }, (_, term) => builder.termText(term));
    const { model, rows } = await StaticModel.ofWords(this.bytes, terms);
    const { dim } = model;
    const data = new Int8Array(chunks.length * dim);
    const scales = chunks.map(({ words }, at) => {
      model.begin();
      for (const [term, count] of words) model.add(rows[term] as number, count);
      return model.end(data.subarray(at * dim, (at + 1) * dim));
    });
    return { dim, chunks: Uint32Array.from(chunks, (one) => one.id), scales: Float32Array.from(scales), data };
  }
}
