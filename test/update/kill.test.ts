/** Replacement under fire: killed at a random moment, 200 times; whatever is left must run. */
import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const REPLACE = join(import.meta.dir, "..", "..", "src", "update", "replace.ts");
const ROUNDS = 200;

/** A process that swaps the two programs for ever, saying so after each swap, until it is killed. */
const SWAPPER = `
const { replaceExecutable } = await import(${JSON.stringify(REPLACE)});
const [executable, one, two] = process.argv.slice(-3);
for (let i = 0; ; i++) {
  await replaceExecutable({ archive: i % 2 ? one : two, executable, version: i % 2 ? "0.0.1" : "0.0.2" });
  if (i === 0) console.log("swapping");
}`;

test.skipIf(process.platform === "win32")(
  "a kill at any step of the replacement leaves a program that answers",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "tokenix-kill-"));
    const executable = join(folder, "tokenix");
    // One in each form that a release has.
    const archives = ["0.0.1.gz", "0.0.2.zst"].map((name) => {
      const path = join(folder, name);
      const padding = `# ${"x".repeat(200_000)}\n`;
      const bytes = Buffer.from(`#!/bin/sh\necho "tokenix ${name.slice(0, 5)}"\nexit 0\n${padding}`);
      writeFileSync(path, name.endsWith(".gz") ? Bun.gzipSync(bytes) : Bun.zstdCompressSync(bytes));
      return path;
    });
    writeFileSync(executable, '#!/bin/sh\necho "tokenix 0.0.1"\n');
    chmodSync(executable, 0o755);
    const seen = new Set<string>();
    let round = 0;
    let seed = 12345;
    const random = (): number => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed / 0x7fffffff;
    };
    while (round < ROUNDS) {
      const child = Bun.spawn([process.execPath, "-e", SWAPPER, executable, ...archives], {
        stdout: "pipe",
        stderr: "pipe",
      });
      const reader = child.stdout.getReader();
      await reader.read();
      await Bun.sleep(random() * 40);
      child.kill("SIGKILL");
      await child.exited;
      const answer = Bun.spawnSync([executable, "--version"]);
      const said = answer.stdout.toString().trim();
      expect(answer.exitCode).toBe(0);
      expect(said).toMatch(/^tokenix 0\.0\.[12]$/);
      seen.add(said);
      round++;
    }
    // Both sides of the rename were met, else the kills did not fall where they should.
    expect(seen.size).toBe(2);
    // One more that is left to end sweeps what the killed ones left.
    const { sweep } = await import(REPLACE);
    sweep(executable);
    expect(readdirSync(folder).sort()).toEqual(["0.0.1.gz", "0.0.2.zst", "tokenix"]);
  },
  120_000,
);
