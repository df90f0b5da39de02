/** `tokenix context`: see `repo/context/context.ts`. */
import { defineCommand } from "citty";
import { contextArgs, runContext } from "../context-command.ts";

export default defineCommand({
  meta: {
    name: "context",
    description: "What to read for a task: entry points, how they hang together, and source, inside a budget",
  },
  args: contextArgs,
  run: ({ args }) => runContext(args, false),
});
