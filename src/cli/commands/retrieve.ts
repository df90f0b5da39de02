/** `tokenix retrieve KEY`: the way back to an output that was cut. What it prints is never shrunk again. */
import { defineCommand } from "citty";
import { retrieve } from "../../output/recall/retrieve.ts";
import { detailsOf } from "../../output/recall/store.ts";
import { writeAll } from "../../output/run/sink.ts";
import { EXIT, UserError } from "../../platform/errors.ts";
import { logHookEvent } from "../../platform/hook-log.ts";

export default defineCommand({
  meta: { name: "retrieve", description: "Print an output that was cut, whole or in part, byte for byte" },
  args: {
    key: { type: "positional", required: true, description: "The 12 digits in the [tokenix: …] line" },
    lines: { type: "string", description: "Only these lines, from 1", valueHint: "A-B" },
    grep: { type: "string", description: "Only lines that match, with their numbers", valueHint: "RE" },
    tail: { type: "string", description: "Only the last lines", valueHint: "N" },
  },
  run({ args }) {
    const tail = args.tail === undefined ? undefined : Number(args.tail);
    if (tail !== undefined && (!Number.isInteger(tail) || tail < 1))
      throw new UserError(`--tail must be a whole number above 0, not '${args.tail}'`, undefined, EXIT.usage);
    const { bytes } = retrieve(
      args.key,
      {
        ...(args.lines === undefined ? {} : { lines: args.lines }),
        ...(args.grep === undefined ? {} : { grep: args.grep }),
        ...(tail === undefined ? {} : { tail }),
      },
      (piece) => writeAll(1, piece),
    );
    const details = detailsOf(args.key);
    // What is fetched back was not saved.
    logHookEvent(details?.project ?? process.cwd(), {
      action: "retrieve",
      tool: "shell",
      agent: "run",
      subject: details?.command ?? args.key,
      rawTokens: 0,
      shownTokens: Math.ceil(bytes / 4),
    });
    return EXIT.ok;
  },
});
