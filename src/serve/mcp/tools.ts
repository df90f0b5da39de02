/**
 * The tools that the MCP server offers: each is one of our commands, with its arguments named and typed. A call runs the
 * command in a process of its own, so that no call can grow, block or end the server, and every answer is as fresh as
 * the command's own.
 */
import { realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { isAbsolute, relative, resolve } from "node:path";
import { capture } from "../../platform/process.ts";
import { IS_COMPILED } from "../../platform/version.ts";

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, { type: "string" | "integer" | "boolean"; description: string }>>;
  readonly required: readonly string[];
  /** The words of the command line. */
  readonly words: (input: Readonly<Record<string, unknown>>) => readonly string[];
}

type Input = Readonly<Record<string, unknown>>;

const text = (description: string) => ({ type: "string", description }) as const;
const number = (description: string) => ({ type: "integer", description }) as const;

/** `--flag value` where the input has one. Values are words of their own, and what begins like a flag is refused by the command. */
function option(input: Input, key: string, flag = `--${key}`): readonly string[] {
  const value = input[key];
  return value === undefined || value === "" ? [] : [flag, String(value)];
}

const word = (input: Input, key: string): string => String(input[key] ?? "");

export const TOOLS: readonly ToolSpec[] = [
  {
    name: "tokenix_query",
    description:
      "Find the code that answers a question, by words and meaning: places with their source, inside a token budget.",
    properties: { query: text("the question, or a name"), budget: number("tokens at most (1200)") },
    required: ["query"],
    words: (input) => ["query", word(input, "query"), ...option(input, "budget")],
  },
  {
    name: "tokenix_context",
    description: "What to read for a task: entry points, how they hang together, and source, inside a token budget.",
    properties: {
      task: text("the task in a sentence"),
      budget: number("tokens at most (4000)"),
      mode: text("plan, debug, audit, security or review"),
    },
    required: ["task"],
    words: (input) => ["context", word(input, "task"), ...option(input, "budget"), ...option(input, "mode")],
  },
  {
    name: "tokenix_symbols",
    description: "Where a name is defined; near names when there is none.",
    properties: { name: text("a name or Type.name") },
    required: ["name"],
    words: (input) => ["symbols", word(input, "name")],
  },
  {
    name: "tokenix_callers",
    description: "Who calls a symbol: each place, its function, and how sure that is.",
    properties: { symbol: text("a name, Type.name or path:name") },
    required: ["symbol"],
    words: (input) => ["callers", word(input, "symbol")],
  },
  {
    name: "tokenix_impact",
    description: "What breaks when a symbol changes: who depends on it, and who depends on them.",
    properties: { symbol: text("a name, Type.name or path:name"), depth: number("steps away (3)") },
    required: ["symbol"],
    words: (input) => ["impact", word(input, "symbol"), ...option(input, "depth")],
  },
  {
    name: "tokenix_read",
    description: "A file's outline when it is large, or one symbol or range of it.",
    properties: { file: text("path"), symbol: text("only this symbol"), lines: text("only these lines: A-B") },
    required: ["file"],
    words: (input) => ["read", word(input, "file"), ...option(input, "symbol"), ...option(input, "lines")],
  },
  {
    name: "tokenix_grep",
    description: "Lines of the indexed text that match a regular expression.",
    properties: { pattern: text("regular expression"), limit: number("lines at most") },
    required: ["pattern"],
    words: (input) => ["grep", word(input, "pattern"), ...option(input, "limit")],
  },
];

const TIMEOUT_MS = 60_000;
const MOST_BYTES = 4_000_000;

/**
 * A client that may call this tool has not thereby allowed every file of the machine: an agent's own rules for reading
 * know nothing of our arguments. Links are followed before it is decided; a file that is missing is the command's to name.
 */
async function liesOutside(file: string, cwd: string): Promise<boolean> {
  const { findProjectRoot } = await import("../../repo/store/root.ts");
  try {
    const root = realpathSync(findProjectRoot(realpathSync(cwd)).root);
    const path = relative(root, realpathSync(resolve(cwd, file)));
    return /^\.\.(?:[\\/]|$)/.test(path) || isAbsolute(path);
  } catch {
    return false;
  }
}

let running = 0;
const waiting: (() => void)[] = [];

/** As many commands at a time as there are cores: a client that asks forty questions at once starts no forty processes. */
async function inTurn<T>(start: () => Promise<T>): Promise<T> {
  if (running < availableParallelism()) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await start();
  } finally {
    // The place is handed on, so nobody who comes meanwhile can take it.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Runs a tool's command. The command's own refusals are results that say so, never protocol errors. */
export async function callTool(spec: ToolSpec, input: Input, cwd: string): Promise<ToolResult> {
  const words = spec.words(input);
  const flagLike = words
    .slice(1)
    .find(
      (one, i) =>
        one.startsWith("-") && !words[i]?.startsWith("--") && !/^--(?:budget|mode|depth|symbol|lines|limit)$/.test(one),
    );
  if (flagLike !== undefined) return { text: `'${flagLike}' can't be an argument here`, isError: true };
  const outside = typeof input["file"] === "string" && (await liesOutside(input["file"], cwd));
  if (outside)
    return { text: `${input["file"]} lies outside the project, which is all that is read here`, isError: true };
  const program = IS_COMPILED ? [process.execPath] : [process.execPath, Bun.main];
  const { code, stdout, stderr, timedOut } = await inTurn(() =>
    capture([...program, ...words], { cwd, timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES }),
  );
  if (timedOut) return { text: `${spec.name} took longer than ${TIMEOUT_MS / 1000} s and was ended`, isError: true };
  const told = [stdout.trimEnd(), stderr.trimEnd()].filter(Boolean).join("\n");
  return { text: told || "nothing was found", isError: code > 1 || (code === 1 && stdout === "") };
}
