/**
 * What saved tokens may be worth, only when asked: as a span, since most of a bill is cache traffic and the number
 * of tokens taken out of a payload says little about it.
 */
import { dollars, MODEL_PRICES, PRICES_COLLECTED } from "../prices.ts";
import type { Account } from "./account.ts";

export interface CostEstimate {
  readonly model: string;
  /** Every saved token as fresh input, once. */
  readonly asInput: number;
}

export function costEstimates(total: Account): readonly CostEstimate[] {
  return MODEL_PRICES.map((price) => ({ model: price.name, asInput: dollars(total.savedTokens, price.input) }));
}

export interface Economics {
  readonly model: string;
  /** Written to the cache once and never read again. */
  readonly leastDollars: number;
  /** Written once and read again with each later call of a mean session. */
  readonly mostDollars: number;
  readonly readsAssumed: number;
}

/** @param meanCalls of a session: a token stays in the conversation for half of them, on average. */
export function economics(total: Account, meanCalls: number): readonly Economics[] {
  const readsAssumed = Math.max(0, Math.round(meanCalls / 2));
  return MODEL_PRICES.map((price) => {
    const written = dollars(total.savedTokens, price.cacheWrite);
    return {
      model: price.name,
      leastDollars: written,
      mostDollars: written + dollars(total.savedTokens, price.cacheRead) * readsAssumed,
      readsAssumed,
    };
  });
}

export const CAUTION =
  `List prices of ${PRICES_COLLECTED}. An estimate: tokens kept out of a conversation and the bill for it hardly move ` +
  "together, since most of a bill is cache traffic and extra turns cost more than shorter results save.";
