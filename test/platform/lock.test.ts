import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acquireWriter } from "../../src/platform/lock.ts";

const MODULE = join(import.meta.dir, "..", "..", "src", "platform", "lock.ts");

/** A second process that takes the lock, says so, and holds it until it is told to end. */
async function holder(path: string) {
  const code = `const { acquireWriter } = await import(${JSON.stringify(MODULE)});
const got = acquireWriter(${JSON.stringify(path)}, "index");
console.log("release" in got ? "held" : "refused");
await new Promise(() => setInterval(() => {}, 1000));`;
  const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  expect(first.trim()).toBe("held");
  return child;
}

test("a second writer is refused with the first one's pid and start", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "tokenix-lock-")), "index.lock");
  const child = await holder(path);
  try {
    const second = acquireWriter(path, "index");
    expect("heldBy" in second && second.heldBy?.pid).toBe(child.pid);
    expect("heldBy" in second && second.heldBy?.startedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
});

test("a killed holder leaves nothing behind", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "tokenix-lock-")), "index.lock");
  const child = await holder(path);
  child.kill("SIGKILL");
  await child.exited;
  const next = acquireWriter(path, "index", 1000);
  expect("release" in next).toBe(true);
  if ("release" in next) next.release();
});

test("a released lock can be taken again in the same process", () => {
  const path = join(mkdtempSync(join(tmpdir(), "tokenix-lock-")), "index.lock");
  for (let i = 0; i < 3; i++) {
    const got = acquireWriter(path, "index");
    expect("release" in got).toBe(true);
    if ("release" in got) got.release();
  }
});

test("a damaged lock file is replaced, and the new one locks as any other", () => {
  const path = join(mkdtempSync(join(tmpdir(), "tokenix-lock-")), "index.lock");
  for (const bytes of ["garbage ".repeat(100), "SQLite format 3\0 and then nothing of the kind ".repeat(40)]) {
    writeFileSync(path, bytes);
    const first = acquireWriter(path, "index");
    if (!("release" in first)) throw new Error("the lock was not free");
    expect("heldBy" in acquireWriter(path, "index")).toBe(true);
    first.release();
    const next = acquireWriter(path, "index");
    expect("release" in next).toBe(true);
    if ("release" in next) next.release();
  }
});
