import { expect, test } from "bun:test";
import { count, duration, progressLine, progressText, size } from "../../src/cli/progress.ts";

/** A stream that remembers; the fields of a terminal are what is under test. */
function stream(fields: { isTTY: boolean; columns?: number }) {
  const written: string[] = [];
  return {
    written,
    stream: { ...fields, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream,
  };
}

const half = { filesDone: 1204, files: 2408, bytesDone: 5_000_000, bytes: 10_000_000 };

test("progress says files, speed and time left", () => {
  expect(progressText(half, 2000)).toBe("indexing 50 %  1,204 of 2,408 files  2.5 MB/s  2 s left");
});

test("progress is one line that is written over, as wide as the terminal, and cleared at the end", () => {
  let now = 0;
  const terminal = stream({ isTTY: true, columns: 30 });
  const line = progressLine(terminal.stream, () => now);
  line.update(half);
  now = 50;
  line.update(half);
  now = 200;
  line.update(half);
  line.clear();
  expect(terminal.written.length).toBe(3);
  expect(terminal.written.every((text) => text.startsWith("\r\x1b[K"))).toBe(true);
  expect((terminal.written[0] ?? "").length).toBe(4 + 29);
});

test("a terminal that does not know its width gets the whole line, and a pipe gets nothing", () => {
  const unknown = stream({ isTTY: true, columns: 0 });
  progressLine(unknown.stream, () => 0).update(half);
  expect(unknown.written.join("")).toEndWith("left");
  const pipe = stream({ isTTY: false });
  const line = progressLine(pipe.stream, () => 0);
  line.update(half);
  line.clear();
  expect(pipe.written).toEqual([]);
});

test("numbers are written as people read them", () => {
  expect([count(1_234_567), duration(61), size(999), size(1_500_000), size(2_000_000_000)]).toEqual([
    "1,234,567",
    "1 min 1 s",
    "999 B",
    "1.5 MB",
    "2.00 GB",
  ]);
});
