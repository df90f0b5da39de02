import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cloneOf, git } from "../../scripts/eval/corpus.ts";
import { covers, ndcg10 } from "../../scripts/eval/labels.ts";

let folder: string;

/** A clone with one commit; gives the commit. */
function repository(name: string, text: string): string {
  const dir = join(folder, name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "a.txt"), text);
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.test", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    [...who, "commit", "-qm", text],
  ])
    expect(git(dir, args).ok).toBe(true);
  return git(dir, ["rev-parse", "HEAD"]).out;
}

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "tokenix-clones-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the clone of a labelled repository", () => {
  const labelled = (revision: string) => ({
    name: "parser",
    language: "go",
    url: "https://example.test/old-owner/parser.git",
    revision,
  });

  test("is the one with the labelled commit, also under a new owner, else the old owner's", () => {
    const old = repository("old-owner+parser", "old");
    const moved = repository("new-owner+parser", "moved");
    repository("new-owner+other", "other");
    expect(cloneOf(folder, labelled(moved))).toBe(join(folder, "new-owner+parser"));
    expect(cloneOf(folder, labelled(old))).toBe(join(folder, "old-owner+parser"));
    expect(cloneOf(folder, labelled("0".repeat(40)))).toBe(join(folder, "old-owner+parser"));
  });

  test("is none where only a namesake without the commit is", () => {
    expect(cloneOf(folder, { ...labelled("0".repeat(40)), name: "other", url: "https://example.test/x/other" })).toBe(
      undefined,
    );
    expect(cloneOf(join(folder, "nothing"), labelled("0".repeat(40)))).toBeUndefined();
  });
});

describe("a result", () => {
  const at = (path: string, startLine = 1, endLine = 9) => ({ path, startLine, endLine });

  test("counts for a target whose path it ends with, at a folder border, and whose lines it touches", () => {
    expect(covers(at("lib/a/mux.go"), { path: "a/mux.go" })).toBe(true);
    expect(covers(at("lib/demux.go"), { path: "mux.go" })).toBe(false);
    expect(covers(at("mux.go", 10, 20), { path: "mux.go", start_line: 20, end_line: 30 })).toBe(true);
    expect(covers(at("mux.go", 10, 19), { path: "mux.go", start_line: 20, end_line: 30 })).toBe(false);
  });

  test("gains by the rank of the first that covers a target, and nothing twice", () => {
    expect(ndcg10([at("a.go"), at("b.go")], [{ path: "a.go" }])).toBe(1);
    expect(ndcg10([at("b.go"), at("a.go"), at("a.go")], [{ path: "a.go" }])).toBeCloseTo(1 / Math.log2(3));
    expect(ndcg10([at("b.go")], [{ path: "a.go" }])).toBe(0);
  });
});
