import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Sandbox } from "../support/sandbox.ts";

const PATIENT = 60_000;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = new Sandbox();
  sandbox.write({ "a.ts": "export function one() { return two() }\nexport function two() { return 2 }\n" }).commit();
  expect((await sandbox.run(["index"])).code).toBe(0);
}, PATIENT);
afterAll(() => sandbox[Symbol.dispose]());

/** The table of docs/exit-codes.md. */
const CASES: readonly (readonly [line: string, code: number, isError: boolean])[] = [
  ["query zzqqxx --mode lexical", 0, false],
  ["symbols zzqqxx", 0, false],
  ["explore zzqqxx", 0, false],
  ["callers one", 0, false],
  ["callees two", 0, false],
  ["impact one", 0, false],
  ["blast", 0, false],
  ["cycles", 0, false],
  ["trust --revoke", 0, false],
  ["files --skipped", 0, false],
  ["grep zzqqxx", 1, false],
  ["callers zzqqxx", 1, true],
  ["callees zzqqxx", 1, true],
  ["impact zzqqxx", 1, true],
  ["flow zzqqxx", 1, true],
  ["path one zzqqxx", 1, true],
  ["read a.ts --symbol zzqqxx", 1, true],
  ["blast --since zzqqxx", 1, true],
  ["update --check", 1, true],
  ["read zzqqxx.ts", 2, true],
  ["query --limit none x", 2, true],
  ["callers one --nosuch", 2, true],
  ["callers", 2, true],
  ["nosuch", 2, true],
];

describe("with --json", () => {
  for (const [line, code, isError] of CASES)
    test(
      `'${line}' ends with ${code} and prints one JSON value${isError ? ", the error" : ""}`,
      async () => {
        const args = line.split(" ");
        const run = await sandbox.run([...args, "--json"]);
        const value = JSON.parse(run.stdout) as { error?: string };
        expect([run.code, typeof value.error]).toEqual([code, isError ? "string" : "undefined"]);
        if (isError) expect(run.stderr).toStartWith(`tokenix: ${value.error}\n`);
        const plain = await sandbox.run(args);
        expect(plain.code).toBe(code);
        if (isError) expect(plain.stdout).toBe("");
      },
      PATIENT,
    );
});

test(
  "the version is told in every way that people ask for it",
  async () => {
    const { stdout } = await sandbox.run(["--version"]);
    for (const word of ["version", "-v", "-V"]) expect((await sandbox.run([word])).stdout).toBe(stdout);
    expect((await sandbox.run(["--verison"])).stderr).toContain("did you mean 'tokenix --version'?");
  },
  PATIENT,
);

test(
  "filter active takes an unquoted command line whole",
  async () => {
    const asked = async (...args: string[]) => (await sandbox.run(["filter", "active", ...args])).stdout;
    const whole = await asked("git log -20 --oneline");
    expect(whole).toBe("git-log (bundled)\n");
    expect(await asked("git", "log", "-20", "--oneline")).toBe(whole);
    expect(JSON.parse(await asked("git log -20", "--json"))).toMatchObject({ filter: "git-log" });
    expect(JSON.parse(await asked("--json", "git", "log", "--stat"))).toMatchObject({
      candidates: ["git log --stat"],
    });
  },
  PATIENT,
);

test(
  "a comparison with git says when there is no repository, or no commit",
  async () => {
    using plain = new Sandbox({ git: false });
    plain.write({ "a.ts": "export const a = 1;\n" });
    expect((await plain.run(["index"])).stdout).toContain("\n  1 file in the index, 1 chunk, 1 symbol\n");
    for (const args of [["blast"], ["pack", "--changed"]])
      expect((await plain.run(args)).stderr).toContain(`${plain.root} is not in a git repository`);
    using unborn = new Sandbox();
    unborn.write({ "a.ts": "export const a = 1;\n" });
    expect((await unborn.run(["index"])).code).toBe(0);
    expect((await unborn.run(["blast"])).stderr).toContain("has no commit yet");
  },
  PATIENT,
);

test(
  "a bucket without credentials names the variables that are read",
  async () => {
    const run = await sandbox.run(["import-index", "s3://bucket/key"], { env: { TOKENIX_AIRGAP: undefined } });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("there are no credentials for s3://bucket/key in the environment");
    expect(run.stderr).toContain("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  },
  PATIENT,
);
