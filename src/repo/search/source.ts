/**
 * What search needs from an index, and nothing of how it is kept: the SQLite store implements it (`store-source.ts`).
 * Every method reads; ids of chunks that are gone are left out of the answers.
 */
import type { SegmentInfo } from "./postings.ts";

export interface ChunkHead {
  readonly id: number;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name of the symbol that the chunk holds, when it holds one. */
  readonly symbol?: string | undefined;
  readonly kind: string;
  readonly tokens: number;
}

/** A chunk that defines a symbol: where its definition begins is what a reader wants to see. */
export interface Definition {
  readonly chunk: number;
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
}

export interface SearchSource {
  /** Ascending by first chunk. */
  segments(): readonly SegmentInfo[];
  /** The bytes of each term, one entry a segment that has it, ascending by first chunk; absent terms are left out. */
  postings(terms: readonly string[]): ReadonlyMap<string, readonly Uint8Array[]>;
  heads(ids: readonly number[]): readonly ChunkHead[];
  text(id: number): string | undefined;
  /** Symbols of exactly this unqualified name, whatever its case. */
  definitions(name: string): readonly Definition[];
  /** The ids of the chunks of the files that `keep` accepts. */
  chunksOfFiles(keep: (path: string, language: string) => boolean): ReadonlySet<number>;
  /** Vector blocks of the index's model, empty when it has none. */
  vectors(model: string): Iterable<VectorBlock>;
}

export interface VectorBlock {
  readonly dim: number;
  /** Chunk id of each row; some may be gone. */
  readonly ids: Uint32Array;
  /** value = data × scale of its row. */
  readonly scales: Float32Array;
  /** `ids.length` rows of `dim`. */
  readonly data: Int8Array;
}
