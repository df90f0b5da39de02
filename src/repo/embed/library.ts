/**
 * transformers.js. From source it is the package itself. In the executable the build puts a packed text of it here
 * (`scripts/build-plugins/onnxruntime.ts`): half a megabyte of code that only ONNX models run would bring 2 MB of
 * bytecode into every download.
 */
export type Library = typeof import("@huggingface/transformers");

export function loadLibrary(): Promise<Library> {
  return import("@huggingface/transformers");
}
