/**
 * The embedding models that an index can be built with. `static` is in the binary; the others are ONNX models that
 * their user chose and that are downloaded once. A revision is a commit, never a branch: the same tokenix must load
 * the same weights on two machines. Hashes are SHA-256; where one is not listed, the hub's own content address at that
 * commit is checked instead (`download.ts`).
 */
import { EXIT, UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";

export type Pooling = "mean" | "cls";

export interface ModelFile {
  /** Path in the repository of the hub, and below the model's folder in the cache. */
  readonly path: string;
  readonly sha256?: string;
}

export interface StaticModelSpec {
  readonly kind: "static";
  readonly id: string;
  readonly summary: string;
}

export interface OnnxModelSpec {
  readonly kind: "onnx";
  readonly id: string;
  readonly summary: string;
  /** `owner/name` on the hub. */
  readonly repository: string;
  readonly revision: string;
  readonly files: readonly ModelFile[];
  readonly dimensions: number;
  readonly pooling: Pooling;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  readonly maxTokens: number;
  /** Roughly, for the question before a download. */
  readonly megabytes: number;
}

export type ModelSpec = StaticModelSpec | OnnxModelSpec;

export const DEFAULT_MODEL = "static";

const bertFiles = (model: string | undefined, tokenizer: string | undefined): readonly ModelFile[] => [
  { path: "onnx/model.onnx", ...(model ? { sha256: model } : {}) },
  { path: "tokenizer.json", ...(tokenizer ? { sha256: tokenizer } : {}) },
  { path: "tokenizer_config.json" },
  { path: "config.json" },
];

export const MODELS: readonly ModelSpec[] = [
  { kind: "static", id: "static", summary: "in the binary: a table look-up, no download (default)" },
  {
    kind: "onnx",
    id: "nomic-v1.5",
    summary: "general text, long inputs",
    repository: "nomic-ai/nomic-embed-text-v1.5",
    revision: "e9b6763023c676ca8431644204f50c2b100d9aab",
    files: bertFiles("147d5aa88c2101237358e17796cf3a227cead1ec304ec34b465bb08e9d952965", undefined),
    dimensions: 768,
    pooling: "mean",
    queryPrefix: "search_query: ",
    documentPrefix: "search_document: ",
    maxTokens: 2048,
    megabytes: 547,
  },
  {
    kind: "onnx",
    id: "bge-small",
    summary: "small English retrieval model",
    repository: "BAAI/bge-small-en-v1.5",
    revision: "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
    files: bertFiles(
      "828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35",
      "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
    ),
    dimensions: 384,
    pooling: "cls",
    queryPrefix: "Represent this sentence for searching relevant passages: ",
    documentPrefix: "",
    maxTokens: 512,
    megabytes: 134,
  },
  {
    kind: "onnx",
    id: "bge-base",
    summary: "English retrieval model",
    repository: "BAAI/bge-base-en-v1.5",
    revision: "a5beb1e3e68b9ab74eb54cfd186867f64f240e1a",
    files: bertFiles(undefined, undefined),
    dimensions: 768,
    pooling: "cls",
    queryPrefix: "Represent this sentence for searching relevant passages: ",
    documentPrefix: "",
    maxTokens: 512,
    megabytes: 436,
  },
  {
    kind: "onnx",
    id: "minilm-l6",
    summary: "smallest general sentence model",
    repository: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
    files: bertFiles(
      "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452",
      "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
    dimensions: 384,
    pooling: "mean",
    queryPrefix: "",
    documentPrefix: "",
    maxTokens: 256,
    megabytes: 91,
  },
  {
    kind: "onnx",
    id: "e5-small",
    summary: "small English retrieval model with instructions",
    repository: "intfloat/e5-small-v2",
    revision: "ffb93f3bd4047442299a41ebb6fa998a38507c52",
    files: bertFiles(undefined, undefined),
    dimensions: 384,
    pooling: "mean",
    queryPrefix: "query: ",
    documentPrefix: "passage: ",
    maxTokens: 512,
    megabytes: 134,
  },
  {
    kind: "onnx",
    id: "jina-code",
    summary: "code and English, long inputs",
    repository: "jinaai/jina-embeddings-v2-base-code",
    revision: "516f4baf13dec4ddddda8631e019b5737c8bc250",
    files: bertFiles(undefined, undefined),
    dimensions: 768,
    pooling: "mean",
    queryPrefix: "",
    documentPrefix: "",
    maxTokens: 2048,
    megabytes: 642,
  },
];

/** @throws UserError that offers the nearest id. */
export function modelSpec(id: string): ModelSpec {
  const found = MODELS.find((one) => one.id === id);
  if (found) return found;
  const ids = MODELS.map((one) => one.id);
  const near = nearest(id, ids);
  throw new UserError(
    `there is no embedding model '${id}'`,
    near ? `did you mean '${near}'?` : `known: ${ids.join(", ")}`,
    EXIT.usage,
  );
}
