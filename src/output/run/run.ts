/**
 * One captured command from start to exit code: choose the filter, capture, show, keep the way back, log. The command is
 * started exactly once, whatever goes wrong with us. Where stdout and stderr go different ways it is running already
 * when this is loaded.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findGitRoot } from "../../platform/git.ts";
import type { Environment } from "../../platform/paths.ts";
import { openFilters } from "../filters/find.ts";
import { asksForMachineFormat } from "../filters/machine.ts";
import type { RankerLoader } from "../filters/semantic.ts";
import { argvCandidates, candidates } from "../shell/candidates.ts";
import { whyLeftAlone } from "../shell/programs.ts";
import { requote } from "../shell/quote.ts";
import { Capture } from "./capture.ts";
import { type Child, exitOf, startCaptured, startInherited } from "./child.ts";
import type { RunRequest } from "./command.ts";
import type { Told } from "./deliver.ts";
import type { ChosenFilter } from "./print.ts";
import { type Stopped, watchSignals } from "./raw.ts";
import { writeAll } from "./sink.ts";

export interface Run {
  readonly request: RunRequest;
  readonly line: string;
  /** The command in every spelling that a filter may know it by. */
  readonly names: readonly string[];
  readonly cwd: string;
  /** The repository's, else the working directory: where filters and recordings of a repository are. */
  readonly root: string;
  readonly env: Environment;
  readonly loadRanker?: RankerLoader;
}

/** What rooms above this one lend to a run. */
export interface RunDependencies {
  readonly loadRanker?: RankerLoader;
}

/** A child whose two streams are captured apart. */
export interface Started {
  readonly child: Child;
  readonly out: Capture;
  readonly err: Capture | undefined;
  readonly stopped: Stopped;
}

/**
 * Gives the exit code.
 * @param started the running child, or undefined when both of our streams have one sink: then their order matters, and
 * the filter decides whether they share a pipe.
 * @throws CannotStart; after the command was started, nothing that a fault of ours could cause.
 */
export async function runCaptured(
  request: RunRequest,
  started: Started | undefined,
  env: Environment,
  deps: RunDependencies = {},
): Promise<number> {
  const from = performance.now();
  const run = { ...understood(request, env), ...deps };
  const why = reasonToPass(run);
  if (why) return passThrough(request, started, why);
  const filter = await chosenFilter(run);
  const { child, out, err, stopped } = started ?? startFor(request, filter);
  // Loaded while the command runs: nobody waits for it.
  const loading = Promise.all([import("./deliver.ts"), import("./log.ts")]);
  const first = await Promise.race([child.ended, stopped.timeUp]);
  const durationMs = Math.round(performance.now() - from);
  const captured = [out.finish((late) => writeAll(1, late)), err?.finish((late) => writeAll(2, late))] as const;
  const exitCode = first?.code ?? 128 + stopped.number();
  const stoppedBy = stopped.name();
  const [{ deliver }, { logRun }] = await loading;
  const isSilent = out.bytes === 0 && (err?.bytes ?? 0) === 0 && !stoppedBy && !request.explain;
  const told: Told = isSilent ? NOTHING : await deliver(run, { filter, captured, exitCode, stoppedBy });
  if (isRecording(run.root)) {
    const { recordRun } = await import("./recording.ts");
    recordRun(run, captured, exitCode);
  }
  logRun(run, told, { by: filter?.definition.name ?? "generic", exitCode, durationMs });
  // A child that takes its time to end is waited for, as it would be without us; what it had printed is out already.
  const ended = first ?? (await child.ended);
  if (ended.leftOpen)
    writeAll(2, "tokenix: a background process still holds the output; what it prints is not shown\n");
  return exitOf(ended);
}

const NOTHING: Told = { rawChars: 0, chars: 0 };

function understood(request: RunRequest, env: Environment): Run {
  const cwd = process.cwd();
  return {
    request,
    line: request.line ?? requote(request.argv, "bash") ?? request.argv.join(" "),
    names: namesOf(request),
    cwd,
    root: findGitRoot(cwd) ?? cwd,
    env,
  };
}

function isRecording(root: string): boolean {
  return existsSync(join(root, ".tokenix", "recordings", "session.json"));
}

function startFor(request: RunRequest, filter: ChosenFilter | undefined): Started {
  const out = new Capture();
  const err = !filter || filter.definition.filter_stderr ? undefined : new Capture();
  const child = startCaptured(request.argv, out, err);
  return { child, out, err, stopped: watchSignals(child) };
}

function namesOf(request: RunRequest): readonly string[] {
  try {
    if (request.line === undefined) return argvCandidates(request.argv);
    return candidates(request.line, request.shell ?? "bash");
  } catch {
    return [];
  }
}

/** Why the lines of this command are wanted as they come, or all of them as they are. */
function reasonToPass({ request, names, line }: Run): string | undefined {
  for (const name of names) {
    const why = whyLeftAlone(name.split(/\s+/));
    if (why === "endless") return "it runs until it is stopped";
    if (why === "interactive") return "it may ask or sign in";
    if (why === "ours") return "it is ours";
  }
  return names.length === 0 && request.line !== undefined && asksForMachineFormat(line)
    ? "its output has a format for programs"
    : undefined;
}

async function passThrough(request: RunRequest, started: Started | undefined, why: string): Promise<number> {
  if (request.explain) writeAll(2, `tokenix: passed through: ${why}\n`);
  // As they come from here on; what was captured in the first moments first.
  started?.out.divert((bytes) => writeAll(1, bytes));
  started?.err?.divert((bytes) => writeAll(2, bytes));
  if (started) return exitOf(await started.child.ended);
  const child = startInherited(request.argv);
  watchSignals(child);
  return exitOf(await child.ended);
}

async function chosenFilter(run: Run): Promise<ChosenFilter | undefined> {
  try {
    const set = await openFilters(run.root, run.env);
    if (set.problems.length > 0) (await import("./tell.ts")).tellOnce(set.problems, run.env);
    const found = set.find(run.names);
    const definition = await found?.load();
    return found && definition && { definition, tier: found.tier, isUnproven: found.isUnproven };
  } catch (error) {
    writeAll(2, `tokenix: no filter was used: ${error instanceof Error ? error.message : error}\n`);
    return undefined;
  }
}
