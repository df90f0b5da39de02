/** What the hook would answer to a payload, and why. Nothing is run, written, logged or remembered. */
import { dialectNamed, dialectOf, guessFromText, recognise } from "../dialects/index.ts";
import { type Answer, type Decision, SILENT, type ToolCall } from "../tool-call.ts";
import { BUDGET_MS, processContext } from "./context.ts";
import { decide } from "./decide.ts";
import { readPayload } from "./payload.ts";
import { concernsUs } from "./respond.ts";

export interface Explanation {
  readonly agent: string;
  readonly event: string;
  readonly tool: string;
  readonly kind: string;
  readonly decision: Decision["kind"];
  readonly why: string;
  readonly answer: Answer;
  readonly configProblems: readonly string[];
}

export async function explain(
  stream: ReadableStream<Uint8Array>,
  agent: string | undefined,
  door: "pre" | "post",
): Promise<Explanation> {
  const payload = await readPayload(stream, 30_000);
  const named = dialectNamed(agent);
  const dialect = (payload.value && recognise(payload.value, named)) ?? named ?? guessFromText(payload.text);
  const call = payload.value && dialect?.decode(payload.value, door);
  if (!dialect || !call) {
    const why = payload.problem ?? (dialect ? "the payload carries no tool call" : "no agent sends such a payload");
    return unknown(dialect?.id ?? "unknown", why, dialect?.pass(door) ?? SILENT);
  }
  const context = processContext(() => BUDGET_MS, { dryRun: true });
  const decision: Decision = concernsUs(call)
    ? await decide(call, context)
    : { kind: "pass", why: "a tool or an event that we take no part in" };
  const answer = decision.kind === "pass" ? dialect.pass(call.event) : dialectOf(call.dialect).encode(decision, call);
  const { problems } = await context.project(call.cwd);
  return {
    agent: dialect.id,
    event: call.event,
    tool: call.tool,
    kind: describe(call),
    decision: decision.kind,
    why: decision.why,
    answer,
    configProblems: problems,
  };
}

function describe(call: ToolCall): string {
  switch (call.kind) {
    case "shell":
      return `${call.shell.dialect} command: ${call.shell.command}`;
    case "read":
      return `read of ${call.read.path}`;
    case "grep":
      return `search for ${call.grep.pattern}`;
    default:
      return call.kind;
  }
}

function unknown(agent: string, why: string, answer: Answer): Explanation {
  return { agent, event: "unknown", tool: "", kind: "unknown", decision: "pass", why, answer, configProblems: [] };
}
