/** Prints what a search found: places with their code for an agent, or JSON. */
import { EXIT, UserError } from "../platform/errors.ts";
import { shownPath } from "../platform/text.ts";
import type { Answer, AnsweredHit } from "../repo/search/ask.ts";
import { reasonWords } from "../repo/search/reason-words.ts";
import { say } from "./say.ts";

export interface Printing {
  readonly query: string;
  readonly mode?: string;
  readonly json: boolean;
}

export async function printAnswer(answer: Answer, printing: Printing): Promise<void> {
  if (answer.notes.length > 0) {
    const { tell } = await import("./tell.ts");
    for (const note of answer.notes) await tell("warn", note);
  }
  if (printing.json) {
    const hits = answer.hits.map((hit) => ({
      ...(hit.project === undefined ? {} : { project: hit.project }),
      path: hit.path,
      start_line: hit.startLine,
      end_line: hit.endLine,
      symbol: hit.symbol ?? null,
      kind: hit.kind,
      score: hit.score,
      why: hit.why,
      text: hit.text,
      lines_omitted: hit.linesOmitted,
    }));
    const { query, mode } = printing;
    await say(`${JSON.stringify({ query, mode, hits, left_out: answer.leftOut, notes: answer.notes })}\n`);
    return;
  }
  if (answer.hits.length === 0) {
    await say("nothing found\n");
    return;
  }
  const parts = answer.hits.map((hit) => (hit.text ? `${header(hit)}\n${hit.text}${cut(hit)}\n` : `${header(hit)}\n`));
  const more = answer.leftOut > 0 ? `\n[${answer.leftOut} more did not fit: --budget]\n` : "";
  await say(parts.join("\n") + more);
}

function header(hit: AnsweredHit): string {
  const place = `${hit.project ? `${hit.project}/` : ""}${shownPath(hit.path)}:${hit.startLine}-${hit.endLine}`;
  const symbol = hit.symbol ? `  ${hit.kind} ${hit.symbol}` : "";
  return `${place}${symbol}  (${reasonWords(hit.why)})`;
}

function cut(hit: AnsweredHit): string {
  return hit.linesOmitted > 0 ? `\n[… ${hit.linesOmitted} more lines, to ${hit.endLine}]` : "";
}

/** @throws UserError when the flag's value is no whole number above 0. */
export function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new UserError(`--${flag} must be a whole number above 0, not '${text}'`, undefined, EXIT.usage);
  return value;
}
