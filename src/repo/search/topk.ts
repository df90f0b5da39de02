/** Selects the k best of a score array without sorting it: one pass, a heap of k. */

/** A maximum stands for so many scores. */
export const SCORES_A_MAXIMUM = 16;

export interface Candidate {
  readonly id: number;
  readonly score: number;
}

/**
 * The `k` highest positive scores, best first; equal scores keep the lower position first.
 * `allowed`, when given, is asked only for scores that would enter the heap. `maxima`, the highest of each 16 scores,
 * let most of the pass be left out: as many groups as are wanted reach the k-th highest of them, and so do as many scores.
 */
export function topK(
  scores: Float32Array,
  k: number,
  offset = 0,
  allowed?: (id: number) => boolean,
  maxima?: Float32Array,
): readonly Candidate[] {
  const heapAt = new Int32Array(k);
  let size = 0;
  // The root is the worst kept entry: lowest score, then highest position.
  const worse = (left: number, right: number): boolean => {
    const a = scores[left] as number;
    const b = scores[right] as number;
    return a < b || (a === b && left > right);
  };
  let threshold = 0;
  const groups = maxima && maxima.length * SCORES_A_MAXIMUM >= scores.length ? maxima : undefined;
  const floor = groups && !allowed && groups.length > k ? (groups.slice().sort().at(-k) ?? 0) : 0;
  for (let at = 0; at < scores.length; at++) {
    if (groups && at % SCORES_A_MAXIMUM === 0) {
      const highest = groups[at / SCORES_A_MAXIMUM] as number;
      if (highest <= threshold || highest < floor) {
        at += SCORES_A_MAXIMUM - 1;
        continue;
      }
    }
    const score = scores[at] as number;
    if (score <= threshold || score < floor) continue;
    if (allowed && !allowed(at + offset)) continue;
    if (size < k) {
      let child = size++;
      while (child > 0) {
        const parent = (child - 1) >> 1;
        const above = heapAt[parent] as number;
        if (!worse(at, above)) break;
        heapAt[child] = above;
        child = parent;
      }
      heapAt[child] = at;
      if (size === k) threshold = scores[heapAt[0] as number] as number;
      continue;
    }
    let parent = 0;
    for (;;) {
      let child = parent * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && worse(heapAt[child + 1] as number, heapAt[child] as number)) child++;
      if (!worse(heapAt[child] as number, at)) break;
      heapAt[parent] = heapAt[child] as number;
      parent = child;
    }
    heapAt[parent] = at;
    threshold = scores[heapAt[0] as number] as number;
  }
  return Array.from(heapAt.subarray(0, size), (at) => ({ id: at + offset, score: scores[at] as number })).sort(
    (a, b) => b.score - a.score || a.id - b.id,
  );
}
