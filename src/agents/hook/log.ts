/** A hook's line in the log: what was there, what was shown, for which call. */
import { type HookEvent, logHookEvent } from "../../platform/hook-log.ts";
import { countTokens } from "../../platform/tokens.ts";
import type { ToolCall } from "../tool-call.ts";
import type { HookContext } from "./context.ts";

export interface Measured {
  readonly action: HookEvent["action"];
  readonly by?: string;
  readonly rawTokens: number;
  readonly shownTokens: number;
  readonly note?: string;
}

/** What agents show of a result at most; more than that was never a token of the conversation. */
const SHOWN_CHARACTERS = 30_000;

export function shownTokens(text: string): number {
  return countTokens(text.length > SHOWN_CHARACTERS ? text.slice(0, SHOWN_CHARACTERS) : text);
}

export async function logCall(call: ToolCall, context: HookContext, measured: Measured): Promise<void> {
  if (context.dryRun) return;
  const { root } = await context.project(call.cwd);
  const exitCode = call.kind === "shell" ? call.result?.exitCode : undefined;
  logHookEvent(
    root,
    {
      ...measured,
      tool: call.kind,
      agent: call.dialect,
      subject: subjectOf(call),
      ...(call.sessionId === undefined ? {} : { session: call.sessionId }),
      ...(exitCode === undefined ? {} : { exitCode }),
    },
    context.env,
  );
}

function subjectOf(call: ToolCall): string {
  switch (call.kind) {
    case "shell":
      return call.shell.command;
    case "read":
      return call.read.path;
    case "grep":
      return call.grep.pattern;
    case "glob":
      return call.pattern;
    default:
      return call.tool;
  }
}
