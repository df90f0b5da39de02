/** A whole read of a big file by an agent whose results can't be replaced: refused once, with the outline as the reason. */
import type { CallOf, Decision } from "../tool-call.ts";
import { type HookContext, isLate, pass } from "./context.ts";
import { isToolExcluded } from "./exclusions.ts";
import { absolutePath, outlineAnswer, textOnDisk } from "./read-outline.ts";
import { noteShown, shownBefore } from "./read-state.ts";

export async function decideReadBefore(call: CallOf<"read">, context: HookContext): Promise<Decision> {
  if (call.read.offset !== undefined || call.read.limit !== undefined) return pass("a part of a file was asked for");
  const project = await context.project(call.cwd);
  if (isToolExcluded("Read", project.config.hook)) return pass("excluded by the project's configuration");
  if (!project.isIndexed) return pass("no index of this project");
  const path = absolutePath(call, context);
  const { dialect, sessionId, toolUseId } = call;
  const session = { dialect, sessionId, toolUseId, root: project.root };
  const shown = shownBefore(session, path, context.env);
  const text = textOnDisk(path);
  if (shown !== undefined) {
    if (shown === "outline" && text !== undefined && !context.dryRun) {
      noteShown(session, path, "whole", context.env);
      // What the outline had withheld is read after all.
      const { logCall, shownTokens } = await import("./log.ts");
      await logCall(call, context, { action: "retrieve", by: "outline", rawTokens: 0, shownTokens: shownTokens(text) });
    }
    return pass("asked for a second time: the whole file");
  }
  if (text === undefined) return pass("no text file");
  const answer = await outlineAnswer(path, text, project, context);
  if (!answer) return pass("no outline that is worth it");
  if (isLate(context)) return pass("out of time");
  if (!context.dryRun) {
    noteShown(session, path, "outline", context.env);
    const { logCall } = await import("./log.ts");
    await logCall(call, context, { ...answer, action: "intercepted", by: "outline" });
  }
  return { kind: "block", reason: answer.text, why: `outline: ${answer.rawTokens} → ${answer.shownTokens} tokens` };
}
