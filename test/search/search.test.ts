import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ndcg10, type Target } from "../../scripts/eval/labels.ts";
import { mean } from "../../scripts/eval/measure.ts";
import { embeddedModelId } from "../../src/repo/embed/model-file.ts";
import { compileFilters } from "../../src/repo/search/filters.ts";
import { queryVector } from "../../src/repo/search/query-vector.ts";
import { search } from "../../src/repo/search/search.ts";
import { storeSource } from "../../src/repo/search/store-source.ts";
import { type Project, project } from "./support.ts";

const FIXTURES = join(import.meta.dir, "fixtures");
let corpus: Project;

beforeAll(async () => {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(join(FIXTURES, "corpus"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(join(FIXTURES, "corpus").length + 1).replaceAll("\\", "/")] = readFileSync(path, "utf8");
  }
  corpus = project(files);
  await corpus.index();
}, 60_000);
afterAll(() => corpus.remove());

const paths = (query: string, options = {}): string[] =>
  search(storeSource(corpus.open()), query, { mode: "lexical", ...options }).map((hit) => hit.head.path);

describe("search over a small corpus", () => {
  test.each([["lexical"], ["hybrid"]] as const)(
    "answers 40 labelled questions, %s, with an NDCG@10 of at least 0.9",
    async (mode) => {
      const questions = JSON.parse(readFileSync(join(FIXTURES, "questions.json"), "utf8")) as {
        query: string;
        relevant: string[];
      }[];
      const store = corpus.open();
      const scores: number[] = [];
      for (const { query, relevant } of questions) {
        const { vector, note } = await queryVector(store, query);
        expect(note).toBeUndefined();
        const hits = search(storeSource(store), query, { mode, vector });
        const targets = relevant.map((path): Target => ({ path }));
        scores.push(
          ndcg10(
            hits.map((hit) => hit.head),
            targets,
          ),
        );
      }
      expect(scores).toHaveLength(40);
      expect(mean(scores)).toBeGreaterThanOrEqual(0.9);
    },
  );

  test("a name finds its definition first, and says so", () => {
    const [first] = search(storeSource(corpus.open()), "RoadGraph.ShortestPath", { mode: "lexical" });
    expect(first?.head.path).toBe("routing/graph.go");
    expect(first?.reasons).toContain("definition");
    expect(first?.definition?.qualifiedName).toContain("ShortestPath");
  });

  test("tests come after code, unless they are asked for", () => {
    expect(paths("invoice tax rounding")[0]).toBe("billing/invoice.py");
    expect(paths("tests of invoice tax rounding")[0]).toBe("tests/test_invoice.py");
  });

  test("documents come after code, unless they are asked for", () => {
    expect(paths("rate limits for clients")[0]).toBe("api/rate_limit.ts");
    expect(paths("handbook documentation of rate limits")[0]).toBe("docs/handbook.md");
  });

  test("filters apply before ranking, so a narrow one still fills the answer", () => {
    const keep = compileFilters({ lang: ["ruby"] }, () => ["ruby", "go"]);
    expect(new Set(paths("parcel", { keep }))).toEqual(new Set(["worker/mailer.rb"]));
  });

  test("symbol mode gives definitions and nothing else", () => {
    expect(paths("allow", { mode: "symbol" })).toEqual(["api/rate_limit.ts"]);
    expect(paths("nothing_is_called_this", { mode: "symbol" })).toEqual([]);
  });

  test("an empty question and one without any known word find nothing", () => {
    expect(paths("")).toEqual([]);
    expect(paths("zzqqxx")).toEqual([]);
    expect(paths("!!! ???")).toEqual([]);
  });

  test("the same question gives the same answer, in the same order", () => {
    expect(paths("parcel scan")).toEqual(paths("parcel scan"));
  });
});

describe("search over an index that changes", () => {
  test("vectors follow the files: what is gone is not near to anything, what is new is", async () => {
    const small = project({
      "net.ts": "export function openSocket(host: string) { return connect(host, 80); }\n",
      "image.ts": "export function blurPicture(pixels: number[]) { return convolve(pixels, kernel); }\n",
    });
    const nearest = async (query: string): Promise<string | undefined> => {
      const store = small.open();
      const { vector } = await queryVector(store, query);
      return search(storeSource(store), query, { mode: "semantic", vector })[0]?.head.path;
    };
    try {
      await small.index();
      expect(await nearest("network connection")).toBe("net.ts");
      small.write("net.ts", "export const colours = [];\n");
      small.write("dial.ts", "export function dialServer(address: string) { return new TcpConnection(address); }\n");
      await small.index();
      expect(await nearest("network connection")).toBe("dial.ts");
    } finally {
      small.remove();
    }
  });

  test("files indexed without embeddings get them from the next run that embeds", async () => {
    const small = project({ "a.ts": "export function parseHeader(line: string) { return line.split(':'); }\n" });
    try {
      await small.index({ embed: false });
      expect(small.open().files.pendingEmbeddings()).toBe(1);
      await small.index();
      const store = small.open();
      expect(store.files.pendingEmbeddings()).toBe(0);
      expect(store.vectors.models()).toEqual([{ model: await embeddedModelId(), count: store.chunks.count() }]);
    } finally {
      small.remove();
    }
  });

  test("a deleted file is not found, a new one is", async () => {
    const small = project({
      "a.ts": "export function alphafirst() { return 1; }\n",
      "b.ts": "export const beta = 2;\n",
    });
    try {
      await small.index();
      expect(search(storeSource(small.open()), "alphafirst", { mode: "lexical" })).toHaveLength(1);
      small.write("a.ts", "export function gammasecond() { return 1; }\n");
      await small.index();
      const source = storeSource(small.open());
      expect(search(source, "alphafirst", { mode: "lexical" })).toHaveLength(0);
      expect(search(source, "gammasecond", { mode: "lexical" })[0]?.head.path).toBe("a.ts");
    } finally {
      small.remove();
    }
  });
});
