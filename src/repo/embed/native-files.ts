/**
 * ONNX Runtime's native files. From source the package loads its own; in the executable the build puts the
 * target's compressed files here (`scripts/build-plugins/onnxruntime.ts`), or none where the package has none.
 */
export interface NativeFile {
  readonly name: string;
  /** Where the zstd-compressed bytes are embedded. */
  readonly path: string;
  /** Of the unpacked bytes. */
  readonly sha256: string;
  /** Bytes, unpacked. */
  readonly size: number;
}

export const nativeFiles: readonly NativeFile[] = [];
