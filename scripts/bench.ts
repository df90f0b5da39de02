/**
 * `bun run bench`: every number of the README, measured now, beside the last recorded figures
 * (`scripts/bench/recorded.json`; `--record` writes them anew). Times of whole processes are told as ratios to E,
 * the start of an empty compiled program in the same run, so that they hold on a noisy or slower machine.
 *
 * One file a subject in `scripts/bench/*.ts`, each exporting `bench(context)`; words on the command line pick some.
 * `--budget-only` runs just the start budget that the check enforces.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIST, ROOT } from "./build.ts";

export interface Row {
  /** A stable name: the recorded figure is found by it. */
  readonly name: string;
  readonly value: number;
  readonly unit: "E" | "ms" | "MB" | "MB/s" | "x" | "%" | "/s" | "score" | "tokens";
  /** What must hold; undefined for figures that are only told. */
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly note?: string;
}

export interface BenchContext {
  readonly binary: string;
  /** A scratch folder, removed afterwards. */
  readonly scratch: string;
  /** Milliseconds of an empty compiled program's start, the median of this run. */
  readonly emptyMs: number;
  /**
   * Median wall time of whole processes in E: `runs` pairs of the command and the empty program, taken in turn,
   * so that a drift of the machine hits both; the median of the pairs' ratios is given.
   */
  ratio(command: readonly string[], options?: RunOptions): Promise<number>;
  /** The median in milliseconds and the highest peak memory in MB. */
  measure(command: readonly string[], options?: RunOptions): Promise<{ ms: number; peakMb: number }>;
}

export interface RunOptions {
  readonly runs?: number;
  readonly stdin?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that count as a good run. */
  readonly codes?: readonly number[];
}

const RECORDED = join(ROOT, "scripts", "bench", "recorded.json");

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** One whole process: wall milliseconds. */
async function once(command: readonly string[], options: RunOptions): Promise<{ ms: number }> {
  const started = Bun.nanoseconds();
  const child = Bun.spawn([...command], {
    stdin: options.stdin === undefined ? "ignore" : new Blob([options.stdin]),
    stdout: "ignore",
    stderr: "ignore",
    ...(options.cwd ? { cwd: options.cwd } : {}),
    env: { ...process.env, TOKENIX_AIRGAP: "1", ...options.env },
  });
  const code = await child.exited;
  const ms = (Bun.nanoseconds() - started) / 1e6;
  if (!(options.codes ?? [0]).includes(code)) throw new Error(`'${command.join(" ")}' ended with ${code}`);
  return { ms };
}

/** One whole process, started by a small one (`peak.ts`): wall milliseconds and peak memory. */
async function peak(command: readonly string[], options: RunOptions): Promise<{ ms: number; peakMb: number }> {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts", "peak.ts"), ...command], {
    stdin: options.stdin === undefined ? "ignore" : new Blob([options.stdin]),
    stdout: "pipe",
    stderr: "ignore",
    ...(options.cwd ? { cwd: options.cwd } : {}),
    env: { ...process.env, TOKENIX_AIRGAP: "1", ...options.env },
  });
  const told = JSON.parse(await new Response(child.stdout).text()) as { code: number; ms: number; peakMb: number };
  if (!(options.codes ?? [0]).includes(told.code)) throw new Error(`'${command.join(" ")}' ended with ${told.code}`);
  return told;
}

async function emptyProgram(scratch: string): Promise<string> {
  const source = join(scratch, "empty.ts");
  const outfile = join(scratch, "empty");
  await Bun.write(source, "export {};\n");
  const result = await Bun.build({
    entrypoints: [source],
    format: "esm",
    target: "bun",
    splitting: true,
    bytecode: true,
    minify: true,
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
    throw: false,
  });
  if (!result.success) throw new Error("the empty program did not build");
  return existsSync(outfile) ? outfile : `${outfile}.exe`;
}

export async function makeContext(binary: string, scratch: string): Promise<BenchContext> {
  const empty = await emptyProgram(scratch);
  for (let i = 0; i < 3; i++) await once([empty], {});
  const times: number[] = [];
  for (let i = 0; i < 15; i++) times.push((await once([empty], {})).ms);
  return {
    binary,
    scratch,
    emptyMs: median(times),
    async ratio(command, options = {}) {
      await once(command, options);
      const ratios: number[] = [];
      for (let i = 0; i < (options.runs ?? 15); i++) {
        const base = (await once([empty], {})).ms;
        ratios.push((await once(command, options)).ms / base);
      }
      return median(ratios);
    },
    async measure(command, options = {}) {
      const runs: { ms: number; peakMb: number }[] = [];
      for (let i = 0; i < (options.runs ?? 3); i++) runs.push(await peak(command, options));
      return { ms: median(runs.map((run) => run.ms)), peakMb: Math.max(...runs.map((run) => run.peakMb)) };
    },
  };
}

function judge(row: Row): string {
  if (row.atMost !== undefined) return row.value <= row.atMost ? `ok (≤ ${row.atMost})` : `OVER (≤ ${row.atMost})`;
  if (row.atLeast !== undefined) return row.value >= row.atLeast ? `ok (≥ ${row.atLeast})` : `UNDER (≥ ${row.atLeast})`;
  return "";
}

function print(rows: readonly Row[], recorded: Readonly<Record<string, number>>): void {
  const digits = (value: number): string =>
    Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(value < 1 ? 3 : 2);
  for (const row of rows) {
    const before = recorded[row.name];
    const beside = before === undefined ? "" : `was ${digits(before)}`;
    console.log(
      `${row.name.padEnd(58)} ${`${digits(row.value)} ${row.unit}`.padStart(14)}  ${beside.padEnd(14)} ${judge(row)}${row.note ? `  ${row.note}` : ""}`,
    );
  }
}

async function main(argv: readonly string[]): Promise<void> {
  const budgetOnly = argv.includes("--budget-only");
  const picked = argv.filter((word) => !word.startsWith("--"));
  const subjects = [...new Bun.Glob("*.ts").scanSync(join(ROOT, "scripts", "bench"))]
    .map((name) => name.replace(/\.ts$/, ""))
    .sort();
  const unknown = picked.filter((word) => !subjects.includes(word));
  if (unknown.length > 0) {
    console.error(`bench: there is no group '${unknown.join("', '")}'; there are: ${subjects.join(", ")}`);
    process.exitCode = 2;
    return;
  }
  const binary = process.env["TOKENIX_BIN"] ?? join(DIST, process.platform === "win32" ? "tokenix.exe" : "tokenix");
  if (!existsSync(binary)) throw new Error(`no binary at ${binary}: run 'bun run build' first`);
  const scratch = mkdtempSync(join(tmpdir(), "tokenix-bench-"));
  mkdirSync(join(scratch, "home"));
  const around = Bun.spawnSync(["git", "-C", scratch, "rev-parse", "--show-toplevel"], { stderr: "ignore" });
  if (around.success)
    throw new Error(
      `${around.stdout.toString().trim()} is a git repository, and a project would be all of it: set TMPDIR`,
    );
  process.env["TOKENIX_HOME"] = join(scratch, "home");
  try {
    const context = await makeContext(binary, scratch);
    console.log(`E = ${context.emptyMs.toFixed(1)} ms (start of an empty compiled program, median of 15)`);
    const recorded = (existsSync(RECORDED) ? await Bun.file(RECORDED).json() : {}) as Record<string, number>;
    const all: Row[] = [];
    for (const subject of subjects) {
      if (budgetOnly ? subject !== "start" : picked.length > 0 && !picked.includes(subject)) continue;
      const module = (await import(join(ROOT, "scripts", "bench", `${subject}.ts`))) as {
        bench(context: BenchContext): Promise<Row[]>;
      };
      const rows = await module.bench(context);
      print(rows, recorded);
      all.push(...rows);
    }
    if (argv.includes("--record")) {
      for (const row of all) recorded[row.name] = Number(row.value.toPrecision(4));
      await Bun.write(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`);
    }
    const missed = all.filter((row) => judge(row).startsWith("OVER") || judge(row).startsWith("UNDER"));
    if (missed.length > 0) console.log(`${missed.length} of ${all.length} figures miss their mark`);
    if (budgetOnly && missed.length > 0) process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) await main(process.argv.slice(2));
