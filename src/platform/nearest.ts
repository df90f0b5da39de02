/** "Did you mean": the candidate nearest to a mistyped word, or none when nothing is near enough to be helpful. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const folded = candidate.toLowerCase();
    if (folded === wanted) return candidate;
    let distance = editDistance(wanted, folded, bestDistance);
    // A word that was only begun (`snap` for `snapshot`) is near, though many letters are missing.
    if (wanted.length >= 3 && folded.startsWith(wanted)) distance = Math.min(distance, 1);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Whether one insertion, deletion, substitution or swap of neighbours, letter case aside, makes the one of the other. */
export function isOneSlip(a: string, b: string): boolean {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  const shared = Math.min(one.length, other.length);
  let start = 0;
  while (start < shared && one.charCodeAt(start) === other.charCodeAt(start)) start++;
  let end = 0;
  while (end < shared - start && one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end))
    end++;
  const left = one.slice(start, one.length - end);
  const right = other.slice(start, other.length - end);
  if (left.length + right.length === 0) return false;
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** Optimal string alignment: insertions, deletions, substitutions, swaps of neighbours. Gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let lowest = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
      lowest = Math.min(lowest, cost);
    }
    if (lowest >= limit) return limit;
    before = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
