/** `tokenix run` in the command list; `main.ts` opens the door itself, before any list is loaded. */
import { defineCommand } from "citty";
import { runDoor } from "../../output/run/door.ts";

export default defineCommand({
  meta: { name: "run", description: "Run a command and print what matters of its output" },
  args: {
    raw: { type: "boolean", description: "Every byte as it comes (also TOKENIX_RAW=1)" },
    explain: { type: "boolean", description: "Say on stderr which filter ran and what it dropped" },
    shell: {
      type: "string",
      description: "bash, pwsh or cmd: the one word that follows is a line for it",
      valueHint: "S",
    },
  },
  run: ({ rawArgs }) => runDoor(rawArgs),
});
