/**
 * Ends the process by a timer of the C library, which calls `_exit(0)` on a thread of its own when the time is up: no
 * system call and no loop of ours can hold it. A quarter of the cost of a worker, but it can say nothing on the way,
 * so it is for agents that take silence for "go on". Undefined where there is no such timer (not Linux, an old glibc).
 */
import { dlopen, ptr } from "bun:ffi";
import type { Watchdog } from "./watchdog.ts";

const LIBRARIES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];
const CLOCK_MONOTONIC = 1;
const SIGEV_THREAD = 2;

const SYMBOLS = {
  timer_create: { args: ["i32", "ptr", "ptr"], returns: "i32" },
  // The timer's name has 64 bits.
  timer_settime: { args: ["i64", "i32", "ptr", "ptr"], returns: "i32" },
  dlsym: { args: ["ptr", "ptr"], returns: "ptr" },
} as const;

export function watchByTimer(afterMs: number): Watchdog | undefined {
  const library = openLibrary();
  if (!library) return undefined;
  const exit = library.dlsym(null, ptr(new TextEncoder().encode("_exit\0")));
  if (!exit) return undefined;
  // struct sigevent of 64-bit systems: the value (0: the exit code), the signal and the kind, the function.
  const event = new BigInt64Array(8);
  new Int32Array(event.buffer)[3] = SIGEV_THREAD;
  event[2] = BigInt(exit);
  const name = new BigInt64Array(1);
  if (library.timer_create(CLOCK_MONOTONIC, ptr(event), ptr(name)) !== 0) return undefined;
  const timer = name[0] ?? 0n;
  const set = (ms: number): boolean => {
    // struct itimerspec: no repetition, then seconds and nanoseconds.
    const time = new BigInt64Array(4);
    time[2] = BigInt(Math.floor(ms / 1000));
    time[3] = BigInt(Math.floor((ms % 1000) * 1e6));
    return library.timer_settime(timer, 0, ptr(time), null) === 0;
  };
  return set(Math.max(1, afterMs)) ? { callOff: () => void set(0) } : undefined;
}

function openLibrary() {
  if (process.platform !== "linux") return undefined;
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, SYMBOLS).symbols;
    } catch {
      // Another C library, or one without timers.
    }
  }
  return undefined;
}
