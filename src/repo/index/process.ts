/**
 * From paths to records: read, decode, classify, parse, chunk, tokenise. Runs in a worker or in the main thread, holds
 * one batch in memory at a time, and never throws for a file: whatever is wrong with one becomes its outcome.
 */
import { readFileSync } from "node:fs";
import { messageOf, UserError } from "../../platform/errors.ts";
import { lstatIfSeen, readBounded } from "../../platform/files.ts";
import { decodeText } from "../../platform/text.ts";
import { batchEmbedder } from "../embed/few.ts";
import { embeddedModelId } from "../embed/model-file.ts";
import { SegmentBuilder } from "../search/postings.ts";
import { Vocabulary } from "../search/vocabulary.ts";
import { layOutBuckets } from "../store/postings.ts";
import type { Batch, FileContent, FileRecord, Outcome, Stamp } from "../store/records.ts";
import { extractFile, languageOfFile } from "./analyse.ts";
import { chunkText } from "./chunk.ts";
import { generatedReason } from "./classify.ts";

export interface Job {
  readonly path: string;
  readonly stamp: Stamp;
  /** Hash of the stored text, without its mark; the file is not parsed again when it is still the same. */
  readonly knownHash?: string | undefined;
}

export interface ProcessOptions {
  readonly root: string;
  readonly maxFileBytes: number;
  readonly languages: Readonly<Record<string, string>>;
  /** Embed with the model in the binary while the words are at hand; other models embed in a run of their own. */
  readonly embedStatic?: boolean | undefined;
}

export interface Processed extends Batch {
  /** Files that only their stamp has changed of. */
  readonly same: readonly { readonly path: string; readonly stamp: Stamp }[];
  /** Files that were gone when they were to be read. */
  readonly gone: readonly string[];
  readonly bytes: number;
}

const MOST_MS_WITHOUT_SIGNALS = 100;

/** Of this thread: batch after batch says the same words. About 150 bytes an entry. */
const MAX_VOCABULARY = 200_000;
let vocabulary = new Vocabulary();

export async function processBatch(jobs: readonly Job[], options: ProcessOptions): Promise<Processed> {
  const files: FileRecord[] = [];
  const same: { path: string; stamp: Stamp }[] = [];
  const gone: string[] = [];
  if (vocabulary.size > MAX_VOCABULARY) vocabulary = new Vocabulary();
  const builder = new SegmentBuilder(vocabulary);
  const sourceBytes = jobs.reduce((sum, job) => sum + job.stamp.size, 0);
  const embedder = options.embedStatic ? await batchEmbedder(builder, sourceBytes) : undefined;
  let chunks = 0;
  let bytes = 0;
  let yielded = performance.now();
  for (const job of jobs) {
    // A batch of files that each take a second would hold back Ctrl-C for minutes.
    if (performance.now() - yielded > MOST_MS_WITHOUT_SIGNALS) {
      await new Promise((resolve) => setImmediate(resolve));
      yielded = performance.now();
    }
    if (job.stamp.size <= options.maxFileBytes) bytes += job.stamp.size;
    const result = await processFile(job, options);
    if (result === "same") same.push({ path: job.path, stamp: job.stamp });
    else if (result === "gone") gone.push(job.path);
    else {
      files.push(result.record);
      const { content } = result.record;
      if (!content) continue;
      for (let i = 0; i < content.chunks.length; i++) {
        builder.add({
          id: chunks++,
          path: job.path,
          content: result.text.slice(result.offsets[i], result.offsets[i + 1]),
          symbol: content.chunks[i]?.symbol,
        });
        embedder?.take();
      }
    }
  }
  const { terms, firstChunk: _, ...info } = builder.finish();
  const buckets =
    terms.length === 0
      ? []
      : layOutBuckets(
          terms.map((entry) => entry.term),
          (at) => terms[at]?.data ?? new Uint8Array(),
        );
  const vectors = embedder && { model: await embeddedModelId(), ...(await embedder.finish()) };
  return { files, same, gone, bytes, segment: { ...info, buckets }, vectors };
}

interface FileResult {
  readonly record: FileRecord;
  readonly text: string;
  readonly offsets: readonly number[];
}

async function processFile(job: Job, options: ProcessOptions): Promise<FileResult | "same" | "gone"> {
  const path = `${options.root}/${job.path}`;
  if (job.stamp.size > options.maxFileBytes)
    return outcome(job, "too-large", `${job.stamp.size} bytes; the limit is ${options.maxFileBytes}`);
  let bytes: Uint8Array;
  try {
    bytes = readWhole(path, job.stamp.size, options.maxFileBytes);
  } catch (error) {
    if (error instanceof UserError) return outcome(job, "too-large", error.message);
    if (!lstatIfSeen(path)) return "gone";
    return outcome(job, "unreadable", (error as NodeJS.ErrnoException).code ?? messageOf(error));
  }
  const hash = hashOf(bytes);
  if (hash === job.knownHash) return "same";
  const decoded = decodeText(bytes);
  if ("binary" in decoded) return outcome(job, "binary", "a NUL byte in its first 8 KiB");
  const { text, encoding } = decoded;
  if (text.trim() === "") return outcome(job, "empty", bytes.length === 0 ? "no bytes" : "only blanks");
  const { language, isCode } = languageOfFile(job.path, text, options.languages);
  const generated = generatedReason(job.path, text, isCode);
  if (generated) return outcome(job, "generated", generated);
  const extraction = await extractFile(language, text);
  const { chunks, offsets, symbolChunks, lines } = chunkText(text, extraction.symbols);
  const content: FileContent = {
    text: storedText(bytes, decoded),
    hash: options.embedStatic ? hash : `ne:${hash}`,
    language,
    encoding,
    lines,
    tokens: Math.ceil(text.length / 4),
    chunks,
    symbols: extraction.symbols,
    symbolChunks,
    references: extraction.references,
    imports: extraction.imports,
    inherits: extraction.inherits,
  };
  const record: FileRecord = {
    path: job.path,
    stamp: job.stamp,
    outcome: extraction.gaveUp ? "gave-up" : "indexed",
    detail: extraction.gaveUp,
    content,
  };
  return { record, text, offsets };
}

/** UTF-8 without a byte-order mark is stored as it was read, everything else as UTF-8. */
export function storedText(bytes: Uint8Array, { text, encoding }: { text: string; encoding: string }): Uint8Array {
  return encoding === "utf-8" && bytes[0] !== 0xef ? bytes : new TextEncoder().encode(text);
}

/** One call for a file whose size is known; a file that says it is empty may be a device's, and is read within bounds. */
function readWhole(path: string, size: number, maxBytes: number): Uint8Array {
  if (size === 0) return readBounded(path, maxBytes);
  const bytes = readFileSync(path);
  if (bytes.length > maxBytes) throw new UserError(`it has grown to ${bytes.length} bytes; the limit is ${maxBytes}`);
  return bytes;
}

function outcome(job: Job, kind: Outcome, detail: string): FileResult {
  return { record: { path: job.path, stamp: job.stamp, outcome: kind, detail }, text: "", offsets: [] };
}

/** 128 bits of SHA-256: told apart files must differ on every machine, as an index can be carried to another. */
export function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 32);
}
