/**
 * Gemini CLI: one entry in its settings. It wants one JSON object whatever happens, and takes an exit code above 1
 * for a refusal: the line is guarded. Its time limits are in milliseconds.
 */
import { join } from "node:path";
import type { Integration } from "../change.ts";
import type { InstallContext } from "../context.ts";
import { guardedPowerShellLine, guardedShellLine, program } from "../hook-command.ts";
import { geminiHome } from "../places.ts";

export function gemini(context: InstallContext): Integration {
  const isShared = context.isLocal;
  const folder = isShared ? join(context.project, ".gemini") : geminiHome(context);
  const binary = program(context, { shared: isShared });
  const line = context.platform === "win32" ? guardedPowerShellLine : guardedShellLine;
  const value = {
    matcher: "^(run_shell_command|read_file|grep_search|search_file_content)$",
    hooks: [{ name: "tokenix", type: "command", command: line(binary, "hook", "gemini", "{}"), timeout: 10_000 }],
  };
  return {
    title: "Gemini CLI",
    changes: [
      {
        kind: "json",
        path: join(folder, "settings.json"),
        isShared,
        entries: [{ how: "append", at: ["hooks", "BeforeTool"], value }],
      },
    ],
    notes: [],
  };
}
