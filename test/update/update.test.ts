/** Self-update against a loopback server; the "programs" are scripts that answer `--version` as a real one would. */
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture } from "../../src/platform/process.ts";
import { assetName } from "../../src/update/asset.ts";
import { checksumFor } from "../../src/update/checksums.ts";
import { fetchRelease, fetchText, fetchToFile } from "../../src/update/fetch.ts";
import { replaceExecutable } from "../../src/update/replace.ts";
import { isSafeAddress, type ReleaseSource, releaseSource } from "../../src/update/source.ts";
import { checkForUpdate, updateFromFile, updateFromRelease, verifyProvenance } from "../../src/update/update.ts";
import { isNewer } from "../../src/update/version.ts";
import { type Fault, ReleaseServer } from "../support/release-server.ts";

const program = (version: string, extra = ""): Uint8Array =>
  new TextEncoder().encode(`#!/bin/sh\n${extra}\necho "tokenix ${version}"\n# ${"padding ".repeat(4000)}\n`);

function place(server: ReleaseServer) {
  const folder = mkdtempSync(join(tmpdir(), "tokenix-update-test-"));
  const executable = join(folder, "tokenix");
  writeFileSync(executable, program("0.0.1"));
  chmodSync(executable, 0o755);
  const env = { TOKENIX_HOME: join(folder, "home"), TOKENIX_MIRROR: server.mirror };
  return { folder, executable, env, options: { env, executable } };
}

const answerOf = (executable: string): string => Bun.spawnSync([executable, "--version"]).stdout.toString().trim();
const leftovers = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name !== "tokenix" && name !== "home");

test.skipIf(process.platform === "win32")(
  "a newer release is verified and put in place, and nothing is left beside it",
  async () => {
    using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"));
    const { folder, executable, options } = place(server);
    expect(await updateFromRelease(undefined, options)).toEqual({ version: "9.9.9", changed: true });
    expect(answerOf(executable)).toBe("tokenix 9.9.9");
    expect(leftovers(folder)).toEqual([]);
  },
);

for (const forms of [["zst"], ["gz"], ["gz", "zst"]] as const)
  test.skipIf(process.platform === "win32")(
    `the smaller form that a release has is fetched, and only that: ${forms.join(" and ")}`,
    async () => {
      using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"), forms);
      const { executable, options } = place(server);
      await updateFromRelease(undefined, options);
      expect(answerOf(executable)).toBe("tokenix 9.9.9");
      const assets = server.asked
        .map(({ path }) => path.split("/").pop() ?? "")
        .filter((name) => /^tokenix-/.test(name));
      expect(assets).toEqual([assetName((forms as readonly string[]).includes("zst") ? "zst" : "gz")]);
    },
  );

test.skipIf(process.platform === "win32")(
  "an archive that is cut, or that unpacks without end, is refused",
  async () => {
    using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"));
    const { folder, executable } = place(server);
    const bomb = new Uint8Array(600_000_000);
    const cases: [string, Uint8Array, RegExp][] = [];
    for (const form of ["gz", "zst"] as const) {
      const whole = server.archiveOf("v9.9.9", form);
      cases.push([`cut.${form}`, whole.subarray(0, whole.length - 6), /damaged|does not start/]);
      const packed = form === "gz" ? Bun.gzipSync(bomb, { level: 1 }) : Bun.zstdCompressSync(bomb, { level: 1 });
      cases.push([`bomb.${form}`, packed, /more than any release/]);
    }
    cases.push(["text", new TextEncoder().encode("neither of them"), /neither gzip nor zstd/]);
    cases.push(["empty", new Uint8Array(), /neither gzip nor zstd/]);
    for (const [name, bytes, message] of cases) {
      const archive = join(folder, name);
      writeFileSync(archive, bytes);
      await expect(replaceExecutable({ archive, executable })).rejects.toThrow(message);
      rmSync(archive);
      expect(answerOf(executable)).toBe("tokenix 0.0.1");
      expect(leftovers(folder)).toEqual([]);
    }
  },
  60_000,
);

/** Runs an update of `folder/tokenix` in a process of its own, after `setup` in the same shell. */
async function updateInShell(setup: string, folder: string, server: ReleaseServer, tmp: string) {
  const script = `
    const { updateFromRelease } = await import(${JSON.stringify(join(import.meta.dir, "../../src/update/update.ts"))});
    const executable = ${JSON.stringify(join(folder, "tokenix"))};
    await updateFromRelease(undefined, { executable }).then(
      () => console.log("updated"),
      (error) => console.log("refused:", error.message, error.code ?? ""),
    );
    console.log(Bun.spawnSync([executable, "--version"]).stdout.toString().trim());
    console.log(require("node:fs").readdirSync(${JSON.stringify(folder)}).join(" "));`;
  return capture(["unshare", "-rm", "sh", "-c", `${setup} exec "$0" -e "$1"`, process.execPath, script], {
    env: { TOKENIX_MIRROR: server.mirror, TOKENIX_HOME: join(tmp, "home"), TMPDIR: tmp, TOKENIX_AIRGAP: undefined },
    timeoutMs: 60_000,
  });
}

test.skipIf(process.platform !== "linux")(
  "a full disk, under the program or under the download, leaves the old program alone",
  async () => {
    using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"), ["gz"]);
    for (const full of ["program", "download"] as const) {
      const base = mkdtempSync(join(tmpdir(), "tokenix-full-"));
      const [folder, tmp] = [join(base, "bin"), join(base, "tmp")];
      for (const path of [folder, tmp]) mkdirSync(path);
      const disk = full === "program" ? folder : tmp;
      const old = `printf '#!/bin/sh\\necho tokenix 0.0.1\\n' >'${folder}/tokenix'; chmod 755 '${folder}/tokenix';`;
      const fill = `head -c 1000000 /dev/zero >'${disk}/filler' 2>/dev/null;`;
      const mount = `mount -t tmpfs -o size=64k none '${disk}' || exit 77;`;
      // The home's lock must find room where the download does not.
      const home = full === "download" ? `mkdir -p '${tmp}/home' && mount -t tmpfs none '${tmp}/home';` : "";
      const result = await updateInShell(mount + home + old + fill, folder, server, tmp);
      // Not every machine lets its users mount.
      if (result.code !== 0) return;
      const [said = "", answer, left] = result.stdout.split("\n");
      expect(said).toMatch(/^refused: (?:the disk is full|ENOSPC)/);
      expect(answer).toBe("tokenix 0.0.1");
      expect(left?.split(" ").filter((name) => name !== "filler")).toEqual(["tokenix"]);
    }
  },
  60_000,
);

test.skipIf(process.platform === "win32")(
  "a named release is installed, also an older one; an unknown one is refused by name",
  async () => {
    using server = new ReleaseServer().publish("v0.0.0", program("0.0.0")).publish("v9.9.9", program("9.9.9"));
    const { executable, options } = place(server);
    expect(await updateFromRelease("v0.0.0", options)).toEqual({ version: "0.0.0", changed: true });
    expect(answerOf(executable)).toBe("tokenix 0.0.0");
    expect(await updateFromRelease("9.9.9", options)).toEqual({ version: "9.9.9", changed: true });
    await expect(updateFromRelease("v7.7.7", options)).rejects.toThrow("there is no release 'v7.7.7'");
  },
);

const REFUSED: Readonly<Partial<Record<Fault, RegExp>>> = {
  "tampered asset": /has the SHA-256/,
  "tampered list": /has the SHA-256/,
  truncated: /has the SHA-256|broke off/,
  "asset missing": /answered 404/,
  "list missing": /answered 404/,
  "not listed": /has the SHA-256 .* but the release says/,
  "redirect api": /redirect, which is not followed/,
  "redirect to plain http": /not HTTPS/,
  "api nonsense": /names no release/,
  "api huge": /more than a release needs/,
  "server error": /answered 503/,
};

for (const [fault, message] of Object.entries(REFUSED))
  test.skipIf(process.platform === "win32")(`refused with the old program intact: ${fault}`, async () => {
    using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"));
    server.fault = fault as Fault;
    const { folder, executable, options } = place(server);
    await expect(updateFromRelease(undefined, options)).rejects.toThrow(message);
    expect(answerOf(executable)).toBe("tokenix 0.0.1");
    expect(leftovers(folder)).toEqual([]);
  });

test.skipIf(process.platform === "win32")(
  "a program that does not start, or answers as another, never gets the name",
  async () => {
    for (const bad of [program("9.9.9", "exit 3"), program("8.8.8"), new TextEncoder().encode("not a program")]) {
      using server = new ReleaseServer().publish("v9.9.9", bad);
      const { folder, executable, options } = place(server);
      await expect(updateFromRelease(undefined, options)).rejects.toThrow(/does not start|answers as 8.8.8/);
      expect(answerOf(executable)).toBe("tokenix 0.0.1");
      expect(leftovers(folder)).toEqual([]);
    }
  },
);

test.skipIf(process.platform === "win32")(
  "a program that stops answering under its own name is rolled back",
  async () => {
    // Answers while it has its temporary name, and fails as soon as it is called `tokenix`.
    const turncoat = program("9.9.9", 'case "$0" in */tokenix) exit 4 ;; esac');
    using server = new ReleaseServer().publish("v9.9.9", turncoat);
    const { folder, executable, options } = place(server);
    await expect(updateFromRelease(undefined, options)).rejects.toThrow("does not start here");
    expect(answerOf(executable)).toBe("tokenix 0.0.1");
    expect(leftovers(folder)).toEqual([]);
  },
);

test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "a folder that can't be written to is named, and the old program stays",
  async () => {
    using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"));
    const { folder, executable, options } = place(server);
    chmodSync(folder, 0o555);
    try {
      await expect(updateFromRelease(undefined, options)).rejects.toThrow("can't be written to");
    } finally {
      chmodSync(folder, 0o755);
    }
    expect(answerOf(executable)).toBe("tokenix 0.0.1");
  },
);

test.skipIf(process.platform === "win32")(
  "a local asset passes the same checks, and the network is not touched",
  async () => {
    using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"));
    const { folder, executable, options } = place(server);
    const stick = mkdtempSync(join(tmpdir(), "tokenix-stick-"));
    const asset = join(stick, assetName("gz"));
    writeFileSync(asset, server.archiveOf("v9.9.9"));
    await expect(updateFromFile(asset, undefined, options)).rejects.toThrow("there is no");
    writeFileSync(
      join(stick, "sha256sums.txt"),
      server.listOf("v9.9.9").replace(/[0-9a-f](?= {2}tokenix)/g, (digit) => (digit === "0" ? "1" : "0")),
    );
    await expect(updateFromFile(asset, undefined, options)).rejects.toThrow("has the SHA-256");
    expect(answerOf(executable)).toBe("tokenix 0.0.1");
    writeFileSync(join(stick, "sha256sums.txt"), server.listOf("v9.9.9"));
    const airgapped = { ...options, env: { ...options.env, TOKENIX_AIRGAP: "1" } };
    expect(await updateFromFile(asset, undefined, airgapped)).toEqual({ version: "9.9.9" });
    expect(answerOf(executable)).toBe("tokenix 9.9.9");
    expect(leftovers(folder)).toEqual([]);
    expect(server.asked).toEqual([]);
    const other = join(stick, "tokenix-plan9-mips.gz");
    writeFileSync(other, server.archiveOf("v9.9.9"));
    await expect(updateFromFile(other, undefined, options)).rejects.toThrow("is not for this machine");
  },
);

test("air gap refuses before a socket opens", async () => {
  using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"));
  const { options } = place(server);
  const airgapped = { ...options, env: { ...options.env, TOKENIX_AIRGAP: "1" } };
  await expect(updateFromRelease(undefined, airgapped)).rejects.toThrow("air-gap");
  await expect(checkForUpdate(airgapped)).rejects.toThrow("air-gap");
  expect(server.asked).toEqual([]);
});

test("a token is never sent to a mirror", async () => {
  using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"));
  const env = { TOKENIX_MIRROR: server.mirror, GITHUB_TOKEN: "not-a-real-token", TOKENIX_GITHUB_TOKEN: "nor-this" };
  await fetchRelease(releaseSource(env), undefined, env);
  expect(server.asked.map((one) => one.authorization)).toEqual([null]);
});

test("a token goes to the release API and nowhere else, and no redirect takes it along", async () => {
  using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"), ["gz"]);
  const source: ReleaseSource = {
    isMirror: false,
    apiUrl: () => `${server.mirror}/latest.json`,
    assetUrl: (tag, asset) => `${server.mirror}/download/${tag}/${asset}`,
  };
  const env = { GITHUB_TOKEN: "not-a-real-token" };
  const before = process.env["GITHUB_TOKEN"];
  process.env["GITHUB_TOKEN"] = "not-a-real-token";
  try {
    const { tag } = await fetchRelease(source, undefined, env);
    await fetchText(source.assetUrl(tag, "sha256sums.txt"));
    const folder = mkdtempSync(join(tmpdir(), "tokenix-token-"));
    await fetchToFile(source.assetUrl(tag, assetName("gz")), join(folder, "asset"));
    expect(server.asked.map((one) => one.authorization)).toEqual(["Bearer not-a-real-token", null, null]);
    server.asked = [];
    server.fault = "redirect api";
    await expect(fetchRelease(source, undefined, env)).rejects.toThrow("redirect, which is not followed");
    expect(server.asked.map((one) => one.path)).toEqual(["/latest.json"]);
  } finally {
    if (before === undefined) delete process.env["GITHUB_TOKEN"];
    else process.env["GITHUB_TOKEN"] = before;
  }
});

test.skipIf(process.platform === "win32")(
  "with GitHub's client at hand the build's provenance is asked for, and a no refuses",
  async () => {
    const bin = mkdtempSync(join(tmpdir(), "tokenix-gh-"));
    const asked = join(bin, "asked");
    const before = process.env["PATH"];
    const says: string[] = [];
    const options = { onProgress: (text: string) => says.push(text) };
    const client = (end: string): void =>
      writeFileSync(join(bin, "gh"), `#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "$@" >>'${asked}'\n${end}\n`, {
        mode: 0o755,
      });
    try {
      process.env["PATH"] = `${bin}:/usr/bin:/bin`;
      client("exit 0");
      await verifyProvenance("/an/archive", options);
      client("echo 'no attestations found' >&2; exit 1");
      await expect(verifyProvenance("/an/archive", options)).rejects.toThrow("provenance does not verify");
      client("echo 'to get started, run: gh auth login' >&2; exit 4");
      await verifyProvenance("/an/archive", options);
    } finally {
      process.env["PATH"] = before;
    }
    expect(readFileSync(asked, "utf8").split("\n")[0]).toMatch(/^attestation verify \/an\/archive -R \S+\/\S+$/);
    expect(says).toEqual(["provenance verified", "provenance could not be asked for; the checksums were verified"]);
  },
);

test("only HTTPS, or this machine, may serve releases", () => {
  for (const good of ["https://example.test/x", "http://127.0.0.1:8000", "http://localhost/x", "http://[::1]:1"])
    expect(isSafeAddress(good)).toBe(true);
  for (const bad of [
    "http://example.test",
    "http://127.evil.test",
    "ftp://x",
    "https://user:pw@example.test",
    "file:///etc",
    "javascript:1",
    "",
  ])
    expect(isSafeAddress(bad)).toBe(false);
  expect(() => releaseSource({ TOKENIX_MIRROR: "http://example.test" })).toThrow("TOKENIX_MIRROR");
});

test("versions are compared by number, pre-releases come before their release, nonsense is never newer", () => {
  expect(isNewer("0.10.0", "0.9.9")).toBe(true);
  expect(isNewer("v1.0.0", "1.0.0-rc.2")).toBe(true);
  expect(isNewer("1.0.0-rc.10", "1.0.0-rc.9")).toBe(true);
  for (const not of ["1.0.0", "0.9.9", "1.0.0-rc.1", "latest", "1.0", ""]) expect(isNewer(not, "1.0.0")).toBe(false);
});

test("a list that does not name the asset is refused", () => {
  expect(() => checksumFor(`${"a".repeat(64)}  other.gz\n`, "tokenix-linux-x64.gz")).toThrow("does not name");
});

test("a list with two hashes for one asset is refused", () => {
  const name = "tokenix-linux-x64.gz";
  expect(checksumFor(`${"A".repeat(64)} *${name}\r\n`, name)).toBe("a".repeat(64));
  expect(() => checksumFor(`${"a".repeat(64)}  ${name}\n${"b".repeat(64)}  ${name}\n`, name)).toThrow("two hashes");
});

test("every target has an asset of its own and an unknown machine is told", () => {
  const machines = [
    ["linux", "x64", false],
    ["linux", "arm64", false],
    ["linux", "x64", true],
    ["darwin", "x64", false],
    ["darwin", "arm64", false],
    ["win32", "x64", false],
  ] as const;
  const names = machines.map(([platform, arch, musl]) => assetName("gz", { platform, arch, musl }));
  expect(new Set(names).size).toBe(6);
  expect(() => assetName("gz", { platform: "sunos", arch: "x64", musl: false })).toThrow("no release is built");
});

test.skipIf(process.platform === "win32")("two updates at once: the second is told who runs", async () => {
  const { acquireWriter } = await import("../../src/platform/lock.ts");
  using server = new ReleaseServer().publish("v9.9.9", program("9.9.9"));
  const { executable, options, env } = place(server);
  const lock = acquireWriter(join(env.TOKENIX_HOME, "cache", "update.lock"), "update");
  await expect(updateFromRelease(undefined, options)).rejects.toThrow("another update is running");
  if ("release" in lock) lock.release();
  expect(existsSync(executable)).toBe(true);
  expect(readFileSync(executable, "utf8")).toContain("0.0.1");
});
