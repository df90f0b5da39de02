/** What an MCP server answered: each text block through the generic stages, credentials masked. */
import { countTokens } from "../../platform/tokens.ts";
import type { CallOf, Decision } from "../tool-call.ts";
import { type HookContext, isLate, pass } from "./context.ts";
import { isToolExcluded } from "./exclusions.ts";
import { logCall } from "./log.ts";
import { masked } from "./masked.ts";
import { shrinkText } from "./shrink.ts";

/** Tools that hand out a file or a patch: an edit may be made from that text, so no character of it may change. */
const GIVES_FILES = /(?:read|get|fetch|show|view|cat|open)[a-z_]*(?:file|content|source|diff|patch|blob|code)/i;

export async function decideMcpAfter(call: CallOf<"mcp">, context: HookContext): Promise<Decision> {
  const texts = call.result?.texts ?? [];
  if (texts.length === 0 || texts.every((text) => text === "")) return pass("no text in the answer");
  if (/^tokenix\b/.test(call.server)) return pass("our own server: short already");
  const project = await context.project(call.cwd);
  if (isToolExcluded(call.tool, project.config.hook)) return pass("excluded by the project's configuration");
  const verbatim = GIVES_FILES.test(call.tool);
  const what = { command: call.tool, root: project.root, env: context.env, dryRun: context.dryRun, verbatim };
  const shown: string[] = [];
  for (const text of texts) shown.push(masked(await shrinkText(text, what)));
  if (isLate(context)) return pass("out of time");
  const rawTokens = sum(texts);
  const shownNow = sum(shown);
  const isChanged = shown.some((text, at) => text !== texts[at]);
  await logCall(call, context, {
    action: shownNow < rawTokens ? "intercepted" : "pass",
    by: "generic",
    rawTokens,
    shownTokens: shownNow,
  });
  if (!isChanged) return pass("nothing to shorten");
  return { kind: "replace", with: { kind: "mcp", texts: shown }, why: `generic: ${rawTokens} → ${shownNow} tokens` };
}

function sum(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + countTokens(text), 0);
}
