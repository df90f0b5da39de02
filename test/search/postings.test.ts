import { describe, expect, test } from "bun:test";
import { lengthsOf, markDeleted, PostingList, type Segment, SegmentBuilder } from "../../src/repo/search/postings.ts";

function segmentOf(chunks: readonly { id: number; content: string; path?: string }[]): Segment {
  const builder = new SegmentBuilder();
  for (const { id, content, path } of chunks) builder.add({ id, content, path: path ?? "src/a.ts" });
  return builder.finish();
}

function postingsOf(segment: Segment, term: string): [number, number][] {
  const list = new PostingList();
  const entry = segment.terms.find((candidate) => candidate.term === term);
  if (entry) list.append(entry.data);
  return Array.from({ length: list.size }, (_, at) => [list.chunks[at] ?? 0, list.counts[at] ?? 0]);
}

describe("a segment", () => {
  test("gives back every chunk and how often it holds the term", () => {
    const segment = segmentOf([
      { id: 7, content: "alpha beta alpha" },
      { id: 300, content: "beta" },
      { id: 70_000, content: `alpha ${"gamma ".repeat(400)}` },
    ]);
    expect(postingsOf(segment, "alpha")).toEqual([
      [7, 2],
      [70_000, 1],
    ]);
    expect(postingsOf(segment, "gamma")).toEqual([[70_000, 400]]);
    expect(postingsOf(segment, "absent")).toEqual([]);
  });

  test("lists each of its terms once, between line feeds", () => {
    const segment = segmentOf([{ id: 1, content: "zeta alphaBeta zeta", path: "p.ts" }]);
    expect(segment.dictionary.startsWith("\n") && segment.dictionary.endsWith("\n")).toBe(true);
    expect(wordsOf(segment.dictionary)).toEqual(["alpha", "alphabeta", "beta", "p", "zeta"]);
  });

  test("finds a chunk by its file name, folders and symbol", () => {
    const builder = new SegmentBuilder();
    builder.add({ id: 1, path: "src/http/Router.ts", content: "x", symbol: "Router.addRoute" });
    const segment = builder.finish();
    expect(postingsOf(segment, "router")).toEqual([[1, 3]]);
    expect(postingsOf(segment, "http")).toEqual([[1, 1]]);
    expect(postingsOf(segment, "addroute")).toEqual([[1, 1]]);
  });

  test("refuses chunks out of order", () => {
    const builder = new SegmentBuilder();
    builder.add({ id: 2, path: "a", content: "x" });
    expect(() => builder.add({ id: 2, path: "a", content: "x" })).toThrow("ascending");
  });

  test("of nothing is empty", () => {
    const segment = new SegmentBuilder().finish();
    expect(segment.chunkCount).toBe(0);
    expect(segment.terms).toEqual([]);
  });
});

describe("deleting and damage", () => {
  test("a deleted chunk has length 0 and leaves the totals", () => {
    const segment = segmentOf([
      { id: 10, content: "one two" },
      { id: 11, content: "three" },
    ]);
    const after = markDeleted(segment, [10, 99]);
    expect(after.chunkCount).toBe(1);
    expect([...lengthsOf(after)].map((length) => length > 0)).toEqual([false, true]);
    expect(after.totalLength).toBe(segment.totalLength - (lengthsOf(segment)[0] ?? 0));
    expect(lengthsOf(segment)[0]).toBeGreaterThan(0);
  });

  test("damaged bytes end a list early and never throw", () => {
    const list = new PostingList();
    list.append(Uint8Array.from([0x80]));
    list.append(Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]));
    expect(list.size).toBeLessThan(10);
  });
});

function wordsOf(dictionary: string): string[] {
  return dictionary.split("\n").filter(Boolean).sort();
}
