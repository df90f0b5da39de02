/** The embedded model's file, and its identity: vectors of two models do not compare, so the id carries the hash. */
import modelPath from "../../../assets/model/static.bin" with { type: "file" };
import { HEADER_BYTES, type ModelBytes, StaticModel } from "./static.ts";

export function embeddedModelBytes(path: string = modelPath): ModelBytes {
  const file = Bun.file(path);
  return {
    size: file.size,
    read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
  };
}

/** `static-` and the first digits of the file's own hash, which stands in its header. */
export async function embeddedModelId(bytes: ModelBytes = embeddedModelBytes()): Promise<string> {
  const header = await bytes.read(0, HEADER_BYTES);
  return `static-${Buffer.from(header.subarray(32, 36)).toString("hex")}`;
}

let loading: Promise<StaticModel> | undefined;

/** Whether this thread has it, or will have it soon. */
export function isEmbeddedModelLoaded(): boolean {
  return loading !== undefined;
}

/** The whole model, loaded once a thread. */
export function loadEmbeddedModel(): Promise<StaticModel> {
  loading ??= StaticModel.load(embeddedModelBytes());
  return loading;
}
