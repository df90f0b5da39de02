/** `tokenix index`: reads a project, or what has changed of it. */
import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { modelSpec } from "../../repo/embed/registry.ts";
import type { EmbeddingOptions } from "../../repo/index/embeddings.ts";
import { projectToIndexIsFresh } from "../../repo/index/freshness.ts";
import { refuseWideRoot, rootToIndex } from "../../repo/index/project.ts";
import { type RunReport, runIndex } from "../../repo/index/run.ts";
import { withWriter } from "../../repo/index/writer.ts";
import { count, counted, type ProgressLine, progressLine, size } from "../progress.ts";
import { say } from "../say.ts";
import { tell } from "../tell.ts";

export default defineCommand({
  meta: { name: "index", description: "Read a project, or what has changed of it, into its local index" },
  args: {
    path: { type: "positional", required: false, description: "The project's folder; default: the one around here" },
    force: { type: "boolean", description: "Read every file again" },
    "if-stale": { type: "boolean", description: "Do nothing when the index equals the disk" },
    jobs: { type: "string", description: "Threads to parse with (default: the cores)" },
    embed: { type: "boolean", default: true, description: "Embeddings too" },
    model: { type: "string", description: "Embed with this model; 'static' is in the binary (sticky)" },
    "only-cpu": { type: "boolean", description: "Keep an ONNX model off the GPU" },
    airgap: { type: "boolean", description: "Download nothing" },
    "low-priority": { type: "boolean", default: true, description: "Let other programs go first" },
    "force-root": { type: "boolean", description: "Even a home folder or the root of a disk" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const root = rootToIndex(args.path, process.cwd());
    if (!args["force-root"]) refuseWideRoot(root);
    if (args.model !== undefined) modelSpec(args.model);
    const jobs = args.jobs === undefined ? undefined : parseJobs(args.jobs);
    if (args["if-stale"] && !args.force && args.model === undefined && (await projectToIndexIsFresh(root))) {
      await say(args.json ? `${JSON.stringify({ root, fresh: true })}\n` : `${root} is up to date\n`);
      return EXIT.ok;
    }
    if (args["low-priority"]) lowerPriority();
    const progress = progressLine();
    const restore = stopOnSignals(() => progress.clear());
    let setAside: string | undefined;
    let report: RunReport;
    try {
      report = await withWriter(root, { purpose: "index", onSetAside: (path) => (setAside = path) }, (store) =>
        runIndex(store, {
          force: args.force ?? false,
          ...(args.embed ? { embedding: embeddingOptions(args, progress) } : {}),
          ...(jobs === undefined ? {} : { jobs }),
          onProgress: progress.update,
        }),
      );
    } finally {
      progress.clear();
      restore();
    }
    for (const problem of report.configProblems) await tell("warn", problem);
    if (report.embedding?.refused) await tell("warn", report.embedding.refused);
    if (setAside) await tell("warn", `the damaged index was set aside as ${setAside}`);
    await say(args.json ? `${JSON.stringify(asJson(report, setAside))}\n` : describe(report));
    return EXIT.ok;
  },
});

function embeddingOptions(
  args: { model?: string; "only-cpu"?: boolean; airgap?: boolean },
  progress: ProgressLine,
): EmbeddingOptions {
  return {
    model: args.model,
    onlyCpu: args["only-cpu"],
    airgap: args.airgap,
    onProgress: progress.update,
    onDownload: progress.download,
    onNote: (note) => {
      progress.clear();
      void tell("info", note);
    },
  };
}

function parseJobs(text: string): number {
  const jobs = Number(text);
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 256) return jobs;
  throw new UserError(`--jobs must be a whole number from 1 to 256, not '${text}'`, undefined, EXIT.usage);
}

function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    // Linux means one thread by this; those that follow inherit it, but the engine's compilers are there already.
    if (process.platform !== "linux") return;
    for (const id of readdirSync("/proc/self/task")) setPriority(Number(id), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here; the run goes on as it is.
  }
}

/** Every batch is committed by itself, so the process may simply end: what is finished is kept. */
function stopOnSignals(clear: () => void): () => void {
  const stop = (signal: "SIGINT" | "SIGTERM", code: number) => () => {
    clear();
    process.stderr.write(
      `tokenix: stopped by ${signal}; what was finished is kept, 'tokenix index' goes on from there\n`,
    );
    process.exit(code);
  };
  const onInterrupt = stop("SIGINT", 130);
  const onTerminate = stop("SIGTERM", 143);
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  return () => {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onTerminate);
  };
}

function describe(report: RunReport): string {
  const read = [...report.outcomes.values()].reduce((sum, n) => sum + n, 0);
  const seconds = report.elapsedMs / 1000;
  const speed = read > 0 && report.bytes > 0 ? `, ${(report.bytes / 1e6 / seconds).toFixed(1)} MB/s` : "";
  const lines = [
    `indexed ${report.root} in ${seconds.toFixed(2)} s (${size(report.bytes)} read${speed})`,
    `  ${counted(report.totals.files, "file")} in the index, ${counted(report.totals.chunks, "chunk")}, ${counted(report.totals.symbols, "symbol")}`,
    `  this run: ${count(read)} read, ${count(report.unchanged)} unchanged, ${count(report.removed)} removed`,
  ];
  const left = [...report.totals.leftOut].map(([outcome, n]) => `${count(n)} ${outcome}`);
  const embedding = report.embedding;
  if (embedding && embedding.embedded + embedding.cached > 0)
    lines.push(
      `  ${counted(embedding.embedded, "chunk")} embedded with ${embedding.model}, ${count(embedding.cached)} from the cache`,
    );
  if (embedding?.missing) lines.push(`  no embeddings: ${embedding.missing}`);
  if (left.length > 0) lines.push(`  left out: ${left.join(", ")} ('tokenix files --skipped' says why)`);
  return `${lines.join("\n")}\n`;
}

function asJson(report: RunReport, setAside: string | undefined) {
  return {
    root: report.root,
    elapsed_ms: Math.round(report.elapsedMs),
    bytes: report.bytes,
    threads: report.workers + 1,
    run: { outcomes: Object.fromEntries(report.outcomes), unchanged: report.unchanged, removed: report.removed },
    index: { ...report.totals, leftOut: Object.fromEntries(report.totals.leftOut) },
    ...(report.embedding ? { embedding: report.embedding } : {}),
    config_problems: report.configProblems,
    ...(setAside ? { set_aside: setAside } : {}),
  };
}
