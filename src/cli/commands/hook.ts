/** The hook's place in the command list; `main.ts` opens the door itself, before any list is loaded. */
import { defineCommand } from "citty";
import { hookDoor } from "../../agents/hook/door.ts";

export default defineCommand({
  meta: { name: "hook", description: "Answer an agent before it uses a tool (payload on stdin)" },
  args: {
    agent: { type: "positional", required: false, description: "The agent's name; without it the payload tells" },
  },
  run: ({ rawArgs }) => hookDoor("hook", rawArgs),
});
