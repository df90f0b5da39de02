/**
 * What `tokenix run` costs and what it bears: the door around a command that does nothing, a 200 MB and a 1 GB output,
 * choosing a filter among 200 of a user's own, and every bundled filter on its worst input.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileFilter } from "../../src/output/filters/compile.ts";
import { applyFilter } from "../../src/output/filters/pipeline.ts";
import { parseFilterToml } from "../../src/output/filters/toml.ts";
import { type BenchContext, median, type Row } from "../bench.ts";
import { ROOT } from "../build.ts";

const FILTERS = join(ROOT, "assets", "filters");

export async function bench(context: BenchContext): Promise<Row[]> {
  const env = { TOKENIX_HOME: join(context.scratch, "output-home") };
  return [
    ...(await door(context, env)),
    ...(await largeOutputs(context, env)),
    await choosing(context),
    ...(await worstInputs()),
  ];
}

/** The shell and the pipe are on both sides; a device as stdout would take the short cut that a terminal gets. */
async function door(context: BenchContext, env: Record<string, string>): Promise<Row[]> {
  const piped = (line: string) => context.ratio(["sh", "-c", `${line} | cat`], { runs: 31, env });
  const plain = await piped("true");
  const ours = await piped(`'${context.binary}' run true`);
  const merged = await piped(`'${context.binary}' run true 2>&1`);
  return [
    { name: "run: true, over true", value: ours - plain, unit: "E", atMost: 2 },
    { name: "run: true, both streams in one pipe, over true", value: merged - plain, unit: "E" },
  ];
}

async function largeOutputs(context: BenchContext, env: Record<string, string>): Promise<Row[]> {
  const log = join(context.scratch, "log.txt");
  const line = (at: number) =>
    `2026-01-01T10:${String(at % 60).padStart(2, "0")}:07Z INFO request ${at} handled in ${at % 97}ms path=/api/items status=200\n`;
  const part = Array.from({ length: 20_000 }, (_, at) => line(at)).join("");
  const writer = Bun.file(log).writer();
  let megabytes = 0;
  for (; megabytes < 200; megabytes += part.length / 1e6) writer.write(part);
  await writer.end();
  const shell = `cat ${`${log} `.repeat(5)}`;
  const runs = [
    await watched([context.binary, "run", "cat", log], env),
    await watched([context.binary, "run", "cat", log], env),
    await watched([context.binary, "run", "cat", log], env),
  ];
  const first = { ms: median(runs.map((run) => run.ms)), peakMb: Math.max(...runs.map((run) => run.peakMb)) };
  const gigabyte = await watched([context.binary, "run", "sh", "-c", shell], env);
  return [
    { name: "run: a 200 MB output", value: megabytes / (first.ms / 1000), unit: "MB/s", atLeast: 100 },
    { name: "run: peak memory at 200 MB", value: first.peakMb, unit: "MB", atMost: 200 },
    { name: "run: a 1 GB output", value: (megabytes * 5) / (gigabyte.ms / 1000), unit: "MB/s" },
    { name: "run: peak memory at 1 GB", value: gigabyte.peakMb, unit: "MB", atMost: 200 },
  ];
}

/**
 * Wall time, and peak memory by the process's own account while it runs: what the system tells a parent afterwards counts
 * the parent's own memory, from which the child was split off.
 */
async function watched(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ ms: number; peakMb: number }> {
  const from = performance.now();
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "ignore", env: { ...process.env, ...env } });
  let peakKb = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      // Before its exec the child still is a copy of this program.
      if (/^Name:\s+tokenix/m.test(status))
        peakKb = Math.max(peakKb, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    } catch {
      // It has ended, or this system has no such file.
    }
  }, 10);
  await new Response(child.stdout).arrayBuffer();
  const code = await child.exited;
  clearInterval(watch);
  if (code !== 0) throw new Error(`'${command.join(" ")}' ended with ${code}`);
  return { ms: performance.now() - from, peakMb: peakKb === 0 ? Number.NaN : peakKb / 1000 };
}

/** Processor time in a compiled program of its own, cold: the first question of a process is the only one a hook or a run asks. */
async function choosing(context: BenchContext): Promise<Row> {
  const home = join(context.scratch, "filters-home");
  mkdirSync(join(home, "filters"), { recursive: true });
  for (let at = 0; at < 200; at++) {
    const text = `[filters.own-${at}]\ndescription = 'x'\nmatch_command = '^own${at}\\s+build\\b'\nstrip_lines_matching = ['^noise', '^\\s+at ']\n`;
    writeFileSync(join(home, "filters", `own-${at}.toml`), text);
  }
  const source = join(context.scratch, "choose.ts");
  const find = join(ROOT, "src", "output", "filters", "find.ts");
  writeFileSync(
    source,
    `import { openFilters } from ${JSON.stringify(find)};
const from = process.cpuUsage();
const found = (await openFilters("/nowhere")).find([process.argv[2] ?? ""]);
const definition = await found?.load();
const { user, system } = process.cpuUsage(from);
if (!definition) throw new Error("no filter");
console.log((user + system) / 1000);
`,
  );
  const outfile = join(context.scratch, "choose");
  await Bun.build({
    entrypoints: [source],
    format: "esm",
    target: "bun",
    splitting: true,
    bytecode: true,
    minify: true,
    compile: { outfile },
  });
  const times: number[] = [];
  for (let round = 0; round < 24; round++) {
    const command = round % 2 ? "cargo test" : "own150 build";
    const child = Bun.spawn([outfile, command], { env: { ...process.env, TOKENIX_HOME: home }, stdout: "pipe" });
    times.push(Number(await new Response(child.stdout).text()));
  }
  return {
    name: "filters: choose and load one, 200 of one's own beside the bundled",
    value: median(times.slice(2)),
    unit: "ms",
    atMost: 1.5,
  };
}

/**
 * Ten times the input, how many times the processor's time: on each filter's own text, and on text made to make regexes
 * backtrack. Processor time of equal amounts of text, so that other processes and the clock's grain do not count.
 */
async function worstInputs(): Promise<Row[]> {
  const hostile = [
    "1".repeat(1900),
    " ".repeat(1900),
    "a ".repeat(950),
    "/a".repeat(950),
    "a:1:".repeat(475),
    "-=".repeat(950),
  ];
  let worst = { ratio: 0, name: "" };
  let slowest = { ms: 0, name: "" };
  for (const name of new Bun.Glob("*.toml").scanSync(FILTERS)) {
    const file = parseFilterToml(readFileSync(join(FILTERS, name), "utf8"));
    for (const filter of file.filters) {
      const compiled = compileFilter({ ...filter, filter_stderr: true });
      const own = (file.cases.get(filter.name) ?? []).map((one) => one.input + one.stderr).join("\n");
      for (const text of [own, hostile.join("\n")]) {
        if (text.length < 100) continue;
        processorMs(compiled, text, 40_000, 3);
        let ratio = Number.POSITIVE_INFINITY;
        // A collection that falls into one side looks like a bend in the curve: such a pair is measured again.
        for (let attempt = 0; attempt < 4 && ratio > 12; attempt++) {
          const small = processorMs(compiled, text, 40_000, 30);
          const large = processorMs(compiled, text, 400_000, 3);
          ratio = Math.min(ratio, (large / small) * 10);
          if (large / 3 > slowest.ms) slowest = { ms: large / 3, name: filter.name };
        }
        if (ratio > worst.ratio) worst = { ratio, name: filter.name };
      }
    }
  }
  return [
    {
      name: "filters: ten times the worst input, times the time",
      value: worst.ratio,
      unit: "x",
      atMost: 15,
      note: worst.name,
    },
    { name: "filters: slowest on 400 KB of its worst input", value: slowest.ms, unit: "ms", note: slowest.name },
  ];
}

function processorMs(filter: ReturnType<typeof compileFilter>, text: string, chars: number, rounds: number): number {
  const input = `${text}\n`.repeat(Math.ceil(chars / (text.length + 1))).slice(0, chars);
  const output = { command: "x", stdout: input, stderr: "", exitCode: 1 };
  const from = process.cpuUsage();
  for (let round = 0; round < rounds; round++) applyFilter(filter, output);
  const used = process.cpuUsage(from);
  return Math.max(0.1, (used.user + used.system) / 1000);
}
