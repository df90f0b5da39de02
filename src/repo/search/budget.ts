/**
 * Fits an answer into a token budget: the best hit always shows something, every further one what still fits, and
 * what does not fit is named by its place. A cut is marked with how much it left out.
 */
import { countTokens } from "../../platform/tokens.ts";

export interface Shown {
  /** Empty when only the place fits. */
  readonly text: string;
  /** Lines of the chunk that are not shown. */
  readonly linesOmitted: number;
}

/** What a line that names a place costs, roughly. */
const HEADER_TOKENS = 24;
/** Less than this is no help: the place alone says as much. */
const WORTH_SHOWING = 40;

/** No hit but the last may take more than this share of what is left: a second place often is the right one. */
const LARGEST_SHARE = 0.5;

/** `texts` in rank order; the answer has one entry for each of the first hits that fit, the rest is left out. */
export function fitBudget(texts: readonly string[], budgetTokens: number): readonly Shown[] {
  const shown: Shown[] = [];
  let left = budgetTokens;
  for (const [at, text] of texts.entries()) {
    if (left < HEADER_TOKENS && shown.length > 0) break;
    left -= HEADER_TOKENS;
    const whole = text.replace(/\s+$/, "");
    const needed = countTokens(whole);
    const share = at === texts.length - 1 ? left : Math.floor(left * LARGEST_SHARE);
    if (needed <= share) {
      shown.push({ text: whole, linesOmitted: 0 });
      left -= needed;
      continue;
    }
    const room = at === 0 ? Math.max(share, WORTH_SHOWING) : share;
    const cut = room >= WORTH_SHOWING ? headLines(whole, room) : { text: "", linesOmitted: whole.split("\n").length };
    shown.push(cut);
    left -= countTokens(cut.text);
  }
  return shown;
}

function headLines(text: string, budgetTokens: number): Shown {
  const lines = text.split("\n");
  const kept: string[] = [];
  let characters = 0;
  for (const line of lines) {
    if (characters + line.length + 1 > budgetTokens * 4) break;
    kept.push(line);
    characters += line.length + 1;
  }
  // One line beyond the whole budget: its head, on a character border.
  if (kept.length === 0) kept.push([...(lines[0] ?? "").slice(0, budgetTokens * 4)].slice(0, -1).join(""));
  return { text: kept.join("\n"), linesOmitted: lines.length - kept.length };
}
