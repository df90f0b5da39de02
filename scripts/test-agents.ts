/**
 * Drives the real agents: installs them (pinned, from npm, into a cache folder), builds the binary, and runs
 * `test/agents/sessions` against a scripted model on loopback. Needs no key and no account.
 *
 *   bun run test:agents              every agent that can be had
 *   bun run test:agents claude       one
 *
 * Exit 0 when every scenario that could run held; what could not run is named. Set TOKENIX_TEST_AGENTS=offline to use
 * only what the cache holds.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentName, agentBinary, agentNames, agents, ensureAgent } from "../test/agents/packages.ts";

const root = join(import.meta.dir, "..");
if (process.platform === "win32") {
  console.log("skipped: the stages of these scenes are shell scripts, which Windows does not run");
  process.exit(0);
}
const wanted = process.argv.slice(2).filter((name): name is AgentName => name in agents);
const names = wanted.length > 0 ? wanted : agentNames;

const ready: AgentName[] = [];
for (const name of names) {
  const offline = process.env["TOKENIX_TEST_AGENTS"] === "offline" && agentBinary(name) === undefined;
  const problem = offline ? "not in the cache" : await ensureAgent(name, 240_000);
  if (problem === undefined) ready.push(name);
  else console.log(`skipped: ${name} ${agents[name].version} can't be had here (${problem})`);
}
if (ready.length === 0) {
  console.log("skipped: no agent package could be had, so no scenario with a real agent was run");
  process.exit(0);
}

const binary = join(root, "dist", "tokenix");
if (process.env["TOKENIX_BIN"] === undefined) {
  const build = Bun.spawn([process.execPath, join(root, "scripts", "build.ts")], {
    cwd: root,
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await build.exited) !== 0 || !existsSync(binary)) {
    console.error("the binary could not be built");
    process.exit(1);
  }
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

async function scenes(file: string, atOnce: number): Promise<Counts> {
  const child = Bun.spawn(
    [process.execPath, "test", "--concurrent", `--max-concurrency=${atOnce}`, "--timeout=600000", file],
    {
      cwd: root,
      env: { ...process.env, TOKENIX_REAL_AGENTS: ready.join(","), TOKENIX_BIN: process.env["TOKENIX_BIN"] ?? binary },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const output = stdout + stderr;
  const count = (word: string): number => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(output)?.[1] ?? 0);
  const failed = count("fail");
  // A runner that died without counting a failure has failed all the same.
  return { passed: count("pass"), failed: (await child.exited) !== 0 && failed === 0 ? 1 : failed, output };
}

let passed = 0;
let failed = 0;
for (const name of [...ready, "mcp"]) {
  const file = join("test", "agents", "sessions", `${name}.test.ts`);
  const started = performance.now();
  const first = await scenes(file, 2);
  // Agents and hooks have time limits of their own: on a machine that is busy with something else one may pass by
  // chance. A scene that fails twice, the second time alone, has failed.
  const last = first.failed > 0 ? await scenes(file, 1) : first;
  passed += last.passed;
  failed += last.failed;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const again = last === first ? "" : `, after a second run (${first.failed} failed in the first)`;
  console.log(
    `${last.failed === 0 ? "ok  " : "FAIL"} ${name}: ${last.passed} scenes held, ${last.failed} did not${again} (${seconds} s)`,
  );
  if (last.failed > 0)
    console.log(
      last.output
        .split("\n")
        .filter((line) => !/^\(pass\)|^\s*$/.test(line))
        .join("\n"),
    );
}
console.log(` ${passed} pass\n ${failed} fail`);
process.exit(failed === 0 ? 0 : 1);
