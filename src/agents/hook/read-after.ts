/**
 * A read that has happened: the file counts as read, so a later edit works, and the model is shown the
 * outline. The second time it asks for the whole file it gets the whole file, also where the agent itself
 * would only say that nothing has changed.
 */
import { sep } from "node:path";
import { homePath } from "../../platform/paths.ts";
import { redactCredentials } from "../../platform/redact.ts";
import type { CallOf, Decision } from "../tool-call.ts";
import { type HookContext, isLate, pass } from "./context.ts";
import { isToolExcluded } from "./exclusions.ts";
import { logCall, shownTokens } from "./log.ts";
import { masked } from "./masked.ts";
import { absolutePath, lineCount, outlineAnswer, textOnDisk } from "./read-outline.ts";
import { noteShown, shownBefore } from "./read-state.ts";

export async function decideReadAfter(call: CallOf<"read">, context: HookContext): Promise<Decision> {
  const { result } = call;
  if (!result || result.state === "other") return pass("no text was read");
  const project = await context.project(call.cwd);
  if (isToolExcluded("Read", project.config.hook)) return pass("excluded by the project's configuration");
  const path = absolutePath(call, context);
  const { dialect, sessionId, toolUseId } = call;
  const session = { dialect, sessionId, toolUseId, root: project.root };
  const shown = shownBefore(session, path, context.env);
  if (result.state === "unchanged") {
    if (shown !== "outline") return pass("the whole file was shown before");
    const text = textOnDisk(path);
    if (text === undefined) return pass("no text file");
    if (!context.dryRun) noteShown(session, path, "whole", context.env);
    return {
      kind: "replace",
      with: { kind: "read", text: redactCredentials(text), totalLines: lineCount(text) },
      why: "asked for a second time: the whole file in place of 'unchanged'",
    };
  }
  const isPart = call.read.offset !== undefined || call.read.limit !== undefined || !result.whole;
  if (isPart || shown !== undefined) {
    if (!isPart && shown === "outline" && !context.dryRun) noteShown(session, path, "whole", context.env);
    // What the outline had withheld and is read after all is taken off the saving.
    if (shown === "outline" || isOurTee(path, context))
      await logCall(call, context, {
        action: "retrieve",
        by: shown === "outline" ? "outline" : "tee",
        rawTokens: 0,
        shownTokens: shownTokens(result.text),
      });
    return maskedRead(result.text, isPart ? "a part of a file was asked for" : "asked for again: the whole file");
  }
  // The text of an agent that decorates it is not the file's: the outline is made from the file itself.
  const text = call.dialect === "claude" ? result.text : textOnDisk(path);
  if (text === undefined || !project.isIndexed) return maskedRead(result.text, "no index of this project");
  const answer = await outlineAnswer(path, text, project, context);
  if (isLate(context)) return pass("out of time");
  if (!answer) {
    const tokens = shownTokens(result.text);
    if (result.totalLines >= project.config.hook.readMinLines)
      await logCall(call, context, { action: "pass", rawTokens: tokens, shownTokens: tokens });
    return maskedRead(result.text, "no outline that is worth it");
  }
  if (!context.dryRun) noteShown(session, path, "outline", context.env);
  await logCall(call, context, { ...answer, action: "intercepted", by: "outline" });
  return {
    kind: "replace",
    with: { kind: "read", text: answer.text, totalLines: lineCount(answer.text) },
    why: `outline: ${answer.rawTokens} → ${answer.shownTokens} tokens`,
  };
}

/** The failed command's raw output that `tokenix run` put aside. */
function isOurTee(path: string, context: HookContext): boolean {
  return path.startsWith(`${homePath("tee", context.env)}${sep}`);
}

function maskedRead(text: string, why: string): Decision {
  const clean = masked(text);
  if (clean === text) return pass(why);
  return { kind: "replace", with: { kind: "read-text", text: clean }, why: `${why}; credentials masked` };
}
