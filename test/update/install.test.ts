/** The installer that the README names, run by a real shell against a loopback release server. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture } from "../../src/platform/process.ts";
import { type Fault, ReleaseServer } from "../support/release-server.ts";

const INSTALLER = join(import.meta.dir, "..", "..", "scripts", "install.sh");
const program = (version: string): Uint8Array =>
  new TextEncoder().encode(`#!/bin/sh\necho "tokenix ${version}"\n# ${"padding ".repeat(20_000)}\n`);

function place() {
  const base = mkdtempSync(join(tmpdir(), "tokenix-install-test-"));
  const scratch = join(base, "tmp");
  mkdirSync(scratch);
  return { base, scratch, folder: join(base, "a folder", "bin") };
}

async function install(
  server: ReleaseServer,
  at: ReturnType<typeof place>,
  env: Record<string, string> = {},
  prefix = "",
) {
  const inherited = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  return capture(["sh", "-c", `${prefix} exec sh "$0"`, INSTALLER], {
    env: {
      ...inherited,
      PATH: process.env["PATH"],
      HOME: at.base,
      TMPDIR: at.scratch,
      TOKENIX_MIRROR: server.mirror,
      TOKENIX_INSTALL_DIR: at.folder,
      ...env,
    },
    timeoutMs: 60_000,
  });
}

describe.skipIf(process.platform === "win32")("install.sh", () => {
  test("installs the newest release into the user's folder and says how to reach it", async () => {
    using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"));
    const at = place();
    const result = await install(server, at);
    expect(result.stderr).toBe("");
    expect(result.stdout).toContain("installed tokenix 1.2.3");
    expect(result.stdout).toContain("not on your PATH");
    expect(readdirSync(at.folder)).toEqual(["tokenix"]);
    expect(readdirSync(at.scratch)).toEqual([]);
    expect(readdirSync(at.base).sort()).toEqual(["a folder", "tmp"]);
  });

  test("honours a version, and replaces what is there", async () => {
    using server = new ReleaseServer().publish("v1.0.0", program("1.0.0")).publish("v2.0.0", program("2.0.0"));
    const at = place();
    await install(server, at);
    const result = await install(server, at, { TOKENIX_VERSION: "v1.0.0" });
    expect(result.stdout).toContain("installed tokenix 1.0.0");
    expect(readdirSync(at.folder)).toEqual(["tokenix"]);
  });

  test("touches PATH only when asked, and only once", async () => {
    using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"));
    const at = place();
    for (let i = 0; i < 2; i++) await install(server, at, { TOKENIX_MODIFY_PATH: "1", SHELL: "/bin/bash" });
    const profile = readFileSync(join(at.base, ".profile"), "utf8");
    expect(profile.split(`export PATH="${at.folder}:$PATH"`)).toHaveLength(2);
  });

  test("a folder that is on PATH already is not talked about", async () => {
    using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"));
    const at = place();
    const result = await install(server, at, { PATH: `${at.folder}:${process.env["PATH"]}`, TOKENIX_MODIFY_PATH: "1" });
    expect(result.stdout).not.toContain("PATH");
    expect(existsSync(join(at.base, ".profile"))).toBe(false);
  });

  const faults: Readonly<Partial<Record<Fault, RegExp>>> = {
    "tampered asset": /wrong SHA-256/,
    "tampered list": /wrong SHA-256/,
    truncated: /wrong SHA-256/,
    "asset missing": /could not be fetched/,
    "list missing": /could not be fetched/,
    "not listed": /does not name/,
    "server error": /could not be fetched/,
  };
  for (const [fault, message] of Object.entries(faults))
    test(`leaves nothing behind and keeps what was there: ${fault}`, async () => {
      using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"));
      server.fault = fault as Fault;
      const fresh = place();
      const refused = await install(server, fresh);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(message);
      expect(readdirSync(fresh.base)).toEqual(["tmp"]);
      expect(readdirSync(fresh.scratch)).toEqual([]);

      const kept = place();
      mkdirSync(kept.folder, { recursive: true });
      writeFileSync(join(kept.folder, "tokenix"), "the old one");
      expect((await install(server, kept)).code).toBe(1);
      expect(readFileSync(join(kept.folder, "tokenix"), "utf8")).toBe("the old one");
      expect(readdirSync(kept.folder)).toEqual(["tokenix"]);
    }, 30_000);

  test("a full disk is said, and the old program stays", async () => {
    using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"));
    const at = place();
    mkdirSync(at.folder, { recursive: true });
    writeFileSync(join(at.folder, "tokenix"), "the old one");
    // No file may grow past 32 KiB: the archive fits, the unpacked program does not.
    const result = await install(server, at, {}, "ulimit -f 64;");
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("is the disk full?");
    expect(readFileSync(join(at.folder, "tokenix"), "utf8")).toBe("the old one");
    expect(readdirSync(at.folder)).toEqual(["tokenix"]);
    expect(readdirSync(at.scratch)).toEqual([]);
  });

  test("a mirror from the network must be HTTPS", async () => {
    using server = new ReleaseServer();
    for (const mirror of ["http://example.test", "http://127.evil.test", "ftp://example.test"]) {
      const result = await install(server, place(), { TOKENIX_MIRROR: mirror });
      expect(result.code).toBe(1);
      expect(result.stderr).toContain("must begin with https://");
    }
    expect(server.asked).toEqual([]);
  });

  test("works in a strict POSIX shell", async () => {
    const dash = Bun.which("dash");
    if (!dash) return;
    const result = await capture([dash, "-n", INSTALLER]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
  });
});
