/** One line on a terminal's stderr that is written over: files, megabytes a second, time left. Nothing elsewhere. */
import { maybeTerminal } from "../platform/terminal.ts";
import type { Progress } from "../repo/index/run.ts";

const INTERVAL_MS = 100;

export type ProgressStream = Pick<NodeJS.WriteStream, "isTTY" | "write"> & { readonly columns?: number };

export interface ProgressLine {
  readonly update: (progress: Progress) => void;
  /** A file that is being downloaded. */
  readonly download: (file: string, received: number, total: number | undefined) => void;
  readonly clear: () => void;
}

export function progressLine(
  stream: ProgressStream = maybeTerminal(2) ? process.stderr : { isTTY: false, write: () => true },
  now: () => number = () => performance.now(),
): ProgressLine {
  const started = now();
  let last = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const show = (text: () => string) => {
    const at = now();
    if (!stream.isTTY || at - last < INTERVAL_MS) return;
    last = at;
    isShown = true;
    stream.write(`\r\x1b[K${text().slice(0, (stream.columns || 80) - 1)}`);
  };
  return {
    update: (progress) => show(() => progressText(progress, now() - started)),
    download: (file, received, total) =>
      show(() => `downloading ${file}: ${size(received)}${total ? ` of ${size(total)}` : ""}`),
    clear() {
      if (isShown) stream.write("\r\x1b[K");
      isShown = false;
    },
  };
}

export function progressText(progress: Progress, elapsedMs: number): string {
  const { filesDone, files, bytesDone, bytes } = progress;
  const seconds = Math.max(elapsedMs, 1) / 1000;
  const left = bytesDone > 0 ? Math.ceil(((bytes - bytesDone) / bytesDone) * seconds) : 0;
  const percent = bytes > 0 ? Math.floor((bytesDone / bytes) * 100) : 100;
  const speed = (bytesDone / 1e6 / seconds).toFixed(1);
  return `indexing ${percent} %  ${count(filesDone)} of ${count(files)} files  ${speed} MB/s  ${duration(left)} left`;
}

/** 12,345 without the language tables of `toLocaleString`, which take 2 ms to load. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 file`, `2 files`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** 1,234,567 bytes as people read them. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}
