/** A command with nothing of ours between it and its reader; and what every run needs: signals, and a start that fails. */
import { CannotStart, type Child, startInherited } from "./child.ts";
import type { RunRequest } from "./command.ts";
import { isDevice, writeAll } from "./sink.ts";

/** How long a child that was told to end may take before what it printed so far is shown. */
const GRACE_MS = 1000;

/** What can be known of a request without understanding its command. */
export function reasonForRaw(
  request: RunRequest,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (request.raw) return "--raw";
  if (env["TOKENIX_RAW"] === "1") return "TOKENIX_RAW=1";
  if (env["TOKENIX_DISABLED"] === "1") return "TOKENIX_DISABLED=1";
  if (isDevice(1)) return "stdout is a terminal or a device";
  const [program = ""] = request.argv;
  // What `retrieve` brings back is never shrunk again.
  return program === process.execPath || /(?:^|[\\/])tokenix(?:\.exe)?$/.test(program) ? "it is ours" : undefined;
}

export async function runRaw(
  request: RunRequest,
  why: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  if (request.explain) writeAll(2, `tokenix: passed through: ${why}\n`);
  const child = startInherited(request.argv);
  watchSignals(child);
  const isLogged = why.startsWith("TOKENIX_") || why === "--raw";
  // Loaded while the command runs.
  const loading = isLogged ? import("./log.ts") : undefined;
  const { code } = await child.ended;
  (await loading)?.logBypassed(request, why, code, env);
  return code;
}

export async function couldNotStart(request: RunRequest, error: unknown): Promise<number> {
  if (!(error instanceof CannotStart)) throw error;
  writeAll(2, `tokenix: ${error.message}\n`);
  const { whyLeftAlone } = await import("../shell/programs.ts");
  const [name = ""] = request.argv;
  if (whyLeftAlone([name]) === "shell") writeAll(2, `'${name}' belongs to the shell: run it without 'tokenix run'\n`);
  return error.exitCode;
}

export interface Stopped {
  /** Resolves when the child has had its time to end and still runs. */
  readonly timeUp: Promise<undefined>;
  /** The first signal that came. */
  name(): NodeJS.Signals | undefined;
  number(): number;
}

/** Passes signals on to the child; after a grace time stops waiting, so that what was printed is not lost. */
export function watchSignals(child: Child): Stopped {
  const numbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
  let got: NodeJS.Signals | undefined;
  let giveUp: () => void = () => {};
  const timeUp = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });
  for (const signal of Object.keys(numbers) as NodeJS.Signals[]) {
    process.on(signal, () => {
      // A terminal has sent its interrupt to the whole group already; a second one means "at once" to many programs.
      if (signal !== "SIGINT" || !isDevice(0)) child.kill(signal);
      if (!got) setTimeout(giveUp, GRACE_MS);
      got ??= signal;
    });
  }
  return { timeUp, name: () => got, number: () => numbers[got ?? ""] ?? 0 };
}
