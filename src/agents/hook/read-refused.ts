/** A read that the agent itself refused for the file's size: the outline goes beside the refusal. */
import type { CallOf, Decision } from "../tool-call.ts";
import { type HookContext, isLate, pass } from "./context.ts";
import { isToolExcluded } from "./exclusions.ts";
import { logCall } from "./log.ts";
import { absolutePath, outlineAnswer, textOnDisk } from "./read-outline.ts";

const ABOUT_SIZE = /exceeds? (?:the )?(?:maximum|max)|too (?:large|big|long)|maximum allowed|size limit/i;

export async function decideRefusedRead(call: CallOf<"read">, context: HookContext): Promise<Decision> {
  if (!ABOUT_SIZE.test(call.failure ?? "")) return pass("a failure that is not about size");
  const project = await context.project(call.cwd);
  if (isToolExcluded("Read", project.config.hook)) return pass("excluded by the project's configuration");
  if (!project.isIndexed) return pass("no index of this project");
  const path = absolutePath(call, context);
  const text = textOnDisk(path);
  const answer = text === undefined ? undefined : await outlineAnswer(path, text, project, context);
  if (!answer) return pass("no outline of this file");
  if (isLate(context)) return pass("out of time");
  // Nothing was spared: the refusal itself is short. The line is there so that a report can tell how often this happens.
  await logCall(call, context, { action: "pass", by: "outline", rawTokens: 0, shownTokens: answer.shownTokens });
  return {
    kind: "add-context",
    text: fitted(answer.text),
    why: "the agent refused the file for its size; its outline is added",
  };
}

/** Claude Code puts what a hook adds past 10,000 characters into a file and shows 2 KB of it (run against 2.1.332). */
const MAX_ADDED_CHARS = 9_600;

function fitted(text: string): string {
  if (text.length <= MAX_ADDED_CHARS) return text;
  const kept = text.slice(0, text.lastIndexOf("\n", MAX_ADDED_CHARS));
  const rest = text.slice(kept.length + 1).split("\n").length;
  return `${kept}\n[${rest} more lines of the outline: tokenix read FILE]`;
}
