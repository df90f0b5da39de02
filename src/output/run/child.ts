/**
 * The user's command as a child: its own words, our stdin, environment and working directory, one or two pipes. Knows how
 * it ended; knows nothing of filters. Waits for the process, not for a pipe that something it left behind still holds.
 */
import type { Capture } from "./capture.ts";
import { writeAll } from "./sink.ts";

export interface Ended {
  /** The child's own, 128+N when a signal ended it. */
  readonly code: number;
  /** A background process still holds the pipe: what it prints later is not shown. */
  readonly leftOpen: boolean;
  /** Its name; a number where it has none (Windows). */
  readonly signal: NodeJS.Signals | number | null;
}

/** What shells say of a command that died of one of these. They can't say it here: their own child is us, and we exit. */
const DEATHS: Partial<Record<NodeJS.Signals, string>> = {
  SIGABRT: "Aborted",
  SIGBUS: "Bus error",
  SIGFPE: "Floating point exception",
  SIGILL: "Illegal instruction",
  SIGKILL: "Killed",
  SIGSEGV: "Segmentation fault",
  SIGSYS: "Bad system call",
  SIGTRAP: "Trace/breakpoint trap",
};

/** The exit code; a death that a shell would have named is named on stderr. */
export function exitOf(ended: Ended): number {
  const death = typeof ended.signal === "string" ? DEATHS[ended.signal] : undefined;
  if (death) writeAll(2, `${death}\n`);
  return ended.code;
}

/** After the process has ended, a pipe that stays open is read until it is silent for this long, and never longer than `MOST_DRAIN_MS`. */
const SILENT_MS = 15;
const MOST_DRAIN_MS = 250;

export interface Child {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Further descriptors that the command names (`diff <(a) <(b)` gives it `/dev/fd/63`): a child gets only what it is handed.
 */
function namedDescriptors(argv: readonly string[]): (number | null)[] {
  const further: (number | null)[] = [];
  for (const word of argv) {
    const number = Number(/^\/(?:dev|proc\/self)\/fd\/(\d{1,4})$/.exec(word)?.[1] ?? 0);
    if (number > 2) further[number - 3] = number;
  }
  return Array.from(further, (fd) => fd ?? null);
}

/** stdout and stderr are the terminal's, file's or pipe's own: nothing of ours stands between. */
export function startInherited(argv: readonly string[]): Child {
  const child = start(argv, (words) =>
    Bun.spawn(words, { stdio: ["inherit", "inherit", "inherit", ...namedDescriptors(argv)] }),
  );
  return {
    pid: child.pid,
    ended: child.exited.then((code) => ({ code, leftOpen: false, signal: child.signalCode })),
    kill: (signal) => child.kill(signal),
  };
}

/** With one capture both streams go into one pipe, so that their order is the child's own. */
export function startCaptured(argv: readonly string[], out: Capture, err: Capture | undefined): Child {
  const isMerged = err === undefined && process.platform !== "win32";
  const words = isMerged ? ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh", ...argv] : argv;
  if (isMerged) requireProgram(argv);
  const child = start(words, (line) =>
    Bun.spawn(line, { stdio: ["inherit", "pipe", isMerged ? "inherit" : "pipe", ...namedDescriptors(argv)] }),
  );
  const streams = [pump(child.stdout as ReadableStream<Uint8Array>, out)];
  if (!isMerged) streams.push(pump(child.stderr as ReadableStream<Uint8Array>, err ?? out));
  return { pid: child.pid, ended: endOf(child, streams), kill: (signal) => child.kill(signal) };
}

interface Pump {
  readonly done: Promise<void>;
  lastData: number;
  cancel(): void;
}

function pump(stream: ReadableStream<Uint8Array>, into: Capture): Pump {
  const reader = stream.getReader();
  const state = {
    lastData: 0,
    cancel: () => void reader.cancel().catch(() => {}),
    done: Promise.resolve(),
  };
  state.done = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      into.push(value);
      state.lastData = performance.now();
    }
  })().catch(() => {});
  return state;
}

async function endOf(child: Bun.Subprocess, pumps: readonly Pump[]): Promise<Ended> {
  const code = await child.exited;
  const signal = child.signalCode;
  const drained = Promise.all(pumps.map((one) => one.done)).then(() => true);
  const from = performance.now();
  for (;;) {
    if (await Promise.race([drained, Bun.sleep(SILENT_MS / 3).then(() => false)]))
      return { code, leftOpen: false, signal };
    const now = performance.now();
    const last = Math.max(from, ...pumps.map((one) => one.lastData));
    if (now - last > SILENT_MS || now - from > MOST_DRAIN_MS) break;
  }
  for (const one of pumps) one.cancel();
  return { code, leftOpen: true, signal };
}

/** The command could not be started: a shell's own words and codes for it. */
export class CannotStart extends Error {
  constructor(
    message: string,
    readonly exitCode: 126 | 127,
  ) {
    super(message);
  }
}

function start(argv: readonly string[], spawn: (words: string[]) => Bun.Subprocess): Bun.Subprocess {
  try {
    return spawn([...argv]);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // A script without a first line that names its interpreter: every shell runs it itself.
    if (code === "ENOEXEC" && process.platform !== "win32") {
      const script = Bun.which(argv[0] ?? "") ?? argv[0] ?? "";
      return spawn(["/bin/sh", script, ...argv.slice(1)]);
    }
    throw cannotStart(argv[0] ?? "", code, error);
  }
}

function requireProgram(argv: readonly string[]): void {
  const [name = ""] = argv;
  // A path is left to exec, which knows the difference between missing and not executable.
  if (!name.includes("/") && !Bun.which(name)) throw cannotStart(name, "ENOENT", undefined);
}

function cannotStart(name: string, code: string | undefined, error: unknown): CannotStart {
  if (code === "ENOENT") {
    const what = name.includes("/") ? "No such file or directory" : "command not found";
    return new CannotStart(`${name}: ${what}`, 127);
  }
  if (code === "EACCES") return new CannotStart(`${name}: Permission denied`, 126);
  if (code === "E2BIG") return new CannotStart(`${name}: Argument list too long`, 126);
  return new CannotStart(`${name}: ${error instanceof Error ? error.message : String(error)}`, 126);
}
