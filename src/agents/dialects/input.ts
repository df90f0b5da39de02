/**
 * Tool inputs under all the names that agents use for the same thing. A key is compared without case,
 * `_` and `-`, so that `file_path`, `filePath` and `AbsolutePath` need no list a spelling.
 */
import { kept, mapped } from "../../platform/lists.ts";
import { firstNumber, flagOf, type JsonObject, type JsonValue, listOf, numberOf, textOf } from "../json.ts";
import type { Action, GrepInput, GrepOutput, HookEvent, ReadInput, ShellDialect } from "../tool-call.ts";

const COMMAND = ["command", "commandline", "cmd", "script"];
const PATH = ["filepath", "absolutepath", "targetfile", "path", "filename", "file"];
const OFFSET = ["offset", "startline", "startlinenumberbaseone", "startlinenumber"];
const LIMIT = ["limit", "maxlines"];
const END = ["endline", "endlinenumberbaseone", "endlinenumber"];
const PATTERN = ["pattern", "query", "regex", "searchterm"];
const SEARCH_PATH = ["path", "searchpath", "searchdirectory", "dirpath", "directory"];
const GLOB = ["glob", "include", "includepattern", "includes"];
const BACKGROUND = ["runinbackground", "isbackground", "background"];
const HEAD_LIMIT = ["headlimit", "maxresults", "limit"];

/** Tools by their plain name: lower case, without `_` and `-`. */
const SHELL_TOOLS: Readonly<Record<string, ShellDialect>> = {
  bash: "bash",
  shell: "bash",
  runshellcommand: "bash",
  runcommand: "bash",
  runinterminal: "bash",
  runterminalcommand: "bash",
  runterminalcmd: "bash",
  terminal: "bash",
  execcommand: "bash",
  localshell: "bash",
  powershell: "pwsh",
  pwsh: "pwsh",
};
const READ_TOOLS = new Set(["read", "view", "viewfile", "readfile"]);
const GREP_TOOLS = new Set(["grep", "rg", "grepsearch", "searchfilecontent", "ripgrep", "findtextinfiles"]);
const GLOB_TOOLS = new Set(["glob", "filesearch", "findbyname", "findfiles"]);

/** The event of that name; without a name, what the door that was opened stands for. */
export function eventOf(
  events: Readonly<Record<string, HookEvent>>,
  named: string | undefined,
  door: "pre" | "post",
): HookEvent {
  if (named === undefined) return door;
  return Object.hasOwn(events, named) ? (events[named] ?? "other") : "other";
}

export function plainName(name: string): string {
  // By hand: this runs on every call of every session, and a first use of a pattern costs more than all of it.
  const text = name.toLowerCase();
  if (!text.includes("_") && !text.includes("-")) return text;
  return text.split("_").join("").split("-").join("");
}

/** The keys of the input that was asked about last, under their plain names: one call asks ten times. */
let known:
  | { readonly input: JsonObject; readonly keys: readonly string[]; readonly plain: readonly string[] }
  | undefined;

function keysOf(input: JsonObject) {
  if (known?.input === input) return known;
  const keys = kept(Object.keys(input), (key) => input[key] !== undefined);
  known = { input, keys, plain: mapped(keys, plainName) };
  return known;
}

/** The key, as sent, that stands for one of `names` (in their order). */
export function keyFor(input: JsonObject, names: readonly string[]): string | undefined {
  const { keys, plain } = keysOf(input);
  const [usual] = names;
  if (usual !== undefined && keys.includes(usual)) return usual;
  for (const name of names) {
    const at = plain.indexOf(name);
    if (at >= 0) return keys[at];
  }
  return undefined;
}

export function commandKey(input: JsonObject): string | undefined {
  const key = keyFor(input, COMMAND);
  return key !== undefined && typeof input[key] === "string" ? key : undefined;
}

export function headLimitKey(input: JsonObject): string {
  return keyFor(input, HEAD_LIMIT) ?? "head_limit";
}

/** What the call wants to do, without a result. Anything not understood to the end is "other". */
export function actionOf(tool: string, input: JsonObject): Action {
  const plain = plainName(tool);
  const mcp = mcpServer(tool);
  if (mcp !== undefined) return { kind: "mcp", server: mcp };
  const shell = Object.hasOwn(SHELL_TOOLS, plain) ? SHELL_TOOLS[plain] : undefined;
  if (shell) return shellAction(input, shell);
  if (READ_TOOLS.has(plain)) return readAction(input);
  if (GREP_TOOLS.has(plain)) return grepAction(input);
  if (GLOB_TOOLS.has(plain)) {
    const pattern = textAt(input, PATTERN);
    return pattern === undefined ? { kind: "other" } : { kind: "glob", pattern };
  }
  return { kind: "other" };
}

/** `mcp__server__tool` (Claude Code, Codex), `mcp_server_tool` (Gemini CLI), `MCP:tool` (Cursor). */
function mcpServer(tool: string): string | undefined {
  if (tool.startsWith("mcp__")) return tool.slice(5).split("__")[0] ?? "";
  if (tool.startsWith("mcp_")) return tool.slice(4).split("_")[0] ?? "";
  return tool.startsWith("MCP:") ? tool.slice(4) : undefined;
}

function shellAction(input: JsonObject, dialect: ShellDialect): Action {
  const command = textAt(input, COMMAND);
  if (command === undefined) return { kind: "other" };
  const key = keyFor(input, BACKGROUND);
  const background = key !== undefined && flagOf(input[key]) !== false;
  return { kind: "shell", shell: { command, dialect, background } };
}

function readAction(input: JsonObject): Action {
  const path = textAt(input, PATH);
  if (path === undefined) return { kind: "other" };
  const range = listOf(input["view_range"] ?? input["viewRange"]).map(numberOf);
  const offset = numberAt(input, OFFSET) ?? range[0];
  const end = numberAt(input, END) ?? range[1];
  const limit = numberAt(input, LIMIT) ?? (end !== undefined && end > 0 ? end - (offset ?? 1) + 1 : undefined);
  // Pages of a PDF are a part as well.
  const isPart = input["pages"] !== undefined && input["pages"] !== null && input["pages"] !== "";
  const read: ReadInput = {
    path,
    ...(offset === undefined ? {} : { offset }),
    ...(limit === undefined && !isPart ? {} : { limit: limit ?? 1 }),
  };
  return { kind: "read", read };
}

function grepAction(input: JsonObject): Action {
  const pattern = textAt(input, PATTERN);
  if (pattern === undefined || pattern === "") return { kind: "other" };
  const path = textAt(input, SEARCH_PATH);
  const glob = textAt(input, GLOB);
  const headLimit = numberAt(input, HEAD_LIMIT);
  const grep: GrepInput = {
    pattern,
    output: grepOutput(input["output_mode"] ?? input["outputMode"]),
    ignoreCase: flagOf(input["-i"] ?? input["ignore_case"] ?? input["ignoreCase"] ?? input["CaseInsensitive"]) === true,
    ...(path ? { path } : {}),
    ...(glob ? { glob } : {}),
    ...(headLimit === undefined ? {} : { headLimit }),
  };
  return { kind: "grep", grep };
}

/** Claude Code's Grep lists files unless told otherwise. */
function grepOutput(value: JsonValue | undefined): GrepOutput {
  if (value === "content" || value === "count") return value;
  return "files";
}

function textAt(input: JsonObject, names: readonly string[]): string | undefined {
  const key = keyFor(input, names);
  return key === undefined ? undefined : textOf(input[key]);
}

function numberAt(input: JsonObject, names: readonly string[]): number | undefined {
  const key = keyFor(input, names);
  return key === undefined ? undefined : firstNumber(input, key);
}
