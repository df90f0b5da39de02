/**
 * Antigravity: an entry under our own name in `hooks.json`. It refuses every call whose hook does not say "allow", and
 * how it splits a command line differs by version and system; so the command is the bare path of a small script beside
 * it, which says "allow" whatever happens to the program.
 */
import { join } from "node:path";
import type { Change, Integration } from "../change.ts";
import { forwardSlashes, type InstallContext } from "../context.ts";
import { guardedShellLine } from "../hook-command.ts";
import { geminiHome } from "../places.ts";

const GO_ON = '{"decision":"allow"}';

export function antigravity(context: InstallContext): Integration {
  const folder = context.isLocal ? join(context.project, ".agents") : join(geminiHome(context), "config");
  const isWindows = context.platform === "win32";
  const script = join(folder, isWindows ? "tokenix-hook.cmd" : "tokenix-hook.sh");
  const matcher = "^(run_command|view_file|grep_search)$";
  const entry = { matcher, hooks: [{ type: "command", command: forwardSlashes(script), timeout: 10 }] };
  const changes: Change[] = [
    {
      kind: "own-file",
      path: script,
      isShared: context.isLocal,
      isExecutable: true,
      text: isWindows ? windowsScript(context.binary) : unixScript(context.binary),
    },
    {
      kind: "json",
      path: join(folder, "hooks.json"),
      isShared: context.isLocal,
      entries: [{ how: "set", at: [], key: "tokenix", value: { PreToolUse: [entry] } }],
    },
  ];
  const notes = context.isLocal
    ? [
        "This hooks.json names a path of this machine, and Antigravity refuses calls whose hook is missing: don't commit it.",
      ]
    : [];
  if (!/^[A-Za-z0-9_@%+=:,./\\~-]+$/.test(script))
    notes.push(
      `The path ${script} holds a blank or a letter that versions of Antigravity split or read differently, and it refuses calls whose hook does not start: ${context.isLocal ? "install without --local, or move the repository" : "try one call before you rely on it"}.`,
    );
  return { title: "Antigravity", changes, notes };
}

function unixScript(binary: string): string {
  return `#!/bin/sh\n# Written by tokenix install-hook. Says "allow" when tokenix is gone: Antigravity takes silence for a refusal.\n${guardedShellLine(binary, "hook", "antigravity", GO_ON)}\n`;
}

function windowsScript(binary: string): string {
  const path = binary.replaceAll("/", "\\");
  const lines = ["@echo off", `"${path}" hook antigravity 2>nul`, `if errorlevel 1 echo ${GO_ON}`, "exit /b 0"];
  return `${lines.join("\r\n")}\r\n`;
}
