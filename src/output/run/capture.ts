/**
 * What a command prints, in bounded memory: all of it while it is small; then the first and the last megabytes, the lines
 * of the middle that speak of failure, and the whole on disk. Never loses a byte it has room for on disk, and says so when
 * it had none.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateDir, removeQuietly } from "../../platform/files.ts";
import { homePath } from "../../platform/paths.ts";
import { isFailureLine } from "../filters/failure.ts";

/** Up to this the whole output is filtered. */
const WHOLE_BYTES = 6 * 1024 * 1024;
/** Of a longer one, this much of each end. */
const END_BYTES = 2 * 1024 * 1024;
const MOST_FAILURE_LINES = 120;
const MOST_FAILURE_CHARS = 48 * 1024;
const LONGEST_LINE = 2048;

/** Finds the lines worth a closer look; a quarter of a gigabyte a second. */
const FAILURE_HINT = /error|fail|fatal|panic|exception|traceback|denied|not found|cannot|abort/gi;

export interface Captured {
  readonly bytes: number;
  /** The whole output, or its beginning. */
  readonly head: Buffer;
  /** Empty when `head` is the whole. */
  readonly tail: Buffer;
  readonly omittedBytes: number;
  readonly omittedLines: number;
  /** From the omitted middle, as Latin-1 so that every byte survives; in order. */
  readonly failureLines: readonly string[];
  /** The whole raw output on disk; the caller keeps it or removes it. */
  readonly spoolPath?: string;
  /** Why there is no whole output on disk although it did not fit memory. */
  readonly spoolProblem?: string;
}

export class Capture {
  bytes = 0;
  private readonly parts: Uint8Array[] = [];
  private tail: Uint8Array[] = [];
  private tailBytes = 0;
  private isLong = false;
  private headBytes = 0;
  private spool = -1;
  private spoolPath = "";
  private spoolProblem = "";
  private omittedBytes = 0;
  private omittedLines = 0;
  private unfinished = "";
  private failureLines: string[] = [];
  private failureChars = 0;
  private afterwards: ((late: Uint8Array) => void) | undefined;

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.afterwards) {
      this.afterwards(chunk);
      return;
    }
    this.bytes += chunk.length;
    if (!this.isLong) {
      this.parts.push(chunk);
      if (this.bytes > WHOLE_BYTES) this.becomeLong();
      return;
    }
    this.write(chunk);
    this.keepTail(chunk);
  }

  /** From now on everything goes to `sink`, what was captured so far first. */
  divert(sink: (bytes: Uint8Array) => void): void {
    for (const part of this.parts) sink(part);
    this.parts.length = 0;
    this.afterwards = sink;
  }

  /** The end of capturing: what still comes goes to `afterwards`. */
  finish(afterwards: (late: Uint8Array) => void): Captured {
    this.afterwards = afterwards;
    if (!this.isLong)
      return {
        bytes: this.bytes,
        head: Buffer.concat(this.parts),
        tail: Buffer.alloc(0),
        omittedBytes: 0,
        omittedLines: 0,
        failureLines: [],
      };
    if (this.spool >= 0) closeSync(this.spool);
    let head = Buffer.concat(this.parts);
    let tail = Buffer.concat(this.tail);
    // Cut at line ends, where there are any: half a line would be counted twice or look like a whole one.
    const lastEnd = head.lastIndexOf(10);
    if (lastEnd > 0) {
      this.omittedBytes += head.length - lastEnd - 1;
      this.look(head.subarray(lastEnd + 1), true);
      head = head.subarray(0, lastEnd + 1);
    }
    const firstEnd = tail.indexOf(10);
    if (firstEnd >= 0 && firstEnd + 1 < tail.length) {
      this.omittedBytes += firstEnd + 1;
      this.look(tail.subarray(0, firstEnd + 1));
      tail = tail.subarray(firstEnd + 1);
    }
    return {
      bytes: this.bytes,
      head,
      tail,
      omittedBytes: this.omittedBytes,
      omittedLines: this.omittedLines,
      failureLines: this.failureLines,
      ...(this.spoolProblem ? { spoolProblem: this.spoolProblem } : { spoolPath: this.spoolPath }),
    };
  }

  private becomeLong(): void {
    this.isLong = true;
    this.openSpool();
    const all = Buffer.concat(this.parts);
    this.write(all);
    this.parts.length = 0;
    this.parts.push(Buffer.from(all.subarray(0, END_BYTES)));
    this.headBytes = END_BYTES;
    this.keepTail(Buffer.from(all.subarray(this.headBytes)));
  }

  private openSpool(): void {
    this.spoolPath = join(homePath("stash"), `${process.pid}-${Math.random().toString(36).slice(2, 10)}.spool`);
    try {
      ensurePrivateDir(dirname(this.spoolPath));
      this.spool = openSync(this.spoolPath, "wx", 0o600);
    } catch (error) {
      this.fail(error);
    }
  }

  private write(chunk: Uint8Array): void {
    if (this.spool < 0) return;
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(this.spool, chunk, at);
    } catch (error) {
      closeSync(this.spool);
      this.spool = -1;
      removeQuietly(this.spoolPath);
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    const code = (error as NodeJS.ErrnoException).code;
    this.spoolProblem = code === "ENOSPC" ? "the disk is full" : (code ?? String(error));
  }

  private keepTail(chunk: Uint8Array): void {
    this.tail.push(chunk);
    this.tailBytes += chunk.length;
    while (this.tailBytes - (this.tail[0]?.length ?? 0) >= END_BYTES) {
      const gone = this.tail.shift();
      if (!gone) break;
      this.tailBytes -= gone.length;
      this.omittedBytes += gone.length;
      this.look(gone);
    }
  }

  /** Counts the lines of bytes that are let go, and keeps those that speak of failure. */
  private look(bytes: Uint8Array, isFirst = false): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = buffer.indexOf(10); at >= 0; at = buffer.indexOf(10, at + 1)) this.omittedLines++;
    if (isFirst || this.failureLines.length >= MOST_FAILURE_LINES || this.failureChars >= MOST_FAILURE_CHARS) return;
    const text = this.unfinished + buffer.toString("latin1");
    const lastEnd = text.lastIndexOf("\n");
    this.unfinished = text.slice(lastEnd + 1).slice(-LONGEST_LINE);
    FAILURE_HINT.lastIndex = 0;
    for (let hit = FAILURE_HINT.exec(text); hit && hit.index < lastEnd; hit = FAILURE_HINT.exec(text)) {
      const from = text.lastIndexOf("\n", hit.index) + 1;
      const to = text.indexOf("\n", hit.index);
      FAILURE_HINT.lastIndex = to;
      const line = text.slice(from, Math.min(to, from + LONGEST_LINE));
      if (!isFailureLine(line) || this.failureLines.at(-1) === line) continue;
      this.failureLines.push(line);
      this.failureChars += line.length;
      if (this.failureLines.length >= MOST_FAILURE_LINES || this.failureChars >= MOST_FAILURE_CHARS) return;
    }
  }
}
