/** `tokenix explore`: see `repo/context/context.ts`. */
import { defineCommand } from "citty";
import { contextArgs, runContext } from "../context-command.ts";

export default defineCommand({
  meta: { name: "explore", description: "Around a name or a topic: who uses what, then the source, inside a budget" },
  args: contextArgs,
  run: ({ args }) => runContext(args, true),
});
