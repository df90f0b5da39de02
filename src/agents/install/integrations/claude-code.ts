/**
 * Claude Code: three entries in its settings, in the exec form (`command` and `args`), which no shell and no quoting
 * comes between. A missing program is an error line there, and the call goes on. `--local` writes the settings that
 * Claude Code itself keeps out of git.
 */
import { join } from "node:path";
import type { Integration, JsonEntry } from "../change.ts";
import type { InstallContext } from "../context.ts";
import { instructionLines } from "../instructions.ts";
import { claudeHome } from "../places.ts";

/** Read and Grep are answered after they ran; before they run there is only a limit to add. */
const BEFORE = "^(Read|Grep|Bash|PowerShell|grep_search|run_in_terminal)$";
const AFTER = "^(Read|Grep|Glob|Bash|PowerShell|mcp__.+)$";
/** The agent's refusal of a file for its size is where the outline helps. */
const AFTER_FAILURE = "^Read$";

export function claudeCode(context: InstallContext): Integration {
  const folder = context.isLocal ? join(context.project, ".claude") : claudeHome(context);
  const binary =
    context.platform === "win32" && !/\.exe$/i.test(context.binary) ? `${context.binary}.exe` : context.binary;
  const entry = (event: string, matcher: string, door: string): JsonEntry => ({
    how: "append",
    at: ["hooks", event],
    value: { matcher, hooks: [{ type: "command", command: binary, args: [door, "claude"], timeout: 10 }] },
  });
  return {
    title: "Claude Code",
    changes: [
      {
        kind: "json",
        path: join(folder, context.isLocal ? "settings.local.json" : "settings.json"),
        isShared: false,
        entries: [
          entry("PreToolUse", BEFORE, "hook"),
          entry("PostToolUse", AFTER, "hook-post"),
          entry("PostToolUseFailure", AFTER_FAILURE, "hook-post"),
        ],
      },
      {
        kind: "block",
        format: "markdown",
        id: "instructions",
        path: context.isLocal ? join(context.project, "CLAUDE.local.md") : join(folder, "CLAUDE.md"),
        isShared: false,
        lines: instructionLines,
      },
    ],
    notes: [
      "Running sessions take the hooks at once, new ones when the workspace is trusted.",
      ...(context.isLocal ? ["Keep both files out of git: they name a program of this machine."] : []),
    ],
  };
}
