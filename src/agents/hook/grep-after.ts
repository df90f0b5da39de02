/** A search that has run: its matches stand; only when there are none does the index get to answer, marked as such. */
import type { CallOf, Decision } from "../tool-call.ts";
import { type HookContext, isLate, pass } from "./context.ts";
import { isToolExcluded } from "./exclusions.ts";
import { grepAnswer } from "./grep-answer.ts";
import { logCall } from "./log.ts";
import { masked } from "./masked.ts";

export async function decideGrepAfter(call: CallOf<"grep">, context: HookContext): Promise<Decision> {
  const { result } = call;
  if (!result) return pass("no result that we know");
  const project = await context.project(call.cwd);
  if (isToolExcluded("Grep", project.config.hook)) return pass("excluded by the project's configuration");
  if (result.matched) {
    const clean = masked(result.text);
    if (clean === result.text || call.grep.output !== "content") return pass("the matches stand");
    return { kind: "replace", with: { kind: "grep", text: clean, matched: true }, why: "credentials masked" };
  }
  if (!project.isIndexed) return pass("no index of this project");
  const answer = await grepAnswer(call.grep, project, context, "no literal match for");
  if (!answer) return pass("no match, and nothing in the index either");
  if (isLate(context)) return pass("out of time");
  await logCall(call, context, { action: "pass", by: answer.by, rawTokens: answer.tokens, shownTokens: answer.tokens });
  return {
    kind: "replace",
    with: { kind: "grep", text: answer.text, matched: false },
    why: `answered by ${answer.by}`,
  };
}
