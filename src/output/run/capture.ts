/**
 * What a command prints, in bounded memory: all of it while it is small; then the first and the last megabytes, the lines
 * of the middle that speak of failure, and the whole on disk. Never loses a byte it has room for on disk, and says so when
 * it had none.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { removeQuietly } from "../../platform/files.ts";
import { isFailureLine } from "../filters/failure.ts";
import { inKeepingFolder } from "../recall/folder.ts";

/** Up to this the whole output is filtered. */
const WHOLE_BYTES = 6 * 1024 * 1024;
/** Of a longer one, this much of each end. */
const END_BYTES = 2 * 1024 * 1024;
const MOST_FAILURE_LINES = 120;
const MOST_FAILURE_CHARS = 48 * 1024;
const LONGEST_LINE = 2048;

/**
 * Parts of the words of failure in their usual cases, searched for as bytes: a text of every chunk would be half a
 * gigabyte of garbage for a gigabyte of output. A line that has one is looked at properly.
 */
const FAILURE_STEMS = [
  "rror",
  "RROR",
  "ail",
  "FAIL",
  "atal",
  "ATAL",
  "anic",
  "xcept",
  "raceback",
  "enied",
  "ot found",
  "bort",
].map((stem) => Buffer.from(stem));
/** The collector is in no hurry by itself: chunks that are done with would pile up. */
const COLLECT_EVERY_BYTES = 48 * 1024 * 1024;

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
  private collectedAt = 0;
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
    if (this.bytes - this.collectedAt < COLLECT_EVERY_BYTES) return;
    this.collectedAt = this.bytes;
    Bun.gc(true);
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
    const name = `${process.pid}-${Math.random().toString(36).slice(2, 10)}.spool`;
    try {
      this.spool = inKeepingFolder("stash", process.env, (folder) => {
        this.spoolPath = join(folder, name);
        return openSync(this.spoolPath, "wx", 0o600);
      });
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
    if (isFirst || this.hasEnoughFailures()) return;
    const firstEnd = buffer.indexOf(10);
    const lastEnd = buffer.lastIndexOf(10);
    if (firstEnd < 0) {
      this.unfinished = (this.unfinished + tailText(buffer)).slice(-LONGEST_LINE);
      return;
    }
    // The line that began in the chunk before.
    this.keepIfTelling(this.unfinished + buffer.toString("latin1", 0, Math.min(firstEnd, LONGEST_LINE)));
    this.unfinished = tailText(buffer.subarray(lastEnd + 1));
    for (const from of this.tellingLines(buffer, firstEnd + 1, lastEnd)) {
      if (this.hasEnoughFailures()) return;
      const end = buffer.indexOf(10, from);
      this.keepIfTelling(buffer.toString("latin1", from, Math.min(end, from + LONGEST_LINE)));
    }
  }

  /** Where lines begin that have a stem of failure in them, in order, each once. */
  private tellingLines(buffer: Buffer, from: number, to: number): number[] {
    const starts = new Set<number>();
    for (const stem of FAILURE_STEMS) {
      let hit = buffer.indexOf(stem, from);
      while (hit >= 0 && hit < to && starts.size < MOST_FAILURE_LINES * 8) {
        starts.add(buffer.lastIndexOf(10, hit) + 1);
        hit = buffer.indexOf(stem, buffer.indexOf(10, hit));
      }
    }
    return [...starts].sort((a, b) => a - b);
  }

  private keepIfTelling(line: string): void {
    if (!isFailureLine(line) || this.failureLines.at(-1) === line) return;
    this.failureLines.push(line);
    this.failureChars += line.length;
  }

  private hasEnoughFailures(): boolean {
    return this.failureLines.length >= MOST_FAILURE_LINES || this.failureChars >= MOST_FAILURE_CHARS;
  }
}

function tailText(buffer: Buffer): string {
  return buffer.toString("latin1", Math.max(0, buffer.length - LONGEST_LINE));
}
