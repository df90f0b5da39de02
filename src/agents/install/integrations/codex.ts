/**
 * Codex: `hooks.json` beside its configuration, or `config.toml` where the user keeps hooks there. A hook does nothing
 * before the user has reviewed it in `/hooks`; that record is theirs to make. The command's text therefore stays the
 * same from version to version. A missing program counts as a failed hook, and the call goes on.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readTextIfPresent } from "../../../platform/files.ts";
import type { Change, Integration, JsonEntry } from "../change.ts";
import type { InstallContext } from "../context.ts";
import { program, shellLine, windowsBareLine } from "../hook-command.ts";
import { codexHome } from "../places.ts";

const EVENTS = [
  { event: "PreToolUse", matcher: "^Bash$", door: "hook" },
  { event: "PostToolUse", matcher: "^(Bash|mcp__.+)$", door: "hook-post" },
] as const;

/** `everywhere` names both files: removal looks in the one that would not be written today, too. */
export function codex(context: InstallContext, options: { readonly everywhere: boolean }): Integration {
  const folder = context.isLocal ? join(context.project, ".codex") : codexHome(context);
  return {
    title: "Codex",
    changes: options.everywhere ? [inJson(folder, context), inToml(folder, context)] : [hooksIn(folder, context)],
    notes: ["Codex runs a new hook only after you have reviewed it: type /hooks in a session."],
  };
}

function hooksIn(folder: string, context: InstallContext): Change {
  if (existsSync(join(folder, "hooks.json"))) return inJson(folder, context);
  const toml = withoutOurs(readTextIfPresent(join(folder, "config.toml"), 1 << 24) ?? "");
  return /^\s*\[{1,2}\s*hooks\b/m.test(toml) ? inToml(folder, context) : inJson(folder, context);
}

function inJson(folder: string, context: InstallContext): Change {
  const entries = EVENTS.map(({ event, matcher, door }): JsonEntry => {
    const hook = { type: "command", ...commandLines(context, door), timeout: 10 };
    return { how: "append", at: ["hooks", event], value: { matcher, hooks: [hook] } };
  });
  return { kind: "json", path: join(folder, "hooks.json"), isShared: context.isLocal, entries };
}

function inToml(folder: string, context: InstallContext): Change {
  const lines = EVENTS.flatMap(({ event, matcher, door }) => {
    const { command, commandWindows } = commandLines(context, door);
    return [
      `[[hooks.${event}]]`,
      `matcher = ${JSON.stringify(matcher)}`,
      `[[hooks.${event}.hooks]]`,
      'type = "command"',
      `command = ${JSON.stringify(command)}`,
      `commandWindows = ${JSON.stringify(commandWindows)}`,
      "timeout = 10",
    ];
  });
  return {
    kind: "block",
    format: "toml",
    id: "hooks",
    path: join(folder, "config.toml"),
    isShared: context.isLocal,
    lines,
  };
}

function commandLines(context: InstallContext, door: "hook" | "hook-post") {
  const binary = program(context, { shared: context.isLocal });
  return { command: shellLine(binary, door, "codex"), commandWindows: windowsBareLine(binary, door, "codex") };
}

function withoutOurs(text: string): string {
  return text.replace(/# >>> tokenix hooks[\s\S]*?# <<< tokenix hooks/g, "");
}
