/**
 * `bun run eval FOLDER [--labels DIR] [--mode MODE] [--reuse] [--only a,b] [--misses N] [--json]`
 * FOLDER holds git clones of the labelled repositories; what is missing is cloned where a network allows. Works from a
 * clean clone of this repository: what is not installed or not generated yet is made first.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const steps = [
  ...(existsSync(join(root, "node_modules")) ? [] : [["install", "--frozen-lockfile"]]),
  ["scripts/generate.ts"],
];
for (const args of steps) {
  const step = Bun.spawnSync([process.execPath, ...args], { cwd: root, stdout: "ignore", stderr: "inherit" });
  if (step.exitCode !== 0) process.exit(step.exitCode);
}
await import("./eval/table.ts");
