/**
 * From a clean clone with nothing but Node: install from the lock file, build the binary for this machine, index this
 * repository with it, ask three questions, and say what was done and how long each step took.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const BUN = process.execPath;
const BINARY = join(ROOT, "dist", process.platform === "win32" ? "tokenix.exe" : "tokenix");

const QUESTIONS = [
  "how is a command line rewritten without changing its meaning",
  "acquireWriter",
  "where are credentials masked before something is written down",
] as const;

const home = mkdtempSync(join(tmpdir(), "tokenix-quickstart-"));
const timings: string[] = [];

async function step(name: string, command: readonly string[], shown: boolean): Promise<void> {
  const started = performance.now();
  console.log(`\n> ${name}`);
  const child = Bun.spawn([...command], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: shown ? "inherit" : "ignore",
    stderr: "inherit",
    env: { ...process.env, TOKENIX_HOME: home },
  });
  const code = await child.exited;
  timings.push(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (code !== 0) throw new Error(`'${name}' ended with ${code}`);
}

const started = performance.now();
try {
  await step("bun install --frozen-lockfile", [BUN, "install", "--frozen-lockfile"], false);
  await step("bun run build", [BUN, "scripts/build.ts"], true);
  await step("tokenix index", [BINARY, "index"], true);
  for (const question of QUESTIONS)
    await step(`tokenix query "${question}"`, [BINARY, "query", question, "--budget", "500"], true);
  console.log(`\nDone in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  for (const line of timings) console.log(`  ${line}`);
  console.log(
    `\nThe binary is dist/${process.platform === "win32" ? "tokenix.exe" : "tokenix"}; run it without a word to see what it can do.`,
  );
  console.log("This trial kept its index in a folder of its own, which is gone now.");
} finally {
  rmSync(home, { recursive: true, force: true });
}
