import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../src/platform/errors.ts";
import { ensurePrivateDir, readBounded, readTextIfPresent, writeFileAtomic } from "../../src/platform/files.ts";

const folder = (): string => mkdtempSync(join(tmpdir(), "tokenix-files-"));

test("an atomic write leaves the new bytes and nothing beside them", () => {
  const dir = folder();
  const path = join(dir, "a.json");
  writeFileAtomic(path, "one");
  writeFileAtomic(path, "two");
  expect(readFileSync(path, "utf8")).toBe("two");
  expect(readdirSync(dir)).toEqual(["a.json"]);
});

test.skipIf(process.platform === "win32")("what we write is the owner's alone", () => {
  const dir = join(folder(), "home");
  ensurePrivateDir(dir);
  chmodSync(dir, 0o755);
  ensurePrivateDir(dir);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  writeFileAtomic(join(dir, "f"), "x");
  expect(statSync(join(dir, "f")).mode & 0o777).toBe(0o600);
});

test("a failed write keeps the old file whole and cleans up", () => {
  const dir = folder();
  // A folder stands where the file should go: the rename fails after the bytes were written.
  const path = join(dir, "taken");
  ensurePrivateDir(path);
  writeFileSync(join(path, "inside"), "kept");
  expect(() => writeFileAtomic(path, "new")).toThrow();
  expect(readdirSync(dir)).toEqual(["taken"]);
  expect(readFileSync(join(path, "inside"), "utf8")).toBe("kept");
});

test("a file over the bound is refused by name, an exact one is read", () => {
  const path = join(folder(), "big");
  writeFileSync(path, "x".repeat(100));
  expect(readBounded(path, 100).length).toBe(100);
  expect(() => readBounded(path, 99)).toThrow(UserError);
  expect(readTextIfPresent(path, 99)).toBeUndefined();
  expect(readTextIfPresent(join(folder(), "none"), 10)).toBeUndefined();
});
