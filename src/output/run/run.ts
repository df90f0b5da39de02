/**
 * One command from start to exit code: choose the filter, start, capture, show, keep the way back, log. The command is
 * started exactly once, whatever goes wrong with us.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { removeQuietly } from "../../platform/files.ts";
import { findGitRoot } from "../../platform/git.ts";
import { logHookEvent } from "../../platform/hook-log.ts";
import type { Environment } from "../../platform/paths.ts";
import { openFilters } from "../filters/find.ts";
import { asksForMachineFormat } from "../filters/machine.ts";
import { repeatHint, retrieveHint, teeHint } from "../recall/hint.ts";
import { FEWEST_REPEAT_CHARS, rememberShown, seenBefore } from "../recall/repeat.ts";
import { digestOf, stash } from "../recall/store.ts";
import { isTeeOn, tee } from "../recall/tee.ts";
import { argvCandidates, candidates, requote, whyLeftAlone } from "../shell/index.ts";
import { Capture, type Captured } from "./capture.ts";
import { CannotStart, type Child, startCaptured, startInherited } from "./child.ts";
import type { RunRequest } from "./command.ts";
import { explain } from "./explain.ts";
import { type ChosenFilter, rawShown, type Shown, show } from "./print.ts";
import { areSameSink, isDevice, writeAll } from "./sink.ts";
import { tellOnce } from "./tell.ts";
import { printsVerbatim } from "./verbatim.ts";

/** Agents show no more than about this of one output, so no more can be saved. */
const MOST_SHOWN_CHARS = 30_000;
/** A smaller loss of noise needs no way back. */
const HINT_FROM_BYTES = 500;
/** How long a child that was told to end may take before what it printed so far is shown. */
const GRACE_MS = 1000;

interface Run {
  readonly request: RunRequest;
  readonly line: string;
  readonly names: readonly string[];
  readonly cwd: string;
  readonly root: string;
  readonly env: Environment;
}

/** Gives the exit code. @throws nothing that a fault of ours could cause after the command was started. */
export async function runCommand(request: RunRequest, env: Environment = process.env): Promise<number> {
  const cwd = process.cwd();
  const run: Run = {
    request,
    line: request.line ?? requote(request.argv, "bash") ?? request.argv.join(" "),
    names: namesOf(request),
    cwd,
    root: findGitRoot(cwd) ?? cwd,
    env,
  };
  const why = reasonForRaw(run);
  if (why) return runRaw(run, why);

  let filter: ChosenFilter | undefined;
  let problems: readonly string[] = [];
  try {
    ({ filter, problems } = await chooseFilter(run));
  } catch (error) {
    problems = [`no filter was used: ${error instanceof Error ? error.message : error}`];
  }
  if (problems.length > 0) tellOnce(problems, env);

  const isMerged = areSameSink() && (!filter || filter.definition.filter_stderr);
  const out = new Capture();
  const err = isMerged ? undefined : new Capture();
  const started = performance.now();
  let child: Child;
  try {
    child = startCaptured(request.argv, out, err);
  } catch (error) {
    return couldNotStart(run, error);
  }
  const stopped = watchSignals(child);
  const first = await Promise.race([child.ended, stopped.timeUp]);
  const durationMs = Math.round(performance.now() - started);
  const captured = [out.finish((late) => writeAll(1, late)), err?.finish((late) => writeAll(2, late))] as const;
  await deliver(run, {
    filter,
    captured,
    exitCode: first?.code ?? 128 + stopped.number(),
    durationMs,
    stoppedBy: stopped.name(),
  });
  // A child that takes its time to end is waited for, as it would be without us; what it had printed is out already.
  const ended = first ?? (await child.ended);
  if (ended.leftOpen)
    writeAll(2, "tokenix: a background process still holds the output; what it prints is not shown\n");
  return ended.code;
}

function namesOf(request: RunRequest): readonly string[] {
  try {
    if (request.line === undefined) return argvCandidates(request.argv);
    return candidates(request.line, request.shell ?? "bash");
  } catch {
    return [];
  }
}

/** Why nothing of ours may stand between the command and its reader. */
function reasonForRaw({ request, names, env, line }: Run): string | undefined {
  if (request.raw) return "--raw";
  if (env["TOKENIX_RAW"] === "1") return "TOKENIX_RAW=1";
  if (env["TOKENIX_DISABLED"] === "1") return "TOKENIX_DISABLED=1";
  if (isDevice(1)) return "stdout is a terminal";
  for (const name of names) {
    const why = whyLeftAlone(name.split(/\s+/));
    if (why === "endless") return "it runs until it is stopped";
    if (why === "interactive") return "it may ask or sign in";
    if (why === "ours") return "it is ours";
  }
  if (request.argv.length > 0 && /(?:^|[\\/])tokenix(?:\.exe)?$/.test(request.argv[0] ?? "")) return "it is ours";
  if (request.argv[0] === process.execPath) return "it is ours";
  return names.length === 0 && request.line !== undefined && asksForMachineFormat(line)
    ? "its output has a format for programs"
    : undefined;
}

async function runRaw(run: Run, why: string): Promise<number> {
  if (run.request.explain) writeAll(2, `tokenix: passed through: ${why}\n`);
  let child: Child;
  try {
    child = startInherited(run.request.argv);
  } catch (error) {
    return couldNotStart(run, error);
  }
  const stopped = watchSignals(child);
  const { code } = await child.ended;
  stopped.name();
  if (why !== "stdout is a terminal" && why !== "it is ours")
    logHookEvent(
      run.root,
      {
        action: "bypassed",
        tool: "shell",
        agent: "run",
        subject: run.line,
        rawTokens: 0,
        shownTokens: 0,
        exitCode: code,
        note: why,
      },
      run.env,
    );
  return code;
}

async function chooseFilter({
  names,
  root,
  env,
}: Run): Promise<{ filter?: ChosenFilter; problems: readonly string[] }> {
  const set = await openFilters(root, env);
  const found = set.find(names);
  const definition = await found?.load();
  if (!found || !definition) return { problems: set.problems };
  const { tier, isUnproven } = found;
  return { filter: { definition, tier, isUnproven }, problems: set.problems };
}

function couldNotStart(run: Run, error: unknown): number {
  if (!(error instanceof CannotStart)) throw error;
  writeAll(2, `tokenix: ${error.message}\n`);
  const [name = ""] = run.request.argv;
  if (whyLeftAlone([name]) === "shell") writeAll(2, `'${name}' belongs to the shell: run it without 'tokenix run'\n`);
  return error.exitCode;
}

/** Passes signals on to the child; after a grace time gives up waiting, so that what was printed is not lost. */
function watchSignals(child: Child) {
  const numbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
  let got: NodeJS.Signals | undefined;
  let isTimed = false;
  let giveUp: () => void = () => {};
  const timeUp = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });
  for (const signal of Object.keys(numbers) as NodeJS.Signals[]) {
    process.on(signal, () => {
      got ??= signal;
      // A terminal has sent its interrupt to the whole group already; a second one means "at once" to many programs.
      if (signal !== "SIGINT" || !isDevice(0)) child.kill(signal);
      if (!isTimed) setTimeout(giveUp, GRACE_MS);
      isTimed = true;
    });
  }
  return { timeUp, name: () => got, number: () => numbers[got ?? ""] ?? 0 };
}

interface Delivery {
  readonly filter: ChosenFilter | undefined;
  readonly captured: readonly [Captured, Captured | undefined];
  readonly exitCode: number;
  readonly durationMs: number;
  readonly stoppedBy: NodeJS.Signals | undefined;
}

/** Shows the answer; when anything of ours fails on the way, the raw output. */
async function deliver(run: Run, delivery: Delivery): Promise<void> {
  const { captured, stoppedBy } = delivery;
  const [out, err] = captured;
  let finals: Finals;
  try {
    finals = await prepare(run, delivery);
  } catch (error) {
    const note = `shown as it came, for a fault of ours: ${error instanceof Error ? error.message : error}`;
    finals = { out: { ...rawShown(out), notes: [note] }, err: err && { ...rawShown(err), notes: [] }, explained: "" };
  }
  const isOpen = emit(1, out, finals.out);
  if (finals.err && err) emit(2, err, finals.err);
  if (stoppedBy) writeAll(isOpen ? 1 : 2, `[tokenix: stopped by ${stoppedBy}; this is what was printed until then]\n`);
  for (const problem of new Set([
    finals.out.problem,
    finals.err?.problem,
    ...finals.out.notes,
    ...(finals.err?.notes ?? []),
  ]))
    if (problem) writeAll(2, `tokenix: ${problem}\n`);
  if (finals.explained) writeAll(2, finals.explained);
  for (const one of captured) if (one?.spoolPath) removeQuietly(one.spoolPath);
  logRun(run, delivery, finals);
}

interface Finals {
  readonly out: Final;
  readonly err: Final | undefined;
  readonly explained: string;
}

async function prepare(run: Run, { captured, exitCode, filter }: Delivery): Promise<Finals> {
  const [out, err] = captured;
  // Machine formats keep every byte; a filter that knows the format was chosen all the same.
  const keepsBytes = !filter && run.names.some(asksForMachineFormat);
  const verbatim = printsVerbatim(run.names);
  const besides = out.bytes > 0 && (err?.bytes ?? 0) > 0;
  const options = { command: run.line, exitCode, verbatim, besides };
  const one = async (stream: Captured, chosen: ChosenFilter | undefined) => {
    const shown = keepsBytes
      ? rawShown(stream)
      : await show(stream, { ...options, ...(chosen ? { filter: chosen } : {}) });
    return withWayBack(run, stream, shown, exitCode);
  };
  const finalOut = await one(out, filter);
  const finalErr = err && (await one(err, filter?.definition.filter_stderr ? filter : undefined));
  const told = { filter, out: finalOut, err: finalErr, keepsBytes, verbatim, names: run.names };
  return { out: finalOut, err: finalErr, explained: run.request.explain ? explain(told) : "" };
}

function logRun(run: Run, { filter, exitCode, durationMs }: Delivery, { out, err }: Finals): void {
  const rawChars = Math.min(out.rawChars + (err?.rawChars ?? 0), MOST_SHOWN_CHARS);
  const chars = Math.min(out.chars + (err?.chars ?? 0), rawChars);
  logHookEvent(
    run.root,
    {
      action: chars < rawChars ? "intercepted" : "pass",
      tool: "shell",
      agent: "run",
      subject: run.line,
      by: filter?.definition.name ?? "generic",
      rawTokens: Math.ceil(rawChars / 4),
      shownTokens: Math.ceil(chars / 4),
      exitCode,
      durationMs,
    },
    run.env,
  );
}

export type Final = Shown & { readonly notes: readonly string[]; readonly hint?: string };

/** Adds the one line that says how to get the rest, or takes the raw output where there is no way back. */
function withWayBack(run: Run, captured: Captured, shown: Shown, exitCode: number): Final {
  const isWhole = captured.omittedBytes === 0;
  try {
    if (exitCode === 0 && isWhole && !run.request.explain) {
      const repeat = repeated(run, captured, shown);
      if (repeat) return repeat;
    }
    if (shown.isRaw || (!shown.cut && shown.droppedBytes < HINT_FROM_BYTES)) return { ...shown, notes: [] };
    const raw = isWhole ? captured.head : captured.spoolPath ? { spoolPath: captured.spoolPath } : undefined;
    if (!raw) throw new Error(captured.spoolProblem ?? "it was not kept");
    if (exitCode !== 0 && isTeeOn(run.env)) return hinted(captured, shown, teeHint(tee(raw, run.line, run.env)));
    const key = stash(raw, detailsOf(run, captured, shown, exitCode), run.env);
    const what = `${shown.droppedBytes} of ${captured.bytes} bytes not shown`;
    return hinted(captured, shown, retrieveHint(key, what));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why =
      code === "ENOSPC" ? "the disk is full" : (code ?? (error instanceof Error ? error.message : String(error)));
    const notes = [`the full output could not be kept (${why})`];
    // Nothing is cut that can't be fetched again, as far as it is still in memory.
    return isWhole && shown.cut ? { ...rawShown(captured), notes } : { ...shown, notes };
  }
}

function hinted(captured: Captured, shown: Shown, hint: string): Final {
  const joint = shown.bytes.length === 0 || shown.bytes.at(-1) === 10 ? "" : "\n";
  const bytes = Buffer.concat([shown.bytes, Buffer.from(`${joint}${hint}\n`)]);
  // Never worse: a hint that costs more than it points to.
  if (bytes.length >= captured.bytes && captured.omittedBytes === 0) return { ...rawShown(captured), notes: [] };
  return { ...shown, bytes, chars: shown.chars + hint.length + 1, hint, notes: [] };
}

function repeated(run: Run, captured: Captured, shown: Shown): Final | undefined {
  if (shown.chars < FEWEST_REPEAT_CHARS) return undefined;
  const scope = { project: run.root, cwd: run.cwd, command: run.line };
  const key = digestOf(captured.head);
  const seen = seenBefore(scope, key, { env: run.env });
  if (seen) {
    const hint = repeatHint(key, seen.agoSeconds, shown.lines);
    return { ...shown, isRaw: false, bytes: Buffer.from(`${hint}\n`), chars: hint.length + 1, hint, notes: [] };
  }
  stash(captured.head, detailsOf(run, captured, shown, 0), run.env);
  rememberShown(scope, key, { env: run.env });
  return undefined;
}

function detailsOf(run: Run, captured: Captured, shown: Shown, exitCode: number) {
  return {
    command: run.line.slice(0, 400),
    project: run.root,
    exitCode,
    at: new Date().toISOString(),
    bytes: captured.bytes,
    shownChars: shown.chars,
  };
}

/** Writes the answer; a raw one that did not fit memory comes from its spool. */
function emit(fd: 1 | 2, captured: Captured, final: Final): boolean {
  if (!final.isRaw || captured.omittedBytes === 0) return writeAll(fd, final.bytes);
  if (!captured.spoolPath) return writeAll(fd, captured.head) && writeAll(fd, captured.tail);
  const file = openSync(captured.spoolPath, "r");
  try {
    const piece = Buffer.alloc(1024 * 1024);
    for (let count = readSync(file, piece, 0, piece.length, null); count > 0; ) {
      if (!writeAll(fd, piece.subarray(0, count))) return false;
      count = readSync(file, piece, 0, piece.length, null);
    }
    return true;
  } finally {
    closeSync(file);
  }
}
