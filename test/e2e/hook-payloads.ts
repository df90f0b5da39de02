/** Payloads for the hook of the built binary, and what came back, parsed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "../../src/agents/json.ts";
import { runIndex } from "../../src/repo/index/run.ts";
import { withWriter } from "../../src/repo/index/writer.ts";
import type { Sandbox } from "../support/sandbox.ts";

export interface HookCall {
  readonly event?: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly response?: unknown;
  readonly error?: string;
  readonly mode?: string;
  readonly session?: string;
}

export function claudePayload(box: Sandbox, call: HookCall): string {
  return JSON.stringify({
    session_id: call.session ?? "session-1",
    transcript_path: `${box.home}/.claude/projects/x.jsonl`,
    cwd: box.root,
    permission_mode: call.mode ?? "default",
    hook_event_name: call.event ?? (call.response === undefined ? "PreToolUse" : "PostToolUse"),
    tool_name: call.tool,
    tool_input: call.input,
    ...(call.response === undefined ? {} : { tool_response: call.response }),
    ...(call.error === undefined ? {} : { error: call.error }),
  });
}

export interface Answered {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** `hookSpecificOutput`, or an empty object. */
  readonly output: JsonObject;
}

export async function hook(
  box: Sandbox,
  payload: string,
  options: { door?: "hook" | "hook-post"; agent?: string; env?: Record<string, string | undefined> } = {},
): Promise<Answered> {
  const args = [
    options.door ?? "hook",
    ...(options.agent === undefined ? ["claude"] : [options.agent]).filter(Boolean),
  ];
  // What is answered is tested here, not how fast: the machine may be busy.
  const env = { CLAUDE_PROJECT_DIR: box.root, TOKENIX_HOOK_BUDGET_MS: "60000", ...options.env };
  const { code, stdout, stderr } = await box.run(args, { stdin: payload, env });
  let output: JsonObject = {};
  if (stdout.trim() !== "") {
    const value: unknown = JSON.parse(stdout);
    const inner = isObject(value) ? value["hookSpecificOutput"] : undefined;
    if (isObject(inner)) output = inner;
  }
  return { code, stdout, stderr, output };
}

/** What a command line becomes, or undefined when it is left alone. */
export async function rewritten(
  box: Sandbox,
  command: string,
  mode = "bypassPermissions",
): Promise<string | undefined> {
  const answer = await hook(box, claudePayload(box, { tool: "Bash", input: { command }, mode }));
  if (answer.code !== 0) throw new Error(`exit ${answer.code}: ${answer.stderr}`);
  const input = answer.output["updatedInput"];
  return isObject(input) && typeof input["command"] === "string" ? input["command"] : undefined;
}

export async function indexed(box: Sandbox): Promise<void> {
  await withWriter(box.root, { purpose: "test", env: box.env }, (store) => runIndex(store, { env: box.env, jobs: 1 }));
}

export function allow(box: Sandbox, permissions: JsonObject): void {
  box.write({ ".claude/settings.json": JSON.stringify({ permissions }) });
  const projects = { [box.root]: { hasTrustDialogAccepted: true } };
  writeFileSync(join(box.home, ".claude.json"), JSON.stringify({ projects }));
}
