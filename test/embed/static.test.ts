import { describe, expect, test } from "bun:test";
import { ChunkEmbedder } from "../../src/repo/embed/chunk-embedder.ts";
import { FewEmbedder } from "../../src/repo/embed/few.ts";
import { embeddedModelBytes, embeddedModelId, loadEmbeddedModel } from "../../src/repo/embed/model-file.ts";
import { countWeight, embedQuery, hashTerm, type QuantisedVector, StaticModel } from "../../src/repo/embed/static.ts";
import { documentTerms, queryTerms } from "../../src/repo/embed/terms.ts";
import { SegmentBuilder } from "../../src/repo/search/postings.ts";

const cosine = (a: QuantisedVector, b: QuantisedVector): number =>
  a.data.reduce((sum, value, at) => sum + value * (b.data[at] ?? 0), 0) * a.scale * b.scale;

describe("the embedded model", () => {
  test("puts a question nearer to the code that answers it than to other code", async () => {
    const model = await loadEmbeddedModel();
    const question = model.embed(queryTerms("read a configuration file and parse it"));
    const right = model.embed(
      documentTerms("function loadConfig(path) { return parseToml(readFileSync(path)); }", "src/config.ts"),
    );
    const wrong = model.embed(
      documentTerms("for (const pixel of image) { pixel.red = clamp(pixel.red * gamma); }", "src/image.ts"),
    );
    expect(cosine(question, right)).toBeGreaterThan(cosine(question, wrong) + 0.1);
  });

  test("gives unit vectors", async () => {
    const model = await loadEmbeddedModel();
    const vector = model.embed(queryTerms("open a socket and listen"));
    expect(cosine(vector, vector)).toBeCloseTo(1, 2);
  });

  test("a question embedded by slices is the question embedded by the whole table, bit for bit", async () => {
    const model = await loadEmbeddedModel();
    for (const text of ["how are routes matched", "parseHTTPRequest", "сокет 表示 unknownwordxyz", "the the the"]) {
      const whole = model.embed(queryTerms(text));
      const sliced = await embedQuery(embeddedModelBytes(), text);
      expect(sliced.scale).toBe(whole.scale);
      expect(sliced.data).toEqual(whole.data);
    }
  });

  test("knows nothing of unknown words: a zero vector, no error", async () => {
    const vector = await embedQuery(embeddedModelBytes(), "qqqzzzxxx");
    expect(vector.scale).toBe(0);
    expect((await embedQuery(embeddedModelBytes(), "")).scale).toBe(0);
  });

  test("a chunk embedded while it is indexed is the chunk embedded from its words", async () => {
    const model = await loadEmbeddedModel();
    const builder = new SegmentBuilder();
    const embedder = new ChunkEmbedder(model, builder);
    const chunks = [
      {
        id: 0,
        path: "src/http/router.ts",
        content: "export function addRoute(path: string) { routes.push(path); }",
        symbol: "addRoute",
      },
      { id: 1, path: "src/log.ts", content: "console.error(message); console.error(stack);", symbol: undefined },
    ];
    const few = new FewEmbedder(embeddedModelBytes(), builder);
    for (const chunk of chunks) {
      builder.add(chunk);
      embedder.take();
      few.take();
    }
    const all = embedder.finish();
    // Word by word, as for an edited file, they are the same to the last bit.
    expect(await few.finish()).toEqual(all);
    const { data, scales } = all;
    for (const chunk of chunks) {
      const terms = documentTerms(chunk.content, chunk.path);
      if (chunk.symbol) terms.push(...queryTerms(chunk.symbol));
      const alone = model.embed(terms);
      expect(scales[chunk.id]).toBe(Math.fround(alone.scale));
      expect([...data.slice(chunk.id * model.dim, (chunk.id + 1) * model.dim)]).toEqual([...alone.data]);
    }
  });

  test("carries its hash in its id, and the hash is right", async () => {
    const bytes = embeddedModelBytes();
    const body = await bytes.read(64, bytes.size);
    const hash = new Bun.CryptoHasher("sha256").update(body).digest("hex");
    expect(await embeddedModelId()).toBe(`static-${hash.slice(0, 8)}`);
  });

  test("a damaged file is refused", () => {
    const wrong = { size: 64, read: async () => new Uint8Array(64) };
    expect(StaticModel.load(wrong)).rejects.toThrow("no embedded model");
  });
});

describe("its arithmetic", () => {
  test("the weight of a count is 16 × (1 + ln count), rounded", () => {
    for (const count of [1, 2, 3, 10, 33, 64]) expect(countWeight(count)).toBe(Math.round(16 * (1 + Math.log(count))));
    expect(countWeight(5000)).toBe(countWeight(64));
  });

  test("term hashes are pinned: the file's table depends on them", () => {
    expect(hashTerm("router")).toEqual(hashTerm("router"));
    expect(hashTerm("router")).toMatchInlineSnapshot(`
      {
        "fingerprint": 3364581486,
        "slot": 1276844831,
      }
    `);
  });
});
