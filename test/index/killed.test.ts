/**
 * A run that is killed at any of its steps: while it walks, parses, commits, merges, finishes or embeds. Every step looks
 * at the clock or tells its progress, so the child counts those and ends itself at the one that it was given.
 */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { storePaths } from "../../src/repo/store/open.ts";
import { Project } from "./project.ts";

const SOURCE = join(import.meta.dir, "..", "..", "src", "repo", "index");

/** Indexes `root`; kills itself at step `last`, or prints how many steps there were. */
const CHILD = `
const { runIndex } = await import(${JSON.stringify(join(SOURCE, "run.ts"))});
const { withWriter } = await import(${JSON.stringify(join(SOURCE, "writer.ts"))});
const [root, last] = [process.env.ROOT, Number(process.env.LAST)];
let steps = 0;
const step = () => { if (++steps === last) process.kill(process.pid, "SIGKILL"); };
const now = () => { step(); return Date.now(); };
await withWriter(root, { purpose: "test" }, (store) =>
  runIndex(store, { jobs: 1, now, onProgress: step, embedding: { airgap: true, onProgress: step } }));
console.log(steps);
`;

function run(project: Project, last: number): { signal: string | undefined; steps: number } {
  const child = Bun.spawnSync([process.execPath, "-e", CHILD], {
    env: { ...process.env, ...project.env, ROOT: project.root, LAST: String(last) },
    stdout: "pipe",
    stderr: "pipe",
  });
  if (child.exitCode !== 0 && child.signalCode !== "SIGKILL") throw new Error(child.stderr.toString());
  return { signal: child.signalCode ? String(child.signalCode) : undefined, steps: Number(child.stdout.toString()) };
}

/** What the index says, without the ids and times that two runs never share. */
function contents(project: Project): object {
  return project.read((store) => ({
    files: store.files.stored().map((file) => [file.path, file.outcome, store.files.text(file.id)]),
    chunks: store.files
      .stored()
      .map((file) => store.chunks.ofFile(file.id).map((chunk) => [chunk.startLine, chunk.endLine, chunk.symbol])),
    symbols: [...store.graph.allSymbols()].map((row) => `${row.path}:${row.startLine} ${row.name}`).sort(),
    living: store.lexical.segments().reduce((sum, segment) => sum + segment.chunkCount, 0),
    vectors: store.vectors.models(),
    waiting: store.files.pendingEmbeddings(),
    state: [store.meta("building"), store.meta("indexed_at") !== undefined],
  }));
}

test("a run that is killed at any step leaves a sound index, and the next one ends as if nothing had happened", () => {
  if (process.platform === "win32") return;
  using project = new Project();
  for (let i = 0; i < 24; i++)
    project.write(`d${i % 3}/f${i}.txt`, `${`words of file ${i} number${i}\n`.repeat(1800)}`);
  project.write("src/a.ts", "export function alpha() {}\n");
  const home = project.env["TOKENIX_HOME"] ?? "";
  const { steps } = run(project, -1);
  const whole = contents(project);
  expect(steps).toBeGreaterThan(20);
  const chosen = [1, Math.floor(steps / 3), Math.floor(steps / 2), steps - 3, steps - 2, steps - 1, steps];
  for (const last of chosen) {
    rmSync(home, { recursive: true, force: true });
    expect([last, run(project, last).signal]).toEqual([last, "SIGKILL"]);
    const { database } = storePaths(project.root, project.env);
    if (existsSync(database)) {
      const raw = new Database(database);
      expect(raw.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
      raw.close();
    }
    run(project, -1);
    expect({ last, ...contents(project) }).toEqual({ last, ...whole });
  }
}, 120_000);
