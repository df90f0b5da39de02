import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listArtifacts, showArtifact } from "../../src/repo/context/artifacts.ts";
import { BudgetedText } from "../../src/repo/context/budget.ts";
import { addNote, editNote, listNotes, notesFor, removeNote } from "../../src/repo/context/memory.ts";
import { isSecretFile } from "../../src/repo/context/secret-files.ts";

const home = () => ({ TOKENIX_HOME: mkdtempSync(join(tmpdir(), "tokenix-notes-")) });

describe("notes", () => {
  test("a project sees its own and those for all, another project only the latter", () => {
    const env = home();
    addNote("uploads retry in worker.ts", "/repo/a", env);
    addNote("tabs are four wide everywhere", null, env);
    expect(listNotes("/repo/a", env).map((note) => note.text)).toEqual([
      "uploads retry in worker.ts",
      "tabs are four wide everywhere",
    ]);
    expect(listNotes("/repo/b", env).map((note) => note.text)).toEqual(["tabs are four wide everywhere"]);
  });

  test("numbers stay after a removal, edits keep their place, unknown numbers are refused", () => {
    const env = home();
    const first = addNote("one", null, env);
    const second = addNote("two", null, env);
    removeNote(first.id, env);
    expect(editNote(second.id, "zwei", env)).toMatchObject({ id: second.id, text: "zwei" });
    expect(addNote("three", null, env).id).toBeGreaterThan(second.id);
    expect(() => removeNote(99, env)).toThrow("there is no note 99");
  });

  test("a credential is refused and leaves no trace; so is nothing, and too much", () => {
    const env = home();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    expect(() => addNote(`the token is ${secret}`, null, env)).toThrow("credential");
    expect(() => addNote("  ", null, env)).toThrow("needs some text");
    expect(() => addNote("x".repeat(3000), null, env)).toThrow("characters");
    expect(listNotes(undefined, env)).toEqual([]);
  });

  test("what fits a question comes first, within its budget", () => {
    const env = home();
    addNote("the retry of failed uploads waits 30 s", "/repo/a", env);
    addNote("bananas are yellow", "/repo/a", env);
    addNote("uploads go to the bucket 'media'", "/repo/a", env);
    expect(notesFor("where do we retry failed uploads", "/repo/a", 100, env).map((note) => note.text)).toEqual([
      "the retry of failed uploads waits 30 s",
      "uploads go to the bucket 'media'",
    ]);
    expect(notesFor("where do we retry failed uploads", "/repo/a", 15, env)).toHaveLength(1);
  });

  test.skipIf(process.platform === "win32")(
    "the file is the owner's alone, and a damaged one is never overwritten",
    () => {
      const env = home();
      addNote("one", null, env);
      const path = join(env.TOKENIX_HOME, "memory.json");
      expect(statSync(path).mode & 0o077).toBe(0);
      writeFileSync(path, '{"notes": "gone"');
      expect(listNotes(undefined, env)).toEqual([]);
      expect(() => addNote("two", null, env)).toThrow("can't be read");
      expect(readFileSync(path, "utf8")).toBe('{"notes": "gone"');
    },
  );
});

describe("artifacts", () => {
  function project(list: unknown) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "tokenix-artifacts-")));
    mkdirSync(join(root, ".tokenix"));
    mkdirSync(join(root, "db"));
    writeFileSync(join(root, "db", "schema.sql"), `CREATE TABLE users(id INT);\n${"-- line\n".repeat(500)}`);
    writeFileSync(join(root, ".tokenix", "artifacts.json"), typeof list === "string" ? list : JSON.stringify(list));
    return root;
  }

  test("named files are listed with their size, and shown within a budget", () => {
    const root = project({
      artifacts: [{ name: "schema", path: "db/schema.sql", description: "tables" }, { path: "gone.md" }],
    });
    expect(listArtifacts(root)).toEqual([
      { name: "schema", path: "db/schema.sql", description: "tables", bytes: 4028 },
      { name: "gone.md", path: "gone.md", description: "", bytes: undefined },
    ]);
    const { text, leftOutTokens } = showArtifact(root, "schema", 50);
    expect(text).toStartWith("CREATE TABLE users(id INT);\n");
    expect(text.endsWith("\n")).toBe(true);
    expect(leftOutTokens).toBeGreaterThan(900);
    expect(() => showArtifact(root, "schem", 50)).toThrow("there is no artifact");
    expect(() => showArtifact(root, "gone.md", 50)).toThrow("does not exist");
  });

  test("a path that leaves the project is refused, by words or by link", () => {
    for (const path of ["../secret", "/etc/passwd", "db/../../x"])
      expect(() => listArtifacts(project({ artifacts: [{ path }] }))).toThrow("outside the project");
    const root = project({ artifacts: [{ path: "link" }] });
    symlinkSync("/etc/passwd", join(root, "link"));
    expect(() => listArtifacts(root)).toThrow("outside the project");
  });

  test("a list that is no list is named, an absent one is empty", () => {
    expect(() => listArtifacts(project("{"))).toThrow("is not JSON");
    expect(() => listArtifacts(project({ artifact: [] }))).toThrow("has no list");
    expect(() => listArtifacts(project({ artifacts: [{ name: "x" }] }))).toThrow("has no 'path'");
    expect(listArtifacts(realpathSync(mkdtempSync(join(tmpdir(), "tokenix-none-"))))).toEqual([]);
  });
});

test("a budgeted text never exceeds its budget by a token, whatever is added", () => {
  let state = 3;
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state % below;
  };
  for (let round = 0; round < 500; round++) {
    const budget = 20 + random(400);
    const out = new BudgetedText(budget, random(60));
    for (let i = 0; i < 30; i++) out.section(`s${random(3)}`).add("x".repeat(random(200)));
    out.close("left out: ".padEnd(random(600), "y"));
    expect(out.tokens).toBeLessThanOrEqual(budget);
    expect(out.breakdown().reduce((sum, part) => sum + part.tokens, 0)).toBeGreaterThanOrEqual(out.tokens);
  }
});

test("files where secrets lie are known by name, and others are not", () => {
  for (const path of [
    ".env",
    "a/.env.production",
    "id_rsa",
    "certs/server.key",
    "x.pem",
    "credentials.json",
    "config/secrets.yml",
    "prod.tfvars",
    ".aws/config",
    "terraform.tfstate",
  ])
    expect(isSecretFile(path)).toBe(true);
  for (const path of [
    ".env.example",
    "src/keyboard.ts",
    "monkey.rs",
    "docs/secrets.md",
    "src/credentials.ts",
    "a/env.ts",
    "keys.go",
  ])
    expect(isSecretFile(path)).toBe(false);
});
