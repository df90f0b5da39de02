import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { search } from "../../src/repo/search/search.ts";
import { storeSource } from "../../src/repo/search/store-source.ts";
import { mergeSegments } from "../../src/repo/store/merge.ts";
import { openStore, storePaths } from "../../src/repo/store/open.ts";
import { project } from "./support.ts";

const small = project({
  "src/cache.ts":
    "/** Keeps tokens until they expire. */\nexport function keepToken(token: string) {\n  return token;\n}\n",
  "src/queue.ts": "export class Queue {\n  push(job: string) {\n    return job;\n  }\n}\n",
});
afterAll(() => small.remove());

const ask = (query: string) =>
  search(storeSource(small.open()), query, { mode: "lexical" }).map((hit) => [hit.head.path, hit.score]);

test("lists as format 1 kept them answer alike, beside new ones, and survive a merge", async () => {
  await small.index({ embed: false });
  const before = ask("token that expires");
  expect(before.length).toBeGreaterThan(0);

  const { database } = storePaths(small.root, small.env);
  const raw = new Database(database);
  raw.exec(`INSERT INTO postings SELECT id / 1048576, id % 1048576, data FROM term_lists;
    DROP TABLE term_lists; PRAGMA user_version = 1; PRAGMA wal_checkpoint(TRUNCATE)`);
  raw.close();
  expect(ask("token that expires")).toEqual(before);

  small.write("src/late.ts", "export const latecomer = 'a token that expires late';\n");
  await small.index({ embed: false });
  const both = ask("token that expires");
  expect(both.map(([path]) => path)).toContain("src/late.ts");
  expect(both.map(([path]) => path)).toContain("src/cache.ts");

  const writer = openStore(small.root, { mode: "write", env: small.env });
  writer.database.exec("UPDATE segments SET dead = chunk_count + 1");
  expect(mergeSegments(writer)).toBe(2);
  expect(writer.database.query("SELECT count(*) AS n FROM postings").get()).toEqual({ n: 0 });
  writer.close();
  expect(ask("token that expires")).toEqual(both);
});
