/** BM25 over posting lists, into one score a chunk id. Reads bytes from a source; decides no order. */
import { lengthsOf, PostingList, type SegmentInfo } from "./postings.ts";
import type { SearchSource } from "./source.ts";

const K1 = 1.5;
const B = 0.75;
/** A word in more chunks than this share tells nothing apart; leaving out rarer ones costs (at 0.25: .009 NDCG). */
const COMMON = 0.4;
/** In a small index a word of the subject may well be in half of the chunks. */
const SMALL_INDEX = 300;

export interface LexicalScores {
  /** Chunk id of `scores[0]`. */
  readonly offset: number;
  readonly scores: Float32Array;
}

const EMPTY: LexicalScores = { offset: 0, scores: new Float32Array(0) };

/** Scores every living chunk that holds a term. `terms` may repeat: a word asked twice counts twice. */
export function scoreLexical(source: SearchSource, terms: readonly string[]): LexicalScores {
  const segments = source.segments();
  const first = segments[0];
  const last = segments.at(-1);
  if (!first || !last) return EMPTY;
  const offset = first.firstChunk;
  const span = last.firstChunk + last.chunkSpan - offset;
  const total = segments.reduce((sum, segment) => sum + segment.chunkCount, 0);
  if (total === 0) return EMPTY;
  // No pass over all chunks: a question is asked once a process, before any loop is compiled.
  const lengths = lengthsOfAll(segments, offset, span);
  const totalLength = segments.reduce((sum, segment) => sum + segment.totalLength, 0);
  const fixed = K1 * (1 - B);
  const perTerm = (K1 * B * total) / Math.max(1, totalLength);
  const scores = new Float32Array(span);
  const list = new PostingList();

  const weights = new Map<string, number>();
  for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + 1);
  const lists = source.postings([...weights.keys()]);
  for (const [term, times] of weights) {
    list.clear();
    for (const data of lists.get(term) ?? []) list.append(data);
    if (list.size === 0) continue;
    const { chunks, counts, size } = list;
    const holders = Math.min(size, total);
    if (holders > total * COMMON && total > SMALL_INDEX) continue;
    const weight = times * Math.log(1 + (total - holders + 0.5) / (holders + 0.5)) * (K1 + 1);
    for (let at = 0; at < size; at++) {
      const slot = (chunks[at] as number) - offset;
      const length = lengths[slot] as number;
      // 0 is a deleted chunk, undefined a damaged list.
      if (!length) continue;
      const count = counts[at] as number;
      scores[slot] = (scores[slot] as number) + (weight * count) / (count + fixed + perTerm * length);
    }
  }
  return { offset, scores };
}

/** The uint16 lengths of all chunks by id from `offset` on; 0 where none lives. */
export function lengthsOfAll(segments: readonly SegmentInfo[], offset: number, span: number): Uint16Array {
  const lengths = new Uint16Array(span);
  for (const segment of segments) lengths.set(lengthsOf(segment), segment.firstChunk - offset);
  return lengths;
}
