/** Cursor: one entry in `hooks.json`. A hook that fails lets the call go on there, so the plain form is enough. */
import { join } from "node:path";
import type { Integration } from "../change.ts";
import type { InstallContext } from "../context.ts";
import { program, shellLine } from "../hook-command.ts";
import { cursorHome } from "../places.ts";

export function cursor(context: InstallContext): Integration {
  const isShared = context.isLocal;
  const folder = isShared ? join(context.project, ".cursor") : cursorHome(context);
  const binary = program(context, { shared: isShared });
  // PowerShell takes a quoted path for a text to print, unless it is called with an ampersand.
  const isQuotedOnWindows = context.platform === "win32" && /\s/.test(binary);
  const command = isQuotedOnWindows ? `& '${binary}' hook cursor` : shellLine(binary, "hook", "cursor");
  return {
    title: "Cursor",
    changes: [
      {
        kind: "json",
        path: join(folder, "hooks.json"),
        isShared,
        entries: [
          { how: "need", key: "version", value: 1 },
          { how: "append", at: ["hooks", "preToolUse"], value: { command, matcher: "Shell|Read|Grep", timeout: 10 } },
        ],
      },
    ],
    notes: [],
  };
}
