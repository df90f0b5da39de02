/**
 * One tool call of any agent, and what we decide about it. Past `dialects/` nothing knows an agent's
 * field names: code asks this type, and a dialect turns the decision back into the agent's own words.
 */
import type { JsonObject, JsonValue } from "./json.ts";

export type DialectId = "claude" | "codex" | "copilot" | "vscode" | "antigravity" | "gemini" | "opencode" | "cursor";

/** `pre`: before the tool runs. `post`: after a success. `post-failure`: after a failure, whose result can't be replaced. */
export type HookEvent = "pre" | "post" | "post-failure" | "session-start" | "other";

export type ShellDialect = "bash" | "pwsh";

export interface ShellInput {
  readonly command: string;
  readonly dialect: ShellDialect;
  readonly background: boolean;
}

export interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Only where the agent says it. */
  readonly exitCode?: number;
  /** Cut short by a time limit or by the user, moved to the background, or no text at all. */
  readonly unusual: boolean;
  /** The file that holds the whole output when the agent itself cut it. */
  readonly wholeOutputPath?: string;
}

export interface ReadInput {
  readonly path: string;
  /** First line wanted, 1-based. */
  readonly offset?: number;
  readonly limit?: number;
}

export type ReadResult =
  | { readonly state: "text"; readonly text: string; readonly whole: boolean; readonly totalLines: number }
  /** The agent's own stub for a file it has shown before. */
  | { readonly state: "unchanged" }
  | { readonly state: "other" };

export type GrepOutput = "content" | "files" | "count";

export interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly output: GrepOutput;
  readonly headLimit?: number;
  readonly ignoreCase: boolean;
}

export interface GrepResult {
  readonly matched: boolean;
  readonly text: string;
}

/** The paths that were found, in the agent's order. */
export interface GlobResult {
  readonly paths: readonly string[];
}

/** The text blocks of an MCP answer, in order; blocks of other kinds are kept by the dialect. */
export interface McpResult {
  readonly texts: readonly string[];
}

export type Action =
  | { readonly kind: "shell"; readonly shell: ShellInput; readonly result?: ShellResult }
  | { readonly kind: "read"; readonly read: ReadInput; readonly result?: ReadResult }
  | { readonly kind: "grep"; readonly grep: GrepInput; readonly result?: GrepResult }
  | { readonly kind: "glob"; readonly pattern: string; readonly result?: GlobResult }
  | { readonly kind: "mcp"; readonly server: string; readonly result?: McpResult }
  | { readonly kind: "other" };

export type ToolCall = Action & {
  readonly dialect: DialectId;
  readonly event: HookEvent;
  /** As the agent sent it. */
  readonly tool: string;
  /** As the agent sent it: a rewrite copies every key. */
  readonly input: JsonObject;
  /** As the agent sent it, for a replacement in the same shape. */
  readonly rawResult?: JsonValue;
  /** The error text of a failed tool. */
  readonly failure?: string;
  readonly cwd?: string;
  readonly sessionId?: string;
  readonly toolUseId?: string;
  readonly permissionMode?: string;
  readonly transcriptPath?: string;
  readonly payload: JsonObject;
};

export type CallOf<K extends ToolCall["kind"]> = Extract<ToolCall, { kind: K }>;

/** Every decision says why, for `explain-hook` and the log. */
export type Decision =
  | { readonly kind: "pass"; readonly why: string }
  /** `allow` only where the user's own rules, or the mode, already let the original run unasked. */
  | { readonly kind: "rewrite-command"; readonly command: string; readonly why: string }
  | { readonly kind: "limit-grep"; readonly headLimit: number; readonly why: string }
  | { readonly kind: "block"; readonly reason: string; readonly why: string }
  | { readonly kind: "replace"; readonly with: Replacement; readonly why: string }
  | { readonly kind: "add-context"; readonly text: string; readonly why: string };

export type Replacement =
  /** `exitCode`: for an agent whose own line about it goes with the result. */
  | { readonly kind: "shell"; readonly stdout: string; readonly stderr: string; readonly exitCode?: number }
  /** Another text in the place of the file. */
  | { readonly kind: "read"; readonly text: string; readonly totalLines: number }
  /** The same lines, changed inside: their range stays. */
  | { readonly kind: "read-text"; readonly text: string }
  /** `matched`: the same matches, changed inside; else an answer where there was no match. */
  | { readonly kind: "grep"; readonly text: string; readonly matched: boolean }
  /** The lines of the listing. */
  | { readonly kind: "glob"; readonly lines: readonly string[] }
  | { readonly kind: "mcp"; readonly texts: readonly string[] };

/** What the process does: hooks only ever end with 0, or 2 for a block. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
}

/** What this agent lets a hook do with this very call. */
export interface Abilities {
  /** A result of this kind can be swapped after a success. */
  readonly replaces: boolean;
  /** Results of failing commands can be swapped too. */
  readonly replacesFailures: boolean;
  /** A command can be rewritten before it runs. */
  readonly rewrites: boolean;
  /** Its successes are shrunk afterwards, so that only what a later hook can't reach is worth rewriting. */
  readonly keepsCommands: boolean;
  /** A refusal's reason reaches the model, so that it can stand in for a result. */
  readonly blocks: boolean;
  readonly limitsGrep: boolean;
  readonly addsContext: boolean;
  /** The person is shown a replaced result a second time: fewer tokens than this are not worth it. */
  readonly leastSpared?: number;
}

export interface Dialect {
  readonly id: DialectId;
  /** What `tokenix hook NAME` accepts. */
  readonly names: readonly string[];
  /** 0 = not this agent's payload; higher = surer. */
  recognise(payload: JsonObject): number;
  /** Undefined when the payload carries no tool call. `door` says which command was started, for agents that name no event. */
  decode(payload: JsonObject, door: "pre" | "post"): ToolCall | undefined;
  abilities(call: ToolCall): Abilities;
  encode(decision: Decision, call: ToolCall): Answer;
  /** "Go on", for an event of a payload that may not have been understood at all. */
  pass(event: HookEvent): Answer;
}

export const SILENT: Answer = { stdout: "", stderr: "", exitCode: 0 };

export function answerJson(value: unknown): Answer {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: "", exitCode: 0 };
}
