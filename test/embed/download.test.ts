/** The download of a model, against a loopback server that speaks the hub's layout, well and badly. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureModel, modelFolder } from "../../src/repo/embed/download.ts";
import type { OnnxModelSpec } from "../../src/repo/embed/registry.ts";

const WEIGHTS = new Uint8Array(300_000).map((_, i) => (i * 31 + (i >> 8)) & 255);
const TOKENIZER = new TextEncoder().encode('{"version":"1.0"}');
const REVISION = "0123456789abcdef0123456789abcdef01234567";
const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const blobId = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

const spec: OnnxModelSpec = {
  kind: "onnx",
  id: "tiny",
  summary: "for tests",
  repository: "someone/tiny",
  revision: REVISION,
  files: [{ path: "onnx/model.onnx", sha256: sha256(WEIGHTS) }, { path: "tokenizer.json" }],
  dimensions: 4,
  pooling: "mean",
  queryPrefix: "",
  documentPrefix: "",
  maxTokens: 16,
  megabytes: 1,
};

type Mode = "well" | "cut" | "tampered" | "missing" | "nameless";
let mode: Mode = "well";
let requests: { path: string; range: string | null }[] = [];
let server: ReturnType<typeof Bun.serve>;

beforeAll(() => {
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      const range = request.headers.get("range");
      requests.push({ path: pathname, range });
      if (mode === "missing") return new Response("gone", { status: 404 });
      const weights = pathname === `/someone/tiny/resolve/${REVISION}/onnx/model.onnx`;
      if (!weights && pathname !== `/someone/tiny/resolve/${REVISION}/tokenizer.json`)
        return new Response("?", { status: 404 });
      const whole = weights ? WEIGHTS : TOKENIZER;
      const etag = weights ? sha256(WEIGHTS) : blobId(TOKENIZER);
      const headers: Record<string, string> = mode === "nameless" ? {} : { etag: `"${etag}"` };
      const body = mode === "tampered" ? whole.map((byte, i) => (i === 5 ? byte ^ 1 : byte)) : whole;
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
      if (from > body.length) return new Response("", { status: 416 });
      const rest = body.slice(from);
      if (mode !== "cut" || !weights) return new Response(rest, { status: from > 0 ? 206 : 200, headers });
      // Promises the whole and breaks the connection after a third of it.
      return new Response(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(rest.slice(0, 100_000));
            await Bun.sleep(20);
            controller.error(new Error("cut"));
          },
        }),
        { headers: { ...headers, "content-length": String(rest.length) } },
      );
    },
  });
});
afterAll(() => server.stop(true));

function place(next: Mode) {
  mode = next;
  requests = [];
  const env = { TOKENIX_MODEL_CACHE: mkdtempSync(join(tmpdir(), "tokenix-models-")) };
  return { env, hub: `http://127.0.0.1:${server.port}`, folder: modelFolder(spec, env) };
}

test("a model arrives whole, checked, with progress, at the pinned commit", async () => {
  const { env, hub, folder } = place("well");
  const seen: number[] = [];
  expect(await ensureModel(spec, { env, hub, onProgress: (_, received) => seen.push(received) })).toBe(folder);
  expect(readFileSync(join(folder, "onnx/model.onnx")).equals(Buffer.from(WEIGHTS))).toBe(true);
  expect(seen.at(-1)).toBe(TOKENIZER.length);
  expect(requests.every(({ path }) => path.includes(REVISION))).toBe(true);
  requests = [];
  await ensureModel(spec, { env, hub });
  expect(requests).toEqual([]);
});

test("a broken download keeps what arrived and the next try goes on from there", async () => {
  const { env, hub, folder } = place("cut");
  await expect(ensureModel(spec, { env, hub })).rejects.toThrow(/could not be downloaded|broke off/);
  expect(existsSync(join(folder, "onnx/model.onnx"))).toBe(false);
  const kept = readFileSync(join(folder, "onnx/model.onnx.part")).length;
  expect(kept).toBeGreaterThan(0);
  mode = "well";
  requests = [];
  await ensureModel(spec, { env, hub });
  expect(requests[0]?.range).toBe(`bytes=${kept}-`);
  expect(readFileSync(join(folder, "onnx/model.onnx")).equals(Buffer.from(WEIGHTS))).toBe(true);
});

test("a half file that is no beginning of this one is thrown away", async () => {
  const { env, hub, folder } = place("well");
  await ensureModel({ ...spec, files: [{ path: "tokenizer.json" }] }, { env, hub });
  writeFileSync(join(folder, "tokenizer.json.part"), "x");
  const other = { ...spec, files: [{ path: "onnx/model.onnx", sha256: sha256(WEIGHTS) }] };
  await ensureModel({ ...other, files: [] }, { env, hub });
  const { mkdirSync } = await import("node:fs");
  mkdirSync(join(folder, "onnx"), { recursive: true });
  writeFileSync(join(folder, "onnx/model.onnx.part"), new Uint8Array(400_000));
  await ensureModel(other, { env, hub });
  expect(readFileSync(join(folder, "onnx/model.onnx")).equals(Buffer.from(WEIGHTS))).toBe(true);
});

test("wrong bytes are refused and thrown away, whether the hash is pinned or announced", async () => {
  const { env, hub, folder } = place("tampered");
  await expect(ensureModel(spec, { env, hub })).rejects.toThrow("wrong hash");
  await expect(ensureModel({ ...spec, files: [{ path: "tokenizer.json" }] }, { env, hub })).rejects.toThrow(
    "wrong hash",
  );
  for (const name of ["onnx/model.onnx", "onnx/model.onnx.part", "tokenizer.json", "tokenizer.json.part"])
    expect(existsSync(join(folder, name))).toBe(false);
});

test("a file that nobody vouches for is refused", async () => {
  const { env, hub } = place("nameless");
  await expect(ensureModel({ ...spec, files: [{ path: "tokenizer.json" }] }, { env, hub })).rejects.toThrow(
    "can't be checked",
  );
});

test("a hub that does not have it, or is not there, is a sentence", async () => {
  const { env, hub } = place("missing");
  await expect(ensureModel(spec, { env, hub })).rejects.toThrow("answered 404");
  await expect(ensureModel(spec, { env, hub: "http://127.0.0.1:1" })).rejects.toThrow("could not be downloaded");
});

test("under air gap nothing is asked, by flag or by environment", async () => {
  const { env, hub } = place("well");
  await expect(ensureModel(spec, { env, hub, airgap: true })).rejects.toThrow("air-gap");
  await expect(ensureModel(spec, { env: { ...env, TOKENIX_AIRGAP: "1" }, hub })).rejects.toThrow("air-gap");
  expect(requests).toEqual([]);
});
