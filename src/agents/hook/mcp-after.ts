/** What an MCP server answered: each text block through the generic stages, credentials masked. */
import { compress } from "../../output/compress/compress.ts";
import { countTokens } from "../../platform/tokens.ts";
import type { CallOf, Decision } from "../tool-call.ts";
import { type HookContext, isLate, pass } from "./context.ts";
import { logCall } from "./log.ts";
import { masked } from "./masked.ts";

export async function decideMcpAfter(call: CallOf<"mcp">, context: HookContext): Promise<Decision> {
  const texts = call.result?.texts ?? [];
  if (texts.length === 0 || texts.every((text) => text === "")) return pass("no text in the answer");
  if (/^tokenix\b/.test(call.server)) return pass("our own server: short already");
  const shown = texts.map((text) => {
    const clean = masked(text);
    const small = compress(clean);
    return small.length < clean.length ? small : clean;
  });
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
