/**
 * Ends the process when the hook's time is up and its own thread can't: held in a system call by a disk that does
 * not answer, or in a loop. It writes the agent's "go on" and exits 0 by the C library, which no thread can stop.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";

declare const self: Worker;

export interface Watch {
  readonly afterMs: number;
  readonly stdout: string;
  /** Not 0: the hook has its answer and is writing it. */
  readonly done: SharedArrayBuffer;
}

self.onmessage = (event: MessageEvent<Watch>) => {
  const { afterMs, stdout, done } = event.data;
  setTimeout(() => {
    if (Atomics.load(new Int32Array(done), 0) === 0) endProcess(stdout);
  }, afterMs);
};

function endProcess(stdout: string): void {
  const bytes = new TextEncoder().encode(stdout);
  for (const name of libraries()) {
    try {
      const write = process.platform === "win32" ? "_write" : "write";
      const { symbols } = dlopen(name, {
        [write]: { args: [FFIType.i32, FFIType.ptr, FFIType.u64], returns: FFIType.i64 },
        _exit: { args: [FFIType.i32], returns: FFIType.void },
      });
      const call = symbols as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
      if (bytes.length > 0) call[write]?.(1, ptr(bytes), bytes.length);
      call["_exit"]?.(0);
    } catch {
      // Another name of the library, or none: then only the agent's own time limit is left.
    }
  }
}

function libraries(): readonly string[] {
  switch (process.platform) {
    case "darwin":
      return ["libSystem.B.dylib"];
    case "win32":
      return ["msvcrt.dll"];
    default:
      return ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1", "libc.so"];
  }
}
