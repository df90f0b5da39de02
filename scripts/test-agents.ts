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

const binary = join(root, "dist", process.platform === "win32" ? "tokenix.exe" : "tokenix");
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

const files = [...ready, "mcp"].map((name) => join("test", "agents", "sessions", `${name}.test.ts`));
const run = Bun.spawn([process.execPath, "test", "--concurrent", "--max-concurrency=2", "--timeout=300000", ...files], {
  cwd: root,
  env: {
    ...process.env,
    TOKENIX_REAL_AGENTS: ready.join(","),
    TOKENIX_BIN: process.env["TOKENIX_BIN"] ?? binary,
  },
  stdin: "ignore",
  stdout: "inherit",
  stderr: "inherit",
});
process.exit(await run.exited);
