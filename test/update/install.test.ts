/** The installer that the README names, run by a real shell against a loopback release server. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture } from "../../src/platform/process.ts";
import { type Fault, ReleaseServer } from "../support/release-server.ts";

const SCRIPTS = join(import.meta.dir, "..", "..", "scripts");
const INSTALLER = join(SCRIPTS, "install.sh");
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

/** A PATH that holds what the installer may use and nothing else, but for the tools that `without` names. */
function onlyTools(at: ReturnType<typeof place>, without: readonly string[]): string {
  const bin = join(at.base, "tmp", "..", "bin-of-test");
  mkdirSync(bin);
  const tools =
    "sh uname ls curl wget sha256sum shasum openssl cut mktemp rm mkdir rmdir dirname awk sed head chmod mv grep cat env gzip";
  for (const tool of tools.split(" ")) {
    const found = Bun.which(tool);
    if (found && !without.includes(tool)) symlinkSync(found, join(bin, tool));
  }
  if (!without.includes("zstd")) {
    const script = `await Bun.write(Bun.stdout, Bun.zstdDecompressSync(await Bun.file(process.argv.at(-1)).bytes()))`;
    const zstd = Bun.which("zstd");
    if (zstd) symlinkSync(zstd, join(bin, "zstd"));
    else
      writeFileSync(join(bin, "zstd"), `#!/bin/sh\nexec '${process.execPath}' -e '${script}' "$@"\n`, { mode: 0o755 });
  }
  return bin;
}

const fetched = (server: ReleaseServer): string[] =>
  server.asked.map(({ path }) => path.split("/").pop() ?? "").filter((name) => name.startsWith("tokenix-"));

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

  test("takes zstd where its tool is, else gzip, and refuses where neither is", async () => {
    using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"));
    const cases: [string[], RegExp][] = [
      [[], /\.zst$/],
      [["gzip"], /\.zst$/],
      [["zstd"], /\.gz$/],
    ];
    for (const [without, form] of cases) {
      server.asked = [];
      const at = place();
      const result = await install(server, at, { PATH: onlyTools(at, without) });
      expect(result.stderr).toBe("");
      expect(result.stdout).toContain("installed tokenix 1.2.3");
      expect(fetched(server)).toHaveLength(1);
      expect(fetched(server)[0]).toMatch(form);
      expect(readdirSync(at.folder)).toEqual(["tokenix"]);
    }
    server.asked = [];
    const bare = place();
    const refused = await install(server, bare, { PATH: onlyTools(bare, ["gzip", "zstd"]) });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("neither gzip nor zstd is here");
    expect(fetched(server)).toEqual([]);
    expect(readdirSync(bare.base).sort()).toEqual(["bin-of-test", "tmp"]);
  }, 30_000);

  test("a release that has one form only is taken in that form", async () => {
    using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"), ["gz"]);
    const at = place();
    const result = await install(server, at, { PATH: onlyTools(at, []) });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(fetched(server)[0]).toMatch(/\.gz$/);
  });

  test("works with wget where curl is not", async () => {
    if (!Bun.which("wget")) return;
    using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"));
    const at = place();
    const result = await install(server, at, { PATH: onlyTools(at, ["curl"]) });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    server.fault = "truncated";
    const refused = await install(server, place(), { PATH: join(at.base, "bin-of-test") });
    expect(refused.code).toBe(1);
  });

  test("honours a version, and replaces what is there", async () => {
    using server = new ReleaseServer().publish("v1.0.0", program("1.0.0")).publish("v2.0.0", program("2.0.0"));
    const at = place();
    await install(server, at);
    const left = join(at.folder, ".tokenix-install-999999999");
    writeFileSync(left, "half of a program, from an installation that was killed");
    for (const version of ["v1.0.0", "1.0.0"]) {
      const result = await install(server, at, { TOKENIX_VERSION: version });
      expect(result.stdout).toContain("installed tokenix 1.0.0");
      expect(readdirSync(at.folder)).toEqual(["tokenix"]);
    }
    server.asked = [];
    const refused = await install(server, at, { TOKENIX_VERSION: "../../v1" });
    expect(refused.stderr).toContain("a release is called like");
    expect(server.asked).toEqual([]);
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

  for (const form of ["gz", "zst"] as const)
    test(`a full disk is said, and the old program stays (${form})`, async () => {
      using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"), [form]);
      const at = place();
      mkdirSync(at.folder, { recursive: true });
      writeFileSync(join(at.folder, "tokenix"), "the old one");
      // No file may grow past 32 KiB: the archive fits, the unpacked program does not.
      const result = await install(server, at, { PATH: onlyTools(at, []) }, "ulimit -f 64;");
      expect(result.code).toBe(1);
      expect(result.stderr).toContain("is the disk full?");
      expect(readFileSync(join(at.folder, "tokenix"), "utf8")).toBe("the old one");
      expect(readdirSync(at.folder)).toEqual(["tokenix"]);
      expect(readdirSync(at.scratch)).toEqual([]);

      const fresh = place();
      await install(server, fresh, { PATH: join(at.base, "bin-of-test") }, "ulimit -f 64;");
      expect(readdirSync(fresh.base)).toEqual(["tmp"]);
    });

  test("a really full disk leaves nothing of it", async () => {
    using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"));
    const at = place();
    const disk = join(at.base, "disk");
    mkdirSync(disk);
    const mounted = `mount -t tmpfs -o size=64k none '${disk}' || exit 77;`;
    const inherited = { ...process.env, HOME: at.base, TMPDIR: at.scratch, TOKENIX_MIRROR: server.mirror };
    const result = await capture(
      [
        "unshare",
        "-rm",
        "sh",
        "-c",
        `${mounted} sh '${INSTALLER}'; echo "code $?"; ls -A '${disk}'; cat '${disk}'/* 2>/dev/null | wc -c`,
      ],
      { env: { ...inherited, TOKENIX_INSTALL_DIR: join(disk, "bin") }, timeoutMs: 30_000 },
    );
    // Not every machine lets its users mount; there the limit above stands in.
    if (result.code !== 0 || !/code \d/.test(result.stdout)) return;
    expect(result.stderr).toContain("is the disk full?");
    expect(result.stdout).toBe("code 1\n0\n");
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

  test("a script whose own download broke off does nothing at all", async () => {
    using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"));
    const whole = readFileSync(INSTALLER, "utf8");
    for (const part of [0.3, 0.6, 0.9, 0.99]) {
      const at = place();
      const cut = join(at.base, "cut.sh");
      writeFileSync(cut, whole.slice(0, Math.floor(whole.length * part)));
      const env = { HOME: at.base, TMPDIR: at.scratch, TOKENIX_MIRROR: server.mirror, TOKENIX_INSTALL_DIR: at.folder };
      const result = await capture(["sh", cut], { env, timeoutMs: 30_000 });
      expect(result.code).not.toBe(0);
      expect(readdirSync(at.base).sort()).toEqual(["cut.sh", "tmp"]);
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

/** Windows' own shell; `-File` gives a throw the exit code 1. The program is this runtime: it answers `--version`. */
describe.skipIf(process.platform !== "win32")("install.ps1", () => {
  const powershell = (server: ReleaseServer, at: ReturnType<typeof place>, env: Record<string, string> = {}) =>
    capture(["powershell", "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", join(SCRIPTS, "install.ps1")], {
      env: {
        LOCALAPPDATA: at.base,
        TEMP: at.scratch,
        TMP: at.scratch,
        TOKENIX_MIRROR: server.mirror,
        TOKENIX_INSTALL_DIR: at.folder,
        ...env,
      },
      timeoutMs: 120_000,
    });

  test("installs, and installs again over what is there", async () => {
    using server = new ReleaseServer().publish("v1.2.3", readFileSync(process.execPath));
    const at = place();
    for (let round = 0; round < 2; round++) {
      const result = await powershell(server, at);
      expect(result.stdout).toContain("installed ");
      expect(result.code).toBe(0);
      expect(readdirSync(at.folder)).toEqual(["tokenix.exe"]);
      expect(readdirSync(at.scratch)).toEqual([]);
    }
  }, 240_000);

  for (const fault of ["tampered asset", "tampered list", "truncated", "asset missing", "not listed"] as const)
    test(`leaves nothing behind: ${fault}`, async () => {
      using server = new ReleaseServer().publish("v1.2.3", program("1.2.3"), ["gz"]);
      server.fault = fault;
      const at = place();
      const result = await powershell(server, at);
      expect(result.code).toBe(1);
      expect(result.stderr).toContain("tokenix install: ");
      expect(existsSync(at.folder)).toBe(false);
      expect(readdirSync(at.scratch)).toEqual([]);
    }, 120_000);
});
