/** Child processes for our own needs (git, tools). `output/run` has its own spawn: it carries the user's command. */
export interface Finished {
  /** 128+N when a signal ended it, 127 when it could not be started, 124 when our time limit did. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

export interface CaptureOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** Output past this is dropped and the process ended: a tool of ours never needs more. */
  readonly maxBytes?: number;
}

/** Runs a program to its end and gives back what it printed. Never throws for the program's own failure. */
export async function capture(command: readonly string[], options: CaptureOptions = {}): Promise<Finished> {
  let child: Bun.Subprocess<"pipe" | "ignore", "pipe", "pipe">;
  try {
    child = Bun.spawn([...command], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdin: options.stdin === undefined ? "ignore" : "pipe",
      stdout: "pipe",
      stderr: "pipe",
      windowsHide: true,
    });
  } catch (error) {
    return { code: 127, stdout: "", stderr: error instanceof Error ? error.message : String(error), timedOut: false };
  }
  let timedOut = false;
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          child.kill("SIGKILL");
        }, options.timeoutMs);
  if (options.stdin !== undefined && child.stdin && typeof child.stdin !== "number") {
    try {
      child.stdin.write(options.stdin);
      await child.stdin.end();
    } catch {
      // The program did not want its input; how it ended says more than our broken pipe.
    }
  }
  const maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
  const [stdout, stderr] = await Promise.all([
    collect(child.stdout, maxBytes, child),
    collect(child.stderr, maxBytes, child),
  ]);
  const code = await child.exited;
  clearTimeout(timer);
  return { code: timedOut ? 124 : code, stdout, stderr, timedOut };
}

async function collect(stream: ReadableStream<Uint8Array>, maxBytes: number, child: { kill(): void }): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > maxBytes) {
      child.kill();
      break;
    }
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

/** True while a process of that id lives (also when it is not ours to signal). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
