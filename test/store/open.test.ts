import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { UserError } from "../../src/platform/errors.ts";
import { runIndex } from "../../src/repo/index/run.ts";
import { withWriter } from "../../src/repo/index/writer.ts";
import { openStore, storePaths } from "../../src/repo/store/open.ts";
import { currentSchema } from "../../src/repo/store/schema.ts";
import { Project } from "../index/project.ts";

async function indexed(): Promise<Project> {
  const project = new Project();
  project.write("a.ts", "export function alpha() {\n  return 1;\n}\n");
  await project.index();
  return project;
}

function messageOf(body: () => unknown): string {
  try {
    body();
  } catch (error) {
    if (error instanceof UserError) return `${error.message} / ${error.hint}`;
    throw error;
  }
  return "no error";
}

test("without an index the error says what to run", () => {
  using project = new Project();
  const message = messageOf(() => openStore(project.root, { mode: "read", env: project.env }));
  expect(message).toContain("there is no index of");
  expect(message).toContain("tokenix index");
});

test("an index of a newer program is refused by name and left as it is", async () => {
  using project = await indexed();
  const { database } = storePaths(project.root, project.env);
  const raw = new Database(database);
  raw.exec("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)");
  raw.close();
  const before = readFileSync(database);
  for (const mode of ["read", "write"] as const)
    expect(messageOf(() => openStore(project.root, { mode, env: project.env }))).toContain("newer tokenix (format 99");
  expect(readFileSync(database).equals(before)).toBe(true);
});

test("an index of an older program is read without being changed, and completed by the next writer", async () => {
  using project = await indexed();
  const { database } = storePaths(project.root, project.env);
  const raw = new Database(database);
  raw.exec("DROP TABLE vectors; DROP TABLE inherits; ALTER TABLE files DROP COLUMN encoding");
  raw.exec("PRAGMA user_version = 0; PRAGMA wal_checkpoint(TRUNCATE)");
  raw.close();
  const before = readFileSync(database);
  const store = openStore(project.root, { mode: "read", env: project.env });
  expect(store.files.stored().map((file) => [file.path, file.encoding])).toEqual([["a.ts", null]]);
  expect(store.vectors.models()).toEqual([]);
  expect(store.graph.allInherits()).toEqual([]);
  store.close();
  expect(readFileSync(database).equals(before)).toBe(true);
  project.write("b.ts", "export class B extends A {}\n");
  await project.index();
  expect(project.read((one) => one.files.byPath("b.ts")?.encoding)).toBe("utf-8");
  expect(project.read((one) => one.graph.symbolsNamed("alpha").length)).toBe(1);
});

test("a damaged index is named to a reader, and set aside and built anew by the next run", async () => {
  for (const damage of ["garbage", "cut", "middle"] as const) {
    using project = await indexed();
    const { database } = storePaths(project.root, project.env);
    const raw = new Database(database);
    raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    raw.close();
    if (damage === "garbage") writeFileSync(database, "this is not a database, and never was one ".repeat(500));
    else if (damage === "cut") truncateSync(database, 8192 * 3);
    else {
      const bytes = readFileSync(database);
      bytes.fill(0xa5, 8192, bytes.length);
      writeFileSync(database, bytes);
    }
    let aside = "";
    const report = await withWriter(
      project.root,
      { purpose: "test", env: project.env, onSetAside: (path) => (aside = path) },
      (store) => runIndex(store, { jobs: 1, env: project.env, force: true }),
    );
    expect({ damage, files: report.totals.files }).toEqual({ damage, files: 1 });
    expect(existsSync(aside)).toBe(true);
    expect(basename(aside)).toContain(".damaged-");
    expect(project.paths()).toEqual(["a.ts"]);
  }
});

test("a second writer is refused with the pid and start time of the first", async () => {
  using project = await indexed();
  await withWriter(project.root, { purpose: "index", env: project.env }, async () => {
    const refusal = project.index().catch((error: UserError) => error.message);
    expect(await refusal).toMatch(new RegExp(`process ${process.pid} \\(index, since 20\\d\\d-`));
  });
  await project.index();
});

test("with TOKENIX_BRANCH_AWARE each branch has an index of its own", async () => {
  using project = new Project({ git: true });
  project.env["TOKENIX_BRANCH_AWARE"] = "1";
  project.write("a.ts", "export const a = 1;\n");
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "one");
  await project.index();
  project.git("checkout", "-q", "-b", "feature/x");
  project.write("b.ts", "export const b = 1;\n");
  await project.index();
  const folder = dirname(storePaths(project.root, project.env).database);
  const databases = readdirSync(folder).filter((name) => name.endsWith(".db"));
  expect(databases.map((name) => name.replace(/^[^@]*/, "")).sort()).toEqual(["@feature-x.db", "@main.db"]);
  expect(project.paths()).toEqual(["a.ts", "b.ts"]);
  project.git("checkout", "-q", "main");
  expect(project.read((store) => store.files.stored().length)).toBe(1);
});

test("a reader goes on reading while a writer is in the middle of a transaction", async () => {
  using project = await indexed();
  await withWriter(project.root, { purpose: "test", env: project.env }, async (writer) => {
    writer.transaction(() => {
      writer.setMeta("model", "half-written");
      expect(project.read((store) => store.meta("model"))).toBeUndefined();
      expect(project.paths()).toEqual(["a.ts"]);
    });
  });
});

test("after a first run, ended early or not, the database has every table and index that its format names", async () => {
  using project = new Project();
  for (let i = 0; i < 600; i++) project.write(`f${i}.txt`, `text number ${i}`);
  const ended = project.index({
    onProgress: () => {
      throw new Error("ended");
    },
  });
  await expect(ended).rejects.toThrow("ended");
  await project.index();
  const raw = new Database(storePaths(project.root, project.env).database, { readonly: true });
  const names = (
    raw.query("SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").values() as [string][]
  )
    .map((row) => row[0])
    .sort();
  raw.close();
  expect(names).toEqual([...currentSchema().keys()].sort());
});
