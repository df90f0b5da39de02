import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inKeepingFolder, keepingFolders } from "../../src/output/recall/folder.ts";

const saved = process.env["TMPDIR"];
let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "tokenix-keep-"));
  process.env["TMPDIR"] = base;
});
afterEach(() => {
  if (saved === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = saved;
  rmSync(base, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({ TOKENIX_HOME: join(base, "home") });
const confined = (code: string): Error => Object.assign(new Error(code), { code });
/** A sandbox that refuses the home. */
const refusing = (folder: string): string => {
  if (folder.startsWith(join(base, "home"))) throw confined("EROFS");
  return folder;
};

test("the home is used where it can be written", () => {
  expect(inKeepingFolder("tee", env(), (folder) => folder)).toBe(join(base, "home", "tee"));
});

test("where a sandbox refuses it, a private folder in the temporary one is", () => {
  const folder = inKeepingFolder("stash", env(), refusing);
  expect(folder).toBe(keepingFolders("stash", env())[1] ?? "");
  expect(statSync(folder).mode & 0o077).toBe(0);
});

test("any other fault is not hidden", () => {
  const full = (): never => {
    throw confined("ENOSPC");
  };
  expect(() => inKeepingFolder("stash", env(), full)).toThrow("ENOSPC");
});

test("a folder that others can write to, or a link in its place, is not used", () => {
  const parent = join(keepingFolders("tee", env())[1] ?? "", "..");
  mkdirSync(parent, { mode: 0o777 });
  chmodSync(parent, 0o777);
  expect(() => inKeepingFolder("tee", env(), refusing)).toThrow("EROFS");
  rmSync(parent, { recursive: true });
  mkdirSync(join(base, "trap"));
  symlinkSync(join(base, "trap"), parent);
  expect(() => inKeepingFolder("tee", env(), refusing)).toThrow("EROFS");
});
