/**
 * A search that is about to run. Where a result can be replaced later the literal search always runs, at most
 * with a limit on its lines; elsewhere a question is answered from the index in its place.
 */
import type { Abilities, CallOf, Decision } from "../tool-call.ts";
import { type HookContext, isLate, pass } from "./context.ts";
import { isToolExcluded } from "./exclusions.ts";

const DEFAULT_HEAD_LIMIT = 100;

export async function decideGrepBefore(
  call: CallOf<"grep">,
  context: HookContext,
  abilities: Abilities,
): Promise<Decision> {
  const { grep } = call;
  if (abilities.blocks) {
    const answer = await blockWithAnswer(call, context);
    if (answer) return answer;
  }
  const limit = headLimit(context.env["TOKENIX_GREP_HEAD_LIMIT"]);
  if (!abilities.limitsGrep || limit === 0) return pass("the search runs as it is");
  if (grep.headLimit !== undefined) return pass("the search has its own limit");
  // Only an agent that tells the form of its output can be told a limit that is sure to mean lines.
  if (call.dialect === "claude" && grep.output !== "content") return pass("names and counts are short");
  const project = await context.project(call.cwd);
  if (isToolExcluded("Grep", project.config.hook)) return pass("excluded by the project's configuration");
  if (!context.dryRun) {
    const { logCall } = await import("./log.ts");
    // The unbounded output never ran, so nothing is claimed for it.
    await logCall(call, context, { action: "pass", by: "head-limit", rawTokens: 0, shownTokens: 0 });
  }
  return { kind: "limit-grep", headLimit: limit, why: `no limit was given: the first ${limit} lines` };
}

async function blockWithAnswer(call: CallOf<"grep">, context: HookContext): Promise<Decision | undefined> {
  const project = await context.project(call.cwd);
  if (!project.isIndexed || isToolExcluded("Grep", project.config.hook)) return undefined;
  // The same search once more means that the answer was not what was wanted: then it runs.
  const { noteShown, shownBefore } = await import("./read-state.ts");
  const { dialect, sessionId, toolUseId } = call;
  const session = { dialect, sessionId, toolUseId, root: project.root };
  const what = `search\0${call.grep.pattern}`;
  if (shownBefore(session, what, context.env) !== undefined) return undefined;
  const { grepAnswer } = await import("./grep-answer.ts");
  const answer = await grepAnswer(call.grep, project, context, "in the place of a search for");
  if (!answer || isLate(context)) return undefined;
  if (!context.dryRun) noteShown(session, what, "outline", context.env);
  const { logCall } = await import("./log.ts");
  // What the search would have printed was never measured: the use is counted, no saving is claimed.
  await logCall(call, context, {
    action: "pass",
    by: answer.by,
    rawTokens: answer.tokens,
    shownTokens: answer.tokens,
  });
  return { kind: "block", reason: answer.text, why: `answered by ${answer.by}` };
}

function headLimit(value: string | undefined): number {
  const number = value === undefined || value.trim() === "" ? DEFAULT_HEAD_LIMIT : Number(value);
  return Number.isInteger(number) && number >= 0 ? number : DEFAULT_HEAD_LIMIT;
}
