/**
 * The life of an installed binary, on one machine, from a loopback release server: installed by the README's line,
 * updated, a tampered and an interrupted release refused with the old binary intact, the index exported, wiped,
 * imported and asked. The two releases are really built.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable, ROOT } from "../../scripts/build.ts";
import { assetName } from "../../src/update/asset.ts";
import { ReleaseServer } from "../support/release-server.ts";
import { Sandbox } from "../support/sandbox.ts";

setDefaultTimeout(240_000);

const builds = mkdtempSync(join(tmpdir(), "tokenix-releases-"));
const program = (version: string): string => join(builds, `tokenix-${version}`);
let server: ReleaseServer;
let box: Sandbox;
let folder: string;
let binary: string;

beforeAll(async () => {
  for (const version of ["0.9.1", "0.9.2"]) await buildExecutable({ outfile: program(version), version });
  server = new ReleaseServer().publish("v0.9.1", readFileSync(program("0.9.1")));
  box = new Sandbox().write({
    "src/upload.ts": "/** Retries a failed upload. */\nexport function retryUpload(): number {\n  return 1;\n}\n",
    "src/job.ts": 'import { retryUpload } from "./upload";\nexport const job = () => retryUpload();\n',
  });
  box.commit();
  folder = join(box.home, "tools");
  binary = join(folder, "tokenix");
});

afterAll(() => {
  server[Symbol.dispose]();
  box[Symbol.dispose]();
  rmSync(builds, { recursive: true, force: true });
});

const online = (): Record<string, string | undefined> => ({
  TOKENIX_MIRROR: server.mirror,
  TOKENIX_AIRGAP: undefined,
  TOKENIX_INSTALL_DIR: folder,
});
const run = (...args: string[]) => box.exec([binary, ...args], { env: online(), timeoutMs: 120_000 });
const version = async (): Promise<string> => (await run("--version")).stdout.trim();

test.skipIf(process.platform === "win32")("installed by the README's line, it indexes and answers", async () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  expect(readme).toContain("releases/latest/download/install.sh | sh");
  const installed = await box.exec(["sh", "-c", `cat "${join(ROOT, "scripts", "install.sh")}" | sh`], {
    env: online(),
    timeoutMs: 120_000,
  });
  expect(installed).toMatchObject({ code: 0 });
  expect(await version()).toBe("tokenix 0.9.1");
  expect((await run("index")).code).toBe(0);
  expect((await run("symbols", "retryUpload")).stdout).toContain("src/upload.ts:2-4");
  expect((await run("callers", "retryUpload")).stdout).toContain("src/job.ts:2");
});

test.skipIf(process.platform === "win32")("current is 0, newer is 10, and air gap asks nobody", async () => {
  expect(await run("update", "--check")).toMatchObject({ code: 0, stdout: "tokenix 0.9.1 is current\n" });
  server.publish("v0.9.2", readFileSync(program("0.9.2")));
  expect((await run("update", "--check")).code).toBe(10);
  server.asked = [];
  const airgapped = await box.exec([binary, "update", "--check"], { env: { ...online(), TOKENIX_AIRGAP: "1" } });
  expect(airgapped.code).toBe(1);
  expect(airgapped.stderr).toContain("air-gap");
  expect(server.asked).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "a tampered and an interrupted release leave the old binary as it was",
  async () => {
    const before = Bun.hash(readFileSync(binary));
    for (const fault of ["tampered asset", "truncated", "list missing"] as const) {
      server.fault = fault;
      const refused = await run("update");
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("tokenix: ");
      expect(Bun.hash(readFileSync(binary))).toBe(before);
    }
    server.fault = "none";
    const child = Bun.spawn([binary, "update"], {
      env: { ...box.env, ...online() } as Record<string, string>,
      stdout: "ignore",
      stderr: "ignore",
    });
    await Bun.sleep(150);
    child.kill("SIGKILL");
    await child.exited;
    expect(await version()).toMatch(/^tokenix 0\.9\.[12]$/);
  },
);

test.skipIf(process.platform === "win32")(
  "a good release takes the name, and the next command is the new one",
  async () => {
    const updated = await run("update");
    expect(updated.code).toBe(0);
    expect(await version()).toBe("tokenix 0.9.2");
    expect(statSync(binary).mode & 0o111).toBe(0o111);
    expect((await run("update")).stdout).toBe("tokenix 0.9.2 is current\n");
  },
);

test.skipIf(process.platform === "win32")(
  "across an air gap: an older release comes from a stick, by its checksum",
  async () => {
    const stick = mkdtempSync(join(box.base, "stick-"));
    writeFileSync(join(stick, assetName("gz")), server.archiveOf("v0.9.1"));
    writeFileSync(join(stick, "sha256sums.txt"), server.listOf("v0.9.1"));
    const carried = await box.exec([binary, "update", "--from", join(stick, assetName("gz"))], {
      env: { TOKENIX_AIRGAP: "1" },
      timeoutMs: 120_000,
    });
    expect(carried.stderr).toBe("");
    expect(await version()).toBe("tokenix 0.9.1");
  },
);

test.skipIf(process.platform === "win32")("an index is exported, wiped, imported and asked", async () => {
  expect((await run("export-index", "team.gz")).code).toBe(0);
  expect(existsSync(box.path("team.gz.sha256"))).toBe(true);
  expect((await run("forget")).code).toBe(0);
  expect((await run("symbols", "retryUpload")).code).not.toBe(0);
  const imported = await run("import-index", "team.gz");
  expect(imported.stderr).toBe("");
  expect(imported.code).toBe(0);
  expect((await run("symbols", "retryUpload")).stdout).toContain("src/upload.ts:2-4");
  expect((await run("query", "retry a failed upload")).stdout).toContain("src/upload.ts:");
});

test.skipIf(process.platform === "win32")(
  "nothing of it looks for updates by itself: not in pipes, not for agents",
  async () => {
    server.asked = [];
    for (const args of [["stats"], ["doctor"], ["symbols", "job"], ["hook"]]) await run(...args);
    await Bun.sleep(300);
    expect(server.asked).toEqual([]);
  },
);

/** In a terminal of its own, as a person would have it. Undefined where no tool here can give one. */
async function typed(command: string, env: Record<string, string | undefined> = {}) {
  if (process.platform !== "linux" || !Bun.which("script")) return undefined;
  return box.exec(["script", "-qec", command, "/dev/null"], { env: { ...online(), ...env }, timeoutMs: 60_000 });
}

const record = () => join(box.env["TOKENIX_HOME"] ?? "", "update-check.json");

test.skipIf(process.platform === "win32")(
  "in a terminal nothing looks for updates either: by agents, in CI, when told not to, in an air gap",
  async () => {
    rmSync(record(), { force: true });
    server.asked = [];
    const never: [string, Record<string, string>][] = [
      ["licenses", { CI: "1" }],
      ["licenses", { TOKENIX_AIRGAP: "1" }],
      ["licenses", { TOKENIX_NO_UPDATE_CHECK: "1" }],
      ["licenses", { CLAUDECODE: "1" }],
      ["symbols job", {}],
      ["hook </dev/null", {}],
      ["mcp </dev/null", {}],
      ["run true", {}],
      ["licenses | cat", {}],
      ["--version", {}],
    ];
    for (const [command, env] of never) await typed(`'${binary}' ${command}`, env);
    box.write({ ".tokenix.toml": "[update]\ncheck = false\n" });
    await typed(`'${binary}' licenses`);
    rmSync(box.path(".tokenix.toml"));
    await Bun.sleep(500);
    expect(server.asked).toEqual([]);
    expect(existsSync(record())).toBe(false);
  },
);

test.skipIf(process.platform === "win32")(
  "a person's command looks once a day, is not changed itself, and the next one is the new program",
  async () => {
    const before = await version();
    expect(before).toBe("tokenix 0.9.1");
    rmSync(record(), { force: true });
    server.asked = [];
    const shown = await typed(`'${binary}' licenses && '${binary}' licenses`);
    if (!shown) return;
    expect(shown.code).toBe(0);
    expect(shown.stdout).not.toContain("0.9.2 is out");
    const end = Date.now() + 90_000;
    while ((await version()) === before && Date.now() < end) await Bun.sleep(200);
    expect(await version()).toBe("tokenix 0.9.2");
    // It asks for the newest when it looks and once more when it installs; the second command did not ask.
    expect(server.asked.filter(({ path }) => path === "/latest.json")).toHaveLength(2);
    expect(server.asked.every(({ authorization }) => authorization === null)).toBe(true);
  },
);
