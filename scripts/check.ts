/**
 * Everything CI checks, in the order that fails fastest: generated code, format and lint, types, unit tests, the
 * build, end-to-end tests against the compiled binary, size budget. The last line reads `N passed, N failed`.
 */
import { join } from "node:path";
import { stripAnsi } from "../src/platform/text.ts";

const ROOT = join(import.meta.dir, "..");
const BUN = process.execPath;

let passed = 0;
let failed = 0;

/** A step that counts as one check. */
async function step(name: string, command: readonly string[]): Promise<boolean> {
  const { code, output } = await runShown(name, command, false);
  if (code === 0) passed++;
  else {
    failed++;
    process.stdout.write(output);
  }
  return code === 0;
}

/** A test run: its own counts are added. */
async function tests(name: string, paths: readonly string[]): Promise<void> {
  const { code, output } = await runShown(name, [BUN, "test", "--timeout", "120000", ...paths], true);
  const count = (word: string): number => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(output)?.[1] ?? 0);
  const [ok, bad] = [count("pass"), count("fail")];
  passed += ok;
  failed += bad;
  // A runner that died without counting a failure is a failure all the same.
  if (code !== 0 && bad === 0) failed++;
  if (ok + bad === 0) failed++;
}

async function runShown(
  name: string,
  command: readonly string[],
  testOutput: boolean,
): Promise<{ code: number; output: string }> {
  const started = performance.now();
  const child = Bun.spawn([...command], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, FORCE_COLOR: "0" },
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const output = stripAnsi(stdout + stderr);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (code !== 0 && testOutput) console.log(failuresOf(output));
  return { code, output };
}

/** Of a failing test run: each failing test's own text, not the hundreds that passed. */
function failuresOf(output: string): string {
  const lines = output.split("\n").filter((line) => !/^\(pass\)|^\s*$/.test(line));
  return lines.length > 400
    ? [...lines.slice(0, 200), `… ${lines.length - 400} lines …`, ...lines.slice(-200)].join("\n")
    : lines.join("\n");
}

/** Scenes with real agents need packages of a gigabyte, so they run unasked in CI only; what can't be had is said. */
async function agentScenes(): Promise<void> {
  if (!process.env["CI"] && !process.env["TOKENIX_TEST_AGENTS"]) {
    console.log("skip real agents ('bun run test:agents' runs them)");
    return;
  }
  const { code, output } = await runShown("real agents", [BUN, "scripts/test-agents.ts"], true);
  for (const line of output.split("\n")) if (/^(?:skipped:|ok {2}|FAIL)/.test(line)) console.log(`     ${line}`);
  const count = (word: string): number => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(output)?.[1] ?? 0);
  passed += count("pass");
  failed += code !== 0 && count("fail") === 0 ? 1 : count("fail");
}

const SIZE_BUDGET_BYTES = 190_000_000;

async function sizeBudget(): Promise<void> {
  const path = join(ROOT, "dist", process.platform === "win32" ? "tokenix.exe" : "tokenix");
  const size = Bun.file(path).size;
  const fits = size > 0 && size <= SIZE_BUDGET_BYTES;
  console.log(
    `${fits ? "ok  " : "FAIL"} binary size ${(size / 1e6).toFixed(1)} MB (at most ${SIZE_BUDGET_BYTES / 1e6})`,
  );
  if (fits) passed++;
  else failed++;
}

async function main(): Promise<void> {
  await step("dependencies from the lock file", [BUN, "install", "--frozen-lockfile"]);
  await step("generated code", [BUN, "scripts/generate.ts"]);
  await step("format and lint", [BUN, "x", "biome", "check", "."]);
  await step("types", [BUN, "x", "tsc", "--noEmit"]);
  const unit = [...new Bun.Glob("*").scanSync({ cwd: join(ROOT, "test"), onlyFiles: false })]
    .filter((name) => !["e2e", "agents", "support", "preload.ts", "models", "fixtures"].includes(name))
    .sort()
    .map((name) => `./test/${name}`);
  await tests("unit tests", unit);
  if (await step("build", [BUN, "scripts/build.ts"])) {
    await tests("end-to-end tests", ["./test/e2e"]);
    await agentScenes();
    await sizeBudget();
    await step("start budget", [BUN, "scripts/bench.ts", "--budget-only"]);
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

await main();
