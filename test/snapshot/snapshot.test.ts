/** Export, carry, import: real indexes of real repositories, and snapshots made by somebody who means harm. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { runIndex } from "../../src/repo/index/run.ts";
import { withWriter } from "../../src/repo/index/writer.ts";
import { exportIndex } from "../../src/repo/snapshot/export.ts";
import { normalOrigin, sameProject } from "../../src/repo/snapshot/identity.ts";
import { importIndex } from "../../src/repo/snapshot/import.ts";
import { parsePlace } from "../../src/repo/snapshot/place.ts";
import { openStore, storePaths } from "../../src/repo/store/open.ts";
import { isInsidePath } from "../../src/repo/store/snapshot.ts";

const FILES = {
  "src/a.ts": "export function alpha(): number {\n  return beta() + 1;\n}\n",
  "src/b.ts": "/** Counts. */\nexport function beta(): number {\n  return 41;\n}\n",
  "notes.md": "# Notes\n\nHow uploads are retried.\n",
};

function git(root: string, ...args: string[]): void {
  const result = Bun.spawnSync(["git", "-c", "user.email=t@example.test", "-c", "user.name=T", ...args], { cwd: root });
  if (!result.success) throw new Error(result.stderr.toString());
}

function repository(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tokenix-snapshot-")));
  git(root, "init", "-q", "-b", "main");
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "one");
  return root;
}

function clone(root: string): string {
  const target = join(realpathSync(mkdtempSync(join(tmpdir(), "tokenix-clone-"))), "clone");
  git(root, "clone", "-q", root, target);
  return target;
}

test("an import counts the files of the index, as its maker did: none that is only known", async () => {
  const root = repository();
  writeFileSync(join(root, "photo.bin"), new Uint8Array([0, 1, 2, 255, 0, 0, 7]));
  const env = home();
  const { totals } = await index(root, env);
  const target = join(mkdtempSync(join(tmpdir(), "tokenix-export-")), "counted.gz");
  await exportIndex(root, target, { content: true, env });
  const { facts } = await importIndex(root, target, { ...at, force: true, env: home() });
  expect([totals.files, facts.files]).toEqual([3, 3]);
});

const home = () => ({ TOKENIX_HOME: mkdtempSync(join(tmpdir(), "tokenix-home-")) });
type Env = ReturnType<typeof home>;
const index = (root: string, env: Env) =>
  withWriter(root, { purpose: "test", env }, (store) => runIndex(store, { env }));
const at = { maxFileBytes: 1_500_000 };

/** What a reader gets of every file, symbol and chunk. */
function contents(root: string, env: Env) {
  const store = openStore(root, { mode: "read", env });
  try {
    const files = store.files
      .stored()
      .map((file) => [file.path, store.files.text(file.id), file.contentHash, file.language]);
    const chunks = store.files
      .stored()
      .flatMap((file) =>
        store.chunks.ofFile(file.id).map((one) => [one.path, one.startLine, one.endLine, store.chunks.text(one.id)]),
      );
    return { files, chunks };
  } finally {
    store.close();
  }
}

async function exported(options: { content?: boolean } = {}) {
  const root = repository();
  const env = home();
  await index(root, env);
  const file = join(mkdtempSync(join(tmpdir(), "tokenix-carry-")), "team.gz");
  const result = await exportIndex(root, file, { content: options.content ?? true, env });
  return { root, env, file, result };
}

/** The database in a snapshot, changed by `sql`, packed again. */
function changed(file: string, sql: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tokenix-evil-"));
  const path = join(folder, "x.db");
  writeFileSync(path, gunzipSync(readFileSync(file)));
  const database = new Database(path);
  database.exec(sql);
  database.close();
  const target = join(folder, "evil.gz");
  writeFileSync(target, gzipSync(readFileSync(path)));
  return target;
}

test("a colleague who imports has what the exporter had, without indexing, and then indexes only the difference", async () => {
  const { root, env, file, result } = await exported();
  expect(readFileSync(`${file}.sha256`, "utf8")).toBe(`${result.sha256}  team.gz\n`);
  const theirs = clone(root);
  const there = home();
  const { facts, checked } = await importIndex(theirs, file, { ...at, env: there });
  expect(checked).toBe(true);
  expect(facts.files).toBe(3);
  expect(contents(theirs, there)).toEqual(contents(root, env));
  writeFileSync(join(theirs, "src/b.ts"), "export function gamma(): number {\n  return 1;\n}\n");
  const report = await index(theirs, there);
  expect(report.unchanged).toBe(2);
  expect(report.outcomes.get("indexed")).toBe(1);
  expect((await index(theirs, there)).unchanged).toBe(3);
});

test("after 'git pull' only what it brought is indexed, with and without content", async () => {
  for (const content of [true, false]) {
    const { root, file } = await exported({ content });
    const theirs = clone(root);
    const there = home();
    await importIndex(theirs, file, { ...at, env: there });
    writeFileSync(join(root, "src/b.ts"), "export function beta(): number {\n  return 42;\n}\n");
    writeFileSync(join(root, "src/c.ts"), "export const gamma = 1;\n");
    git(root, "rm", "-q", "notes.md");
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "two");
    git(theirs, "pull", "-q");
    const report = await index(theirs, there);
    expect(report.outcomes.get("indexed")).toBe(2);
    expect(report.unchanged).toBe(1);
    expect(report.removed).toBe(1);
    const fresh = home();
    await index(theirs, fresh);
    expect(contents(theirs, there)).toEqual(contents(theirs, fresh));
  }
});

test("a killed import leaves the index that was there, or the new one", async () => {
  const { root, file } = await exported();
  const env = home();
  const script = `
    const { importIndex } = await import(${JSON.stringify(join(import.meta.dir, "../../src/repo/snapshot/import.ts"))});
    console.log("begins");
    for (;;) await importIndex(process.argv.at(-2), process.argv.at(-1), { maxFileBytes: 1500000, force: true });`;
  await importIndex(root, file, { ...at, env });
  for (let round = 0; round < 20; round++) {
    // The old index has a log of its own each time: what a lost log would spoil.
    writeFileSync(join(root, "notes.md"), `# Notes\n\nround ${round}\n`);
    await index(root, env);
    const child = Bun.spawn([process.execPath, "-e", script, root, file], {
      env: { ...process.env, ...env },
      stdout: "pipe",
      stderr: "ignore",
    });
    await child.stdout.getReader().read();
    await Bun.sleep((round * 7) % 45);
    child.kill("SIGKILL");
    await child.exited;
    const store = openStore(root, { mode: "read", env });
    expect(store.database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    store.close();
    expect(
      contents(root, env)
        .files.map(([path]) => path)
        .sort(),
    ).toEqual(["notes.md", "src/a.ts", "src/b.ts"]);
  }
}, 60_000);

test("what swells without measure is refused before it fills the disk", async () => {
  const { root } = await exported();
  const folder = mkdtempSync(join(tmpdir(), "tokenix-bomb-"));
  const bomb = new Uint8Array(300_000_000);
  bomb.set(new TextEncoder().encode("SQLite format 3\0"));
  const file = join(folder, "bomb.gz");
  writeFileSync(file, gzipSync(bomb, { level: 9 }));
  const env = home();
  await expect(importIndex(root, file, { ...at, env, force: true })).rejects.toThrow("unpacks to more than any index");
  expect(readdirSync(dirname(storePaths(root, env).database)).filter((name) => name.startsWith(".import"))).toEqual([]);
}, 30_000);

test("a snapshot without content holds no line of source, and is whole again beside a checkout", async () => {
  const { root, env, file } = await exported({ content: false });
  const raw = gunzipSync(readFileSync(file)).toString("latin1");
  for (const text of ["return beta() + 1", "How uploads are retried", "export function alpha(): number"])
    expect(raw).not.toContain(text);
  const theirs = clone(root);
  const there = home();
  expect((await importIndex(theirs, file, { ...at, env: there })).unreadable).toBe(0);
  expect(contents(theirs, there)).toEqual(contents(root, env));

  const drifted = clone(root);
  writeFileSync(join(drifted, "notes.md"), "something else\n");
  const other = home();
  expect((await importIndex(drifted, file, { ...at, env: other })).unreadable).toBe(1);
  await index(drifted, other);
  expect(contents(drifted, other).files.find(([path]) => path === "notes.md")?.[1]).toBe("something else\n");
});

test("a snapshot carries no path and no name of the machine it was made on", async () => {
  const { root, env, file } = await exported();
  const raw = gunzipSync(readFileSync(file)).toString("latin1");
  expect(raw).not.toContain(root);
  expect(raw).not.toContain(env.TOKENIX_HOME);
});

test("a damaged, cut or swapped file is refused, and the index here stays", async () => {
  const { root, env, file } = await exported();
  const before = contents(root, env);
  const bytes = readFileSync(file);
  const folder = mkdtempSync(join(tmpdir(), "tokenix-bad-"));
  const cases: [string, Uint8Array, RegExp][] = [
    ["cut.gz", bytes.subarray(0, bytes.length / 2), /damaged/],
    ["empty.gz", gzipSync(""), /is empty/],
    ["text.gz", gzipSync("just some text, long enough to look at"), /holds no database/],
    ["plain.gz", Buffer.from("no gzip at all"), /not a snapshot/],
    [
      "pages.gz",
      gzipSync(gunzipSync(bytes).fill(0xff, 8192 * 2 + 8, 8192 * 4)),
      /damaged|not a sound database|is not tokenix's|lacks|can be trusted/,
    ],
  ];
  for (const [name, data, message] of cases) {
    writeFileSync(join(folder, name), data);
    await expect(importIndex(root, join(folder, name), { ...at, env, force: true })).rejects.toThrow(message);
  }
  writeFileSync(`${file}.sha256`, `${"0".repeat(64)}  team.gz\n`);
  await expect(importIndex(root, file, { ...at, env, force: true })).rejects.toThrow("wanted 0000000000000000");
  await expect(importIndex(root, file, { ...at, env, force: true, sha256: "f".repeat(64) })).rejects.toThrow(
    "wanted ffff",
  );
  expect(contents(root, env)).toEqual(before);
  expect(readdirSync(dirname(storePaths(root, env).database)).filter((name) => name.startsWith(".import"))).toEqual([]);
});

test("a hostile database is refused by what it holds", async () => {
  const { root, file } = await exported();
  const cases: [string, RegExp][] = [
    ["CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM files; END", /trigger 't'/],
    ["CREATE VIEW v AS SELECT * FROM files", /view 'v'/],
    ["CREATE TABLE extra(x)", /table 'extra'/],
    ["CREATE VIRTUAL TABLE f USING fts5(x)", /is not tokenix's/],
    [
      "DROP TABLE vectors; CREATE TABLE vectors(id INTEGER PRIMARY KEY, model TEXT, dim INT GENERATED ALWAYS AS (abs(-1)) VIRTUAL, count INT, ids BLOB, scales BLOB, data BLOB)",
      /table 'vectors'/,
    ],
    ["DROP TABLE refs", /lacks the table refs/],
    ["UPDATE files SET path = '../../outside.txt' WHERE path = 'notes.md'", /outside the project/],
    ["UPDATE files SET path = '/etc/passwd' WHERE path = 'notes.md'", /outside the project/],
    ["UPDATE dirs SET path = 'src/../..' WHERE path = 'src'", /outside the project/],
    ["UPDATE chunks SET end_byte = -5", /impossible range/],
    [
      "INSERT INTO vectors(model, dim, count, ids, scales, data) VALUES('static', 4, 1000000, x'00', x'00', x'00')",
      /wrong length/,
    ],
    ["UPDATE chunks SET start_byte = 'many' WHERE id = (SELECT min(id) FROM chunks)", /impossible range/],
    ["UPDATE files SET path = hex(zeroblob(50000)) WHERE path = 'notes.md'", /files.path is larger/],
    ["UPDATE meta SET value = hex(zeroblob(2000000)) WHERE key = 'fingerprint'", /meta.value is larger/],
    ["UPDATE symbols SET signature = hex(zeroblob(2000000))", /symbols.signature is larger/],
    ["PRAGMA user_version = 1", /older tokenix/],
    ["DELETE FROM meta WHERE key = 'snapshot_version'", /not made by/],
    ["UPDATE meta SET value = '99' WHERE key = 'snapshot_version'", /newer tokenix/],
    ["PRAGMA user_version = 999", /newer tokenix/],
  ];
  for (const [sql, message] of cases) {
    const env = home();
    await expect(importIndex(root, changed(file, sql), { ...at, env, force: true })).rejects.toThrow(message);
    expect(existsSync(storePaths(root, env).database)).toBe(false);
  }
});

test("another project's snapshot, and one older than the index here, need --force", async () => {
  const { root, env, file } = await exported();
  const stranger = repository();
  writeFileSync(join(stranger, "x.md"), "another history\n");
  git(stranger, "add", "-A");
  git(stranger, "commit", "-q", "--amend", "-m", "another beginning");
  await expect(importIndex(stranger, file, { ...at, env: home() })).rejects.toThrow("another project");
  writeFileSync(join(root, "notes.md"), "# Notes\n\nnewer\n");
  await index(root, env);
  await expect(importIndex(root, file, { ...at, env })).rejects.toThrow("is newer");
  await importIndex(root, file, { ...at, env, force: true });
  const plain = realpathSync(mkdtempSync(join(tmpdir(), "tokenix-plain-")));
  await expect(importIndex(plain, file, { ...at, env: home() })).rejects.toThrow("nothing tells");
});

test("an existing file is not overwritten unless told to, and an unfinished index is not exported", async () => {
  const { root, env, file } = await exported();
  await expect(exportIndex(root, file, { content: true, env })).rejects.toThrow("exists already");
  await exportIndex(root, file, { content: true, force: true, env });
  await expect(exportIndex(repository(), `${file}.2`, { content: true, env: home() })).rejects.toThrow(
    "there is no index",
  );
});

test("a snapshot travels through a bucket, with Bun's own client", async () => {
  const objects = new Map<string, Uint8Array>();
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (!request.headers.get("authorization")?.startsWith("AWS4-HMAC-SHA256 "))
        return new Response("", { status: 403 });
      if (request.method === "PUT") {
        objects.set(pathname, new Uint8Array(await request.arrayBuffer()));
        return new Response("", { headers: { etag: '"x"' } });
      }
      const found = objects.get(pathname);
      return found
        ? new Response(found.slice())
        : new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 });
    },
  });
  const root = repository();
  const bucket = {
    S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
    S3_ACCESS_KEY_ID: "test-id",
    S3_SECRET_ACCESS_KEY: "test-secret",
    S3_REGION: "us-east-1",
  };
  const env = { ...home(), ...bucket };
  await index(root, env);
  await exportIndex(root, "s3://team/index.gz", { content: true, env });
  expect([...objects.keys()]).toEqual(["/team/index.gz"]);
  const theirs = clone(root);
  const there = { ...home(), ...bucket };
  await importIndex(theirs, "s3://team/index.gz", { ...at, env: there });
  expect(contents(theirs, there)).toEqual(contents(root, env));
  await expect(importIndex(theirs, "s3://team/none.gz", { ...at, env: there })).rejects.toThrow("could not be fetched");
  const airgapped = { ...there, TOKENIX_AIRGAP: "1" };
  await expect(importIndex(theirs, "s3://team/index.gz", { ...at, env: airgapped })).rejects.toThrow("air-gap");
});

test("a snapshot of many megabytes travels through a bucket in parts", async () => {
  const parts = new Map<number, Uint8Array>();
  let whole: Uint8Array | undefined;
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { searchParams } = new URL(request.url);
      if (request.method === "POST" && searchParams.has("uploads"))
        return new Response("<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>");
      if (request.method === "PUT") {
        const bytes = new Uint8Array(await request.arrayBuffer());
        if (searchParams.has("partNumber")) parts.set(Number(searchParams.get("partNumber")), bytes);
        else whole = bytes;
        return new Response("", { headers: { etag: `"${searchParams.get("partNumber") ?? "whole"}"` } });
      }
      if (request.method === "POST") {
        whole = Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes));
        return new Response("<CompleteMultipartUploadResult/>");
      }
      return whole ? new Response(whole.slice()) : new Response("", { status: 404 });
    },
  });
  const root = repository();
  // Words that no packing shrinks: ten megabytes of snapshot.
  let state = 1;
  const random = (): string => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (state * 2654435761).toString(36);
  };
  for (let i = 0; i < 7; i++)
    writeFileSync(join(root, `words${i}.txt`), Array.from({ length: 60_000 }, random).join("\n"));
  const env = {
    ...home(),
    S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
    S3_ACCESS_KEY_ID: "test-id",
    S3_SECRET_ACCESS_KEY: "test-secret",
    S3_REGION: "us-east-1",
  };
  await index(root, env);
  const { bytes } = await exportIndex(root, "s3://team/index.gz", { content: true, env });
  expect(bytes).toBeGreaterThan(5_000_000);
  expect(whole?.length).toBe(bytes);
  expect(parts.size).toBeGreaterThan(1);
  const there = { ...env, ...home() };
  const { facts } = await importIndex(root, "s3://team/index.gz", { ...at, env: there });
  expect(facts.files).toBe(10);
}, 60_000);

test("places and origins are told apart", () => {
  expect(parsePlace("a/b.gz")).toEqual({ kind: "file", path: "a/b.gz" });
  expect(parsePlace("s3://b/k/x.gz")).toEqual({ kind: "s3", bucket: "b", key: "k/x.gz" });
  expect(parsePlace("https://example.test/x.gz").kind).toBe("url");
  for (const bad of ["http://example.test/x.gz", "ftp://x/y", "file:///etc/passwd", "s3://"])
    expect(() => parsePlace(bad)).toThrow("can't be a snapshot's place");
  const one = ["git@Example.test:a/b.git", "https://user:pw@example.test/a/b", "ssh://git@example.test:22/a/b/"].map(
    normalOrigin,
  );
  expect(new Set(one).size).toBe(1);
  expect(one[0]).toBe("example.test/a/b");
  expect(sameProject("root:1:. origin:x:.", "origin:x:.")).toBe(true);
  expect(sameProject("root:1:sub", "root:1:.")).toBe(false);
  expect(sameProject("", "")).toBe(false);
});

test("only paths below the project are inside", () => {
  for (const good of ["", "a", "a/b.ts", "a b/ü.md", "..a/b"]) expect(isInsidePath(good)).toBe(true);
  for (const bad of ["/a", "../a", "a/../b", "a//b", "./a", "C:/a", "a\\b", "a\0b", 5, null])
    expect(isInsidePath(bad)).toBe(false);
});
