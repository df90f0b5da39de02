/**
 * Copilot CLI and Copilot in VS Code read the same folders, so one file of our own serves both; the payload says which
 * of them calls. Copilot CLI takes any failure of a hook for a refusal of the tool, so every line is guarded: with the
 * program gone, killed or broken, a session goes on as if there were no hook.
 */
import { join } from "node:path";
import type { Change, Integration } from "../change.ts";
import type { InstallContext } from "../context.ts";
import { type Door, guardedPowerShellLine, guardedShellLine, program } from "../hook-command.ts";
import { instructionLines } from "../instructions.ts";
import { copilotHome } from "../places.ts";

export function copilot(context: InstallContext): Integration {
  return integration("Copilot CLI", context);
}

export function vscode(context: InstallContext): Integration {
  return integration("Copilot in VS Code", context);
}

function integration(title: string, context: InstallContext): Integration {
  const folder = context.isLocal ? join(context.project, ".github") : copilotHome(context);
  const isShared = context.isLocal;
  const binary = program(context, { shared: isShared });
  const hook = (door: Door): object => ({
    type: "command",
    bash: guardedShellLine(binary, door, "", ""),
    powershell: guardedPowerShellLine(binary, door, "", ""),
    timeoutSec: 10,
  });
  const file = { version: 1, hooks: { preToolUse: [hook("hook")], postToolUse: [hook("hook-post")] } };
  const changes: Change[] = [
    {
      kind: "own-file",
      path: join(folder, "hooks", "tokenix.json"),
      isShared,
      text: `${JSON.stringify(file, null, 2)}\n`,
    },
  ];
  if (context.isLocal) {
    const path = join(folder, "copilot-instructions.md");
    changes.push({ kind: "block", format: "markdown", id: "instructions", path, isShared, lines: instructionLines });
  }
  return {
    title,
    changes,
    notes: ["Copilot CLI and VS Code read the same file."],
  };
}
