/**
 * What sharing an index and keeping current cost: export, import, their sizes, and the look for a newer release that an
 * interactive start may begin. That one is measured in a terminal (`script` gives it one), against a start that is told
 * not to look.
 */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FORMS } from "../../src/update/asset.ts";
import { type BenchContext, median, type Row } from "../bench.ts";
import { assetOf, countsForBudget, DIST, DOWNLOAD_BUDGET, TARGETS } from "../build.ts";
import { writeTree } from "./indexing.ts";

export async function bench(context: BenchContext): Promise<Row[]> {
  const { binary, scratch } = context;
  const env = { TOKENIX_HOME: join(scratch, "ship-home") };
  const cwd = writeTree(join(scratch, "ship"), 3750, 18_750_000);
  for (const args of [
    ["init", "-q"],
    ["-c", "user.name=b", "-c", "user.email=b@x", "commit", "-q", "--allow-empty", "-m", "b"],
  ])
    Bun.spawnSync(["git", ...args], { cwd });
  await context.measure([binary, "index", cwd], { env, runs: 1 });
  const file = join(scratch, "team.gz");
  const once = await context.measure([binary, "export-index", file, "--force"], { env, cwd, runs: 3 });
  const there = { TOKENIX_HOME: join(scratch, "ship-home-2") };
  const taking = `rm -rf '${there.TOKENIX_HOME}'; exec '${binary}' import-index '${file}'`;
  const taken = await context.ratio(["sh", "-c", taking], { env: there, cwd, runs: 7 });
  const { ms, peakMb } = await context.measure(["sh", "-c", taking], { env: there, cwd, runs: 3 });
  const rows: Row[] = [
    { name: "export: 30,000 chunks", value: once.ms, unit: "ms" },
    { name: "export: 30,000 chunks, file", value: statSync(file).size / 1e6, unit: "MB" },
    // The mark is 1.5 seconds where E is 6 ms.
    { name: "import: 30,000 chunks", value: taken, unit: "E", atMost: 250, note: `${ms.toFixed(0)} ms here` },
    { name: "import: 30,000 chunks, peak memory", value: peakMb, unit: "MB" },
  ];
  const look = await updateLook(context);
  if (look !== undefined)
    rows.push({ name: "update: a start that looks against one that does not", value: look, unit: "x", atMost: 1.1 });
  return [...rows, ...downloads()];
}

/** Undefined where there is no `script` to give a command a terminal. */
async function updateLook({ binary, scratch }: BenchContext): Promise<number | undefined> {
  if (process.platform !== "linux" || !Bun.which("script")) return undefined;
  const home = join(scratch, "look-home");
  const record = join(home, "update-check.json");
  mkdirSync(home, { recursive: true });
  // A release build: one from source only tells. Nobody listens at the mirror, so no network is touched.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:CI|CLAUDECODE|TOKENIX_AIRGAP)$/.test(name));
  const env = { ...Object.fromEntries(inherited), TOKENIX_HOME: home, TOKENIX_MIRROR: "http://127.0.0.1:9" };
  const start = async (looks: boolean): Promise<number> => {
    rmSync(record, { force: true });
    if (!looks) writeFileSync(record, JSON.stringify({ triedAt: Date.now() }));
    const started = Bun.nanoseconds();
    const child = Bun.spawn(["script", "-qec", `'${binary}' licenses`, "/dev/null"], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      env: env as Record<string, string>,
    });
    await child.exited;
    const ms = (Bun.nanoseconds() - started) / 1e6;
    if (looks && !existsSync(record)) throw new Error("the start that should look for a release did not");
    return ms;
  };
  const ratios: number[] = [];
  for (let run = 0; run < 31; run++) ratios.push((await start(true)) / (await start(false)));
  return median(ratios);
}

/** Of the assets in dist/, when `bun run build:all` has made them. */
function downloads(): Row[] {
  return TARGETS.flatMap((target) =>
    FORMS.flatMap((form): Row[] => {
      const path = join(DIST, assetOf(target, form));
      if (!existsSync(path)) return [];
      return [
        {
          name: `download: ${assetOf(target, form)}`,
          value: statSync(path).size / 1e6,
          unit: "MB",
          ...(countsForBudget(target, form) ? { atMost: DOWNLOAD_BUDGET / 1e6 } : {}),
        },
      ];
    }),
  );
}
