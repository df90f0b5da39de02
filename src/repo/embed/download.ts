/**
 * Fetches the files of a model into the cache: the one place that opens a socket for a model, and only when the user
 * asked for that model. Resumes a half file, shows progress, checks each file before it gets its name, and refuses
 * under air gap before anything is opened.
 */
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../platform/errors.ts";
import { ensurePrivateDir, removeQuietly, writeFileAtomic } from "../../platform/files.ts";
import { type Environment, modelCacheDir } from "../../platform/paths.ts";
import type { ModelFile, OnnxModelSpec } from "./registry.ts";

export interface DownloadOptions {
  readonly airgap?: boolean;
  readonly env?: Environment;
  /** Where the hub's layout is served; tests name a loopback server. */
  readonly hub?: string;
  readonly onProgress?: (file: string, received: number, total: number | undefined) => void;
}

const HUB = "https://huggingface.co";
/** No model of the registry has a file above this; a server that sends more is not believed. */
const MAX_FILE_BYTES = 2_000_000_000;

export function isAirgapped(env: Environment = process.env): boolean {
  return /^(?:1|true|yes)$/i.test(env["TOKENIX_AIRGAP"] ?? "");
}

/** The model's folder in the cache: another revision is another folder. */
export function modelFolder(spec: OnnxModelSpec, env: Environment = process.env): string {
  return join(modelCacheDir(env), spec.id, spec.revision.slice(0, 12));
}

export function missingFiles(spec: OnnxModelSpec, env: Environment = process.env): readonly ModelFile[] {
  const folder = modelFolder(spec, env);
  return spec.files.filter((file) => !existsSync(join(folder, file.path)));
}

/** Makes sure that every file of the model is in the cache. @throws UserError when it can't be. */
export async function ensureModel(spec: OnnxModelSpec, options: DownloadOptions = {}): Promise<string> {
  const env = options.env ?? process.env;
  const folder = modelFolder(spec, env);
  const missing = missingFiles(spec, env);
  if (missing.length === 0) return folder;
  if (options.airgap || isAirgapped(env))
    throw new UserError(
      `model '${spec.id}' is not in the cache, and air-gap mode forbids a download`,
      `copy it to ${folder}, or use the embedded model: tokenix index --model static`,
    );
  ensurePrivateDir(folder);
  for (const file of missing) await fetchFile(spec, file, join(folder, file.path), options);
  return folder;
}

async function fetchFile(
  spec: OnnxModelSpec,
  file: ModelFile,
  target: string,
  options: DownloadOptions,
): Promise<void> {
  const { ofetch } = await import("ofetch");
  const hub = options.hub ?? HUB;
  const url = `${hub}/${spec.repository}/resolve/${spec.revision}/${file.path}`;
  const part = `${target}.part`;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const have = existsSync(part) ? statSync(part).size : 0;
  let response: Awaited<ReturnType<typeof ofetch.raw<ReadableStream<Uint8Array>, "stream">>>;
  try {
    response = await ofetch.raw(url, {
      responseType: "stream",
      retry: 2,
      retryDelay: 500,
      headers: have > 0 ? { range: `bytes=${have}-` } : {},
      ignoreResponseError: true,
    });
  } catch (error) {
    throw unreachable(spec, error);
  }
  if (response.status === 416) {
    // The half file is longer than the whole: it is not a beginning of this one.
    removeQuietly(part);
    return fetchFile(spec, file, target, options);
  }
  if (response.status !== 200 && response.status !== 206)
    throw new UserError(
      `the hub answered ${response.status} for ${file.path} of model '${spec.id}'`,
      "try again later, or use the embedded model: tokenix index --model static",
    );
  const resumed = response.status === 206;
  if (!resumed && have > 0) truncateSync(part, 0);
  const announced = announcedHash(response.headers);
  const length = Number(response.headers.get("content-length"));
  const total = Number.isFinite(length) && length > 0 ? length + (resumed ? have : 0) : undefined;
  await writeStream(response._data, part, { start: resumed ? have : 0, total, spec, file, options });
  await verify(part, file, announced, spec);
  renameSync(part, target);
}

async function writeStream(
  stream: ReadableStream<Uint8Array> | undefined,
  part: string,
  about: { start: number; total: number | undefined; spec: OnnxModelSpec; file: ModelFile; options: DownloadOptions },
): Promise<void> {
  if (!stream) throw new UserError(`the hub sent nothing for ${about.file.path} of model '${about.spec.id}'`);
  const out = openSync(part, about.start > 0 ? "a" : "w", 0o600);
  let received = about.start;
  try {
    for await (const bytes of stream) {
      received += bytes.length;
      if (received > MAX_FILE_BYTES)
        throw new UserError(`${about.file.path} of model '${about.spec.id}' is larger than any model here`);
      let written = 0;
      while (written < bytes.length) written += writeSync(out, bytes, written);
      about.options.onProgress?.(about.file.path, received, about.total);
    }
  } catch (error) {
    throw error instanceof UserError || (error as NodeJS.ErrnoException).code === "ENOSPC"
      ? error
      : unreachable(about.spec, error);
  } finally {
    closeSync(out);
  }
  if (about.total !== undefined && received < about.total)
    throw new UserError(
      `the download of ${about.file.path} of model '${about.spec.id}' broke off at ${received} of ${about.total} bytes`,
      "run the command again: it goes on from there",
    );
}

interface Announced {
  readonly algorithm: "sha256" | "git-blob";
  readonly value: string;
}

/** The hub names each file's content: SHA-256 for large files, git's blob id for small ones. */
function announcedHash(headers: Headers): Announced | undefined {
  const value = (headers.get("x-linked-etag") ?? headers.get("etag") ?? "").replace(/^W\//, "").replaceAll('"', "");
  if (/^[0-9a-f]{64}$/.test(value)) return { algorithm: "sha256", value };
  if (/^[0-9a-f]{40}$/.test(value)) return { algorithm: "git-blob", value };
  return undefined;
}

/** Refuses a file that has not the bytes of the pinned hash, or of the content address at the pinned commit. */
async function verify(
  part: string,
  file: ModelFile,
  announced: Announced | undefined,
  spec: OnnxModelSpec,
): Promise<void> {
  const sha256 = new Bun.CryptoHasher("sha256");
  const blob = new Bun.CryptoHasher("sha1").update(`blob ${statSync(part).size}\0`);
  for await (const bytes of createReadStream(part)) {
    sha256.update(bytes as Buffer);
    blob.update(bytes as Buffer);
  }
  const found = { sha256: sha256.digest("hex"), "git-blob": blob.digest("hex") };
  const wanted: Announced | undefined = file.sha256 ? { algorithm: "sha256", value: file.sha256 } : announced;
  if (!wanted) {
    removeQuietly(part);
    throw new UserError(`the hub named no hash for ${file.path} of model '${spec.id}', so it can't be checked`);
  }
  if (found[wanted.algorithm] === wanted.value) {
    writeFileAtomic(`${part.slice(0, -".part".length)}.sha256`, `${found.sha256}\n`);
    return;
  }
  removeQuietly(part);
  throw new UserError(
    `${file.path} of model '${spec.id}' has the wrong hash (${found[wanted.algorithm].slice(0, 12)}…, wanted ${wanted.value.slice(0, 12)}…)`,
    "the file was thrown away; run the command again, and if it comes again the source is not to be trusted",
  );
}

function unreachable(spec: OnnxModelSpec, error: unknown): UserError {
  const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
  return new UserError(
    `model '${spec.id}' could not be downloaded (${reason})`,
    "what arrived is kept and the next try goes on from there; offline, use the embedded model: tokenix index --model static",
  );
}
