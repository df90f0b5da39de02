/** The shapes that cross the border of the store. Lines are 1-based and inclusive, bytes are UTF-8 offsets. */

/** What became of a file. Every file seen ends in exactly one of these, with a reason where it is not plain. */
export type Outcome =
  | "indexed"
  | "gave-up" // indexed as generic blocks, since its parse was given up
  | "empty"
  | "binary"
  | "too-large"
  | "generated"
  | "unreadable"
  | "ignored"
  | "link"
  | "special"
  | "other-checkout";

/** Outcomes whose text is in the index. */
export const STORED_OUTCOMES: readonly Outcome[] = ["indexed", "gave-up"];

export interface Stamp {
  readonly size: number;
  /** Milliseconds with fractions; -1 when the file was so fresh that only its hash can tell. */
  readonly mtime: number;
  readonly ctime: number;
}

export interface FileRow extends Stamp {
  readonly id: number;
  /** Relative to the project root, with "/". */
  readonly path: string;
  readonly contentHash: string | null;
  readonly outcome: Outcome;
  readonly detail: string | null;
  readonly language: string | null;
  readonly encoding: string | null;
  readonly lines: number;
  readonly tokens: number;
}

export interface ChunkRecord {
  readonly startLine: number;
  readonly endLine: number;
  readonly startByte: number;
  readonly endByte: number;
  /** Qualified name of the main symbol. */
  readonly symbol?: string | undefined;
  readonly kind: string;
  readonly tokens: number;
}

export interface ChunkRow extends ChunkRecord {
  readonly id: number;
  readonly fileId: number;
  readonly path: string;
  readonly language: string | null;
}

export interface SymbolRecord {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly docStartLine: number;
  readonly signature: string;
  /** Index of the enclosing symbol in the same file's list. */
  readonly parent?: number | undefined;
  readonly container?: string | undefined;
  readonly exported?: boolean | undefined;
}

export interface SymbolRow {
  readonly id: number;
  readonly fileId: number;
  readonly chunkId: number;
  readonly parentId: number | null;
  readonly path: string;
  readonly name: string;
  readonly qualifiedName: string;
  readonly container: string | null;
  readonly kind: string;
  readonly docStartLine: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly signature: string;
  readonly exported: number | null;
}

export interface ReferenceRecord {
  readonly name: string;
  readonly qualifier?: string | undefined;
  readonly qualifierType?: string | undefined;
  readonly kind: string;
  readonly line: number;
  /** Index of the enclosing symbol in the same file's list. */
  readonly inSymbol?: number | undefined;
}

export interface ImportRecord {
  readonly module: string;
  readonly names: readonly { readonly name: string; readonly alias?: string | undefined }[];
  readonly kind: string;
  readonly line: number;
}

export interface InheritRecord {
  readonly child: string;
  readonly inSymbol?: number | undefined;
  readonly parent: string;
  readonly qualifier?: string | undefined;
  readonly kind: string;
  readonly line: number;
}

/** A file as the pipeline hands it over to be written. Without `text` only its outcome is kept. */
export interface FileRecord {
  readonly path: string;
  readonly stamp: Stamp;
  readonly outcome: Outcome;
  readonly detail?: string | undefined;
  readonly content?: FileContent | undefined;
}

export interface FileContent {
  /** UTF-8. */
  readonly text: Uint8Array;
  readonly hash: string;
  readonly language: string;
  readonly encoding: string;
  readonly lines: number;
  readonly tokens: number;
  readonly chunks: readonly ChunkRecord[];
  readonly symbols: readonly SymbolRecord[];
  /** For each symbol the index of its chunk. */
  readonly symbolChunks: readonly number[];
  readonly references: readonly ReferenceRecord[];
  readonly imports: readonly ImportRecord[];
  readonly inherits: readonly InheritRecord[];
}

/**
 * The lexical index of a batch. Chunks are counted from 0 in the order of the batch's files; `buckets` hold the terms
 * and their encoded lists (see `postings.ts`).
 */
export interface SegmentRecord {
  readonly chunkSpan: number;
  readonly chunkCount: number;
  readonly totalLength: number;
  /** Little-endian uint16, one a chunk. */
  readonly lengths: Uint8Array;
  readonly dictionary: string;
  readonly buckets: readonly Uint8Array[];
}

export interface VectorBlock {
  readonly model: string;
  readonly dim: number;
  /** Index of the chunk in its batch, in the same order as `data`'s rows. */
  readonly chunks: Uint32Array;
  readonly scales: Float32Array;
  readonly data: Int8Array;
}

export interface Batch {
  readonly files: readonly FileRecord[];
  readonly segment: SegmentRecord;
  readonly vectors?: VectorBlock | undefined;
}

export interface LeftOut {
  readonly path: string;
  readonly outcome: Outcome;
  readonly detail: string;
}
