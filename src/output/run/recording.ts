/** While `filter record` is on: what a matching command printed is kept, masked, for the author of a filter. */
import { isRecorded, recordingSession, saveRecording } from "../filters/record.ts";
import type { Captured } from "./capture.ts";
import type { Run } from "./run.ts";
import { writeAll } from "./sink.ts";
import { textOf } from "./text.ts";

export function recordRun(run: Run, [out, err]: readonly [Captured, Captured | undefined], exitCode: number): void {
  try {
    const session = recordingSession(run.root);
    if (!session || !isRecorded(session, run.names)) return;
    saveRecording(run.root, {
      command: run.line,
      exitCode,
      stdout: textOf(out).text,
      stderr: err ? textOf(err).text : "",
      merged: err === undefined,
      at: new Date().toISOString(),
    });
  } catch (error) {
    writeAll(2, `tokenix: not recorded: ${error instanceof Error ? error.message : error}\n`);
  }
}
