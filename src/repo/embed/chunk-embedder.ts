/**
 * Embeds the chunks of a batch while they are indexed: the words are counted already, so a vector costs a look-up a
 * word and a sum. A chunk's vector is made of exactly the words that its lexical entry has (text, path, symbol).
 */
import type { SegmentBuilder } from "../search/postings.ts";
import type { StaticModel } from "./static.ts";

export interface EmbeddedChunks {
  readonly dim: number;
  /** Ids as they were added to the builder. */
  readonly chunks: Uint32Array;
  readonly scales: Float32Array;
  readonly data: Int8Array;
}

const UNKNOWN = -2;

export class ChunkEmbedder {
  private rowOfTerm = new Int32Array(4096).fill(UNKNOWN);
  private data: Int8Array;
  private readonly ids: number[] = [];
  private readonly scales: number[] = [];

  constructor(
    private readonly model: StaticModel,
    private readonly builder: SegmentBuilder,
  ) {
    this.data = new Int8Array(256 * model.dim);
  }

  /** Takes the chunk that was added to the builder last. */
  take(): void {
    const { model, builder } = this;
    if (builder.termCount > this.rowOfTerm.length) {
      const wider = new Int32Array(builder.termCount * 2).fill(UNKNOWN);
      wider.set(this.rowOfTerm);
      this.rowOfTerm = wider;
    }
    model.begin();
    const id = builder.eachOfLast((term, count) => {
      let row = this.rowOfTerm[term] as number;
      if (row === UNKNOWN) {
        row = model.rowOf(builder.termText(term));
        this.rowOfTerm[term] = row;
      }
      model.add(row, count);
    });
    const from = this.ids.length * model.dim;
    if (from + model.dim > this.data.length) {
      const wider = new Int8Array(this.data.length * 2);
      wider.set(this.data);
      this.data = wider;
    }
    this.scales.push(model.end(this.data.subarray(from, from + model.dim)));
    this.ids.push(id);
  }

  finish(): EmbeddedChunks {
    return {
      dim: this.model.dim,
      chunks: Uint32Array.from(this.ids),
      scales: Float32Array.from(this.scales),
      data: this.data.slice(0, this.ids.length * this.model.dim),
    };
  }
}
