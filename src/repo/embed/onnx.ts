/**
 * Runs an ONNX sentence model: tokenizer and model through `@huggingface/transformers` over ONNX Runtime, from the
 * cache only (the library itself is never allowed a request). Vectors are unit length.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf, UserError } from "../../platform/errors.ts";
import type { Environment } from "../../platform/paths.ts";
import { type DownloadOptions, ensureModel } from "./download.ts";
import { type Library, loadLibrary } from "./library.ts";
import { hasOnnxRuntime, loadOnnxRuntime } from "./native.ts";
import type { OnnxModelSpec } from "./registry.ts";

export interface Embedder {
  readonly id: string;
  readonly dimensions: number;
  /** What computes: `cpu`, `cuda`, `dml`, `coreml`. */
  readonly provider: string;
  /** Unit vectors, one a text, in order. A text's vector also depends on its batch neighbours (padding). */
  embedDocuments(texts: readonly string[]): Promise<Float32Array[]>;
  embedQuery(text: string): Promise<Float32Array>;
  close(): Promise<void>;
}

export interface OpenOptions extends DownloadOptions {
  readonly onlyCpu?: boolean;
  /** Called once when a GPU provider was there and failed. */
  readonly onFallback?: (reason: string) => void;
}

/** GPU providers in the order they are tried; the runtime of a platform has at most one of them. */
function providers(options: OpenOptions): readonly string[] {
  if (options.onlyCpu) return ["cpu"];
  if (process.platform === "win32") return ["dml", "cpu"];
  if (process.platform === "darwin" && process.arch === "arm64") return ["coreml", "cpu"];
  const env: Environment = options.env ?? process.env;
  return env["TOKENIX_CUDA"] === "1" ? ["cuda", "cpu"] : ["cpu"];
}

/** @throws UserError: no binding on this platform, no network, a broken model file. */
export async function openOnnxModel(spec: OnnxModelSpec, options: OpenOptions = {}): Promise<Embedder> {
  if (!hasOnnxRuntime()) loadOnnxRuntime(options.env);
  const folder = await ensureModel(spec, options);
  loadOnnxRuntime(options.env);
  const library = await loadLibrary();
  library.env.allowRemoteModels = false;
  library.env.allowLocalModels = true;
  library.env.localModelPath = `${dirname(folder)}/`;
  library.env.useFSCache = false;
  library.env.useBrowserCache = false;
  const name = folder.slice(dirname(folder).length + 1);
  const tokenizer = await library.AutoTokenizer.from_pretrained(name, { local_files_only: true }).catch(
    (error: unknown) => {
      throw broken(spec, folder, error);
    },
  );
  let failure: unknown;
  for (const provider of providers(options)) {
    try {
      const model = await library.AutoModel.from_pretrained(name, {
        local_files_only: true,
        dtype: "fp32",
        device: provider as "cpu",
      });
      return wrap(spec, provider, tokenizer, model);
    } catch (error) {
      failure = error;
      if (provider !== "cpu") options.onFallback?.(`${provider}: ${messageOf(error)}`);
    }
  }
  throw broken(spec, folder, failure);
}

type Tokenizer = Awaited<ReturnType<Library["AutoTokenizer"]["from_pretrained"]>>;
type Model = Awaited<ReturnType<Library["AutoModel"]["from_pretrained"]>>;

function wrap(spec: OnnxModelSpec, provider: string, tokenizer: Tokenizer, model: Model): Embedder {
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    if (texts.length === 0) return [];
    const inputs = tokenizer([...texts], { padding: true, truncation: true, max_length: spec.maxTokens }) as Record<
      string,
      unknown
    >;
    const output = (await model(inputs)) as Record<string, InstanceType<Library["Tensor"]>>;
    const hidden = output["last_hidden_state"] ?? output["sentence_embedding"] ?? output["token_embeddings"];
    if (!hidden)
      throw new UserError(`model '${spec.id}' gave no hidden state`, "its files are not those of this model");
    const mask = inputs["attention_mask"] as InstanceType<Library["Tensor"]>;
    return pool(spec, hidden, mask);
  };
  return {
    id: spec.id,
    dimensions: spec.dimensions,
    provider,
    embedDocuments: (texts) => embed(texts.map((text) => spec.documentPrefix + text)),
    async embedQuery(text) {
      const [vector] = await embed([spec.queryPrefix + text]);
      return vector ?? new Float32Array(spec.dimensions);
    },
    async close() {
      await model.dispose();
    },
  };
}

/** Token vectors to one unit vector a text: the first token's, or the mean over the tokens that are not padding. */
function pool(
  spec: OnnxModelSpec,
  hidden: { dims: readonly number[]; data: unknown },
  mask: { data: unknown },
): Float32Array[] {
  const [batch = 0, length = 0, width = 0] = hidden.dims;
  if (width !== spec.dimensions)
    throw new UserError(
      `model '${spec.id}' gave ${width} dimensions, not ${spec.dimensions}`,
      "its files are not those of this model",
    );
  const values = hidden.data as Float32Array;
  const kept = mask.data as BigInt64Array;
  const vectors: Float32Array[] = [];
  for (let text = 0; text < batch; text++) {
    const vector = new Float32Array(width);
    const tokens = spec.pooling === "cls" ? 1 : length;
    for (let token = 0; token < tokens; token++) {
      if (spec.pooling === "mean" && kept[text * length + token] !== 1n) continue;
      const base = (text * length + token) * width;
      for (let i = 0; i < width; i++) vector[i] = (vector[i] ?? 0) + (values[base + i] ?? 0);
    }
    vectors.push(unit(vector));
  }
  return vectors;
}

function unit(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const norm = Math.sqrt(square);
  if (norm > 0) for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / norm;
  return vector;
}

function broken(spec: OnnxModelSpec, folder: string, error: unknown): UserError {
  const gone = spec.files.filter((file) => !existsSync(join(folder, file.path))).map((file) => file.path);
  return new UserError(
    `model '${spec.id}' could not be loaded (${gone.length ? `${gone.join(", ")} missing` : messageOf(error).slice(0, 200)})`,
    `delete ${folder} and run the command again, or use the embedded model: tokenix index --model static`,
  );
}
