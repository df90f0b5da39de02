/**
 * What is shown of a finished command, and how the rest can be had. Loaded only when there is something to show, while the
 * command is still running.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { removeQuietly } from "../../platform/files.ts";
import { asksForMachineFormat } from "../filters/machine.ts";
import { isConfined } from "../recall/folder.ts";
import { repeatHint, retrieveHint, teeHint } from "../recall/hint.ts";
import { FEWEST_REPEAT_CHARS, rememberShown, seenBefore } from "../recall/repeat.ts";
import { digestOf, stash } from "../recall/store.ts";
import { isTeeOn, tee } from "../recall/tee.ts";
import type { Captured } from "./capture.ts";
import { explain } from "./explain.ts";
import { type ChosenFilter, rawShown, type Shown, show } from "./print.ts";
import type { Run } from "./run.ts";
import { writeAll } from "./sink.ts";
import { printsVerbatim } from "./verbatim.ts";
import { leftOut } from "./way-back.ts";

/** What was shown of what, in characters, for the log. */
export interface Told {
  readonly rawChars: number;
  readonly chars: number;
}

export interface Delivery {
  readonly filter: ChosenFilter | undefined;
  readonly captured: readonly [Captured, Captured | undefined];
  readonly exitCode: number;
  readonly stoppedBy: NodeJS.Signals | undefined;
}

/** Shows the answer; when anything of ours fails on the way, the raw output. */
export async function deliver(run: Run, delivery: Delivery): Promise<Told> {
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
  return {
    rawChars: finals.out.rawChars + (finals.err?.rawChars ?? 0),
    chars: finals.out.chars + (finals.err?.chars ?? 0),
  };
}

interface Finals {
  readonly out: Final;
  readonly err: Final | undefined;
  readonly explained: string;
}

/** The answer of both streams, not yet written. */
export async function prepare(run: Run, { captured, exitCode, filter }: Delivery): Promise<Finals> {
  const [out, err] = captured;
  // Machine formats keep every byte; a filter that knows the format was chosen all the same.
  const keepsBytes = !filter && run.names.some(asksForMachineFormat);
  const verbatim = printsVerbatim(run.names);
  const besides = out.bytes > 0 && (err?.bytes ?? 0) > 0;
  const lent = run.loadRanker ? { loadRanker: run.loadRanker } : {};
  const options = { command: run.line, exitCode, verbatim, besides, ...lent };
  const one = async (stream: Captured, chosen: ChosenFilter | undefined) => {
    const shown = keepsBytes
      ? rawShown(stream)
      : await show(stream, { ...options, ...(chosen ? { filter: chosen } : {}) });
    return keepsBytes ? { ...shown, notes: [] } : withWayBack(run, stream, shown, exitCode);
  };
  const finalOut = await one(out, filter);
  const finalErr = err && (await one(err, filter?.definition.filter_stderr ? filter : undefined));
  const told = { filter, out: finalOut, err: finalErr, keepsBytes, verbatim, names: run.names };
  return { out: finalOut, err: finalErr, explained: run.request.explain ? explain(told) : "" };
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
    const left = leftOut(isWhole ? captured.head : undefined, shown, exitCode);
    if (!left) return { ...shown, notes: [] };
    const raw = isWhole ? captured.head : captured.spoolPath ? { spoolPath: captured.spoolPath } : undefined;
    if (!raw) throw new Error(captured.spoolProblem ?? "it was not kept");
    if (exitCode !== 0 && isTeeOn(run.env)) return hinted(captured, shown, teeHint(tee(raw, run.line, run.env), left));
    const key = stash(raw, detailsOf(run, captured, shown, exitCode), run.env);
    const what = `${shown.droppedBytes} of ${captured.bytes} bytes not shown`;
    return hinted(captured, shown, retrieveHint(key, what));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why =
      code === "ENOSPC" ? "the disk is full" : (code ?? (error instanceof Error ? error.message : String(error)));
    // Nothing is left out that can't be fetched again, as far as it is still in memory.
    const notes = [`the full output could not be kept (${why})`];
    if (!isWhole) return { ...shown, notes };
    // A sandbox that can't be written to is no news, and everything is shown: the line would only cost.
    return { ...rawShown(captured), notes: isConfined(error) ? [] : notes };
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
    const hint = repeatHint(key, seen.agoSeconds, lineCount(captured.head));
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

function lineCount(bytes: Buffer): number {
  let count = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
