/** Code like a given place: its own chunk's vector is the question, or its rarest words where there is no vector. */
import { EXIT, UserError } from "../../platform/errors.ts";
import { embeddedModelId } from "../embed/model-file.ts";
import type { QuantisedVector } from "../embed/static.ts";
import type { ChunkRow } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { type AskOptions, type Finder, languagesOf } from "./ask.ts";
import { compileFilters } from "./filters.ts";
import { oneChunkAFileFirst, type Ranked, SIMILAR_REPEAT } from "./rules.ts";
import { search } from "./search.ts";
import { scoreSemantic } from "./semantic.ts";
import { storeSource } from "./store-source.ts";
import { topK } from "./topk.ts";

export interface Place {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly line: number;
}

export function parsePlace(text: string): Place {
  const found = /^(.+?):(\d+)(?:-\d+)?$/.exec(text.replaceAll("\\", "/"));
  if (!found?.[1] || Number(found[2]) < 1)
    throw new UserError(`'${text}' is no place`, "write FILE:LINE, as in src/main.ts:40", EXIT.usage);
  return { path: found[1].replace(/^\.\//, ""), line: Number(found[2]) };
}

export function relatedFinder(place: Place): Finder {
  return async (store, options) => {
    const chunk = chunkAt(store, place);
    const model = await embeddedModelId();
    const vector = vectorOf(store, model, chunk.id);
    const hits = vector ? nearest(store, model, vector, chunk, options) : byWords(store, chunk, options);
    const note = vector ? undefined : "the index has no embedding of that place: compared by words";
    return { hits, note };
  };
}

function chunkAt(store: Store, place: Place): ChunkRow {
  const file = store.files.byPath(place.path);
  if (!file || file.contentHash === null)
    throw new UserError(`${place.path} is not in the index`, "'tokenix files' lists what is", EXIT.findings);
  const chunk = store.chunks.ofFile(file.id).find((one) => one.startLine <= place.line && one.endLine >= place.line);
  if (!chunk) throw new UserError(`${place.path} has ${file.lines} lines, not ${place.line}`, undefined, EXIT.usage);
  return chunk;
}

function vectorOf(store: Store, model: string, id: number): QuantisedVector | undefined {
  let found: QuantisedVector | undefined;
  for (const block of store.vectors.blocks(model)) {
    const row = block.ids.indexOf(id);
    if (row < 0) continue;
    const data = block.data.slice(row * block.dim, (row + 1) * block.dim);
    found = { data, scale: block.scales[row] ?? 0 };
  }
  return found?.scale ? found : undefined;
}

function nearest(store: Store, model: string, vector: QuantisedVector, chunk: ChunkRow, options: AskOptions) {
  const source = storeSource(store);
  const scored = scoreSemantic(source.vectors(model), vector, source.segments());
  if (!scored) return [];
  const keep = compileFilters(options.filters, () => languagesOf(store));
  const allowed = keep && source.chunksOfFiles(keep);
  const isOther = (id: number): boolean => id !== chunk.id && (allowed?.has(id) ?? true);
  const best = topK(scored.scores, options.limit * 5, scored.offset, isOther);
  const scores = new Map(best.map((one) => [one.id, one.score]));
  const pool = source
    .heads(best.map((one) => one.id))
    .map((head): Ranked => ({ head, score: scores.get(head.id) ?? 0, reasons: new Set(["semantic"]) }));
  return oneChunkAFileFirst(pool, SIMILAR_REPEAT)
    .slice(0, options.limit)
    .map(({ head, score, reasons }) => ({ head, score, reasons: [...reasons] }));
}

function byWords(store: Store, chunk: ChunkRow, options: AskOptions) {
  const keep = compileFilters(options.filters, () => languagesOf(store));
  const text = (store.chunks.text(chunk.id) ?? "").slice(0, 2000);
  return search(storeSource(store), text, { mode: "lexical", limit: options.limit + 1, keep })
    .filter((hit) => hit.head.id !== chunk.id)
    .slice(0, options.limit);
}
