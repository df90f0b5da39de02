/** `tokenix filter record start|stop|status [CMD]`: keep what commands print, for whoever writes a filter. */
import { defineCommand } from "citty";
import {
  readRecordings,
  recordingSession,
  recordingsDir,
  startRecording,
  stopRecording,
} from "../../../output/filters/record.ts";
import { EXIT } from "../../../platform/errors.ts";
import { filterRoot } from "./place.ts";

const command = {
  type: "positional",
  required: false,
  description: "Only commands that begin with these words, in quotes",
} as const;

/** What surprises at a prompt: there every output passes through, unseen by us. */
function howToRecord(words: string): string {
  return `at a terminal outputs pass through and nothing is kept: run it as 'tokenix run ${words} | cat', or let an agent run it`;
}

const start = defineCommand({
  meta: { name: "start", description: "Keep what 'tokenix run' sees from now on, for a day at most" },
  args: { command },
  run({ args }) {
    const root = filterRoot();
    const session = startRecording(root, args.command ?? "");
    console.log(`recording ${session.command ? `'${session.command}'` : "every command"} into ${recordingsDir(root)}`);
    console.log(howToRecord(session.command || "CMD"));
    console.log("credentials are masked, and git ignores the folder; end it with: tokenix filter record stop");
    return EXIT.ok;
  },
});

const stop = defineCommand({
  meta: { name: "stop", description: "End recording; what was recorded stays" },
  run() {
    const root = filterRoot();
    const session = recordingSession(root);
    const wasOn = stopRecording(root);
    const kept = readRecordings(root).length;
    console.log(wasOn ? `stopped; ${kept} recordings` : "nothing was being recorded");
    if (wasOn && kept === 0) console.log(howToRecord(session?.command || "CMD"));
    return EXIT.ok;
  },
});

const status = defineCommand({
  meta: { name: "status", description: "Whether recording is on, and what there is" },
  args: { command, json: { type: "boolean", description: "Print JSON" } },
  run({ args }) {
    const root = filterRoot();
    const session = recordingSession(root);
    const recordings = readRecordings(root, args.command ?? "");
    if (args.json) {
      const list = recordings.map(({ command, exitCode, at, stdout, stderr }) => ({
        command,
        exitCode,
        at,
        chars: stdout.length + stderr.length,
      }));
      console.log(JSON.stringify({ session, recordings: list }, undefined, 2));
      return EXIT.ok;
    }
    console.log(session ? `on since ${session.startedAt}: ${session.command || "every command"}` : "off");
    if (session && recordings.length === 0) console.log(howToRecord(session.command || "CMD"));
    for (const { command, exitCode, stdout, stderr } of recordings)
      console.log(
        `  exit ${String(exitCode).padStart(3)}  ${String(stdout.length + stderr.length).padStart(8)} chars  ${command}`,
      );
    return EXIT.ok;
  },
});

export default defineCommand({
  meta: { name: "record", description: "Keep what commands print, for writing a filter" },
  subCommands: { start, stop, status },
});
