/**
 * List prices of a few models, in US dollars a million tokens, for estimates that a user asked for. A price is
 * a fact of one day: whatever shows one shows `PRICES_COLLECTED` with it.
 */
export const PRICES_COLLECTED = "2026-10";

export interface ModelPrice {
  readonly name: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Writing to a cache that lives five minutes. */
  readonly cacheWrite: number;
}

export const MODEL_PRICES: readonly ModelPrice[] = [
  { name: "claude-fable-5.1", input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 },
  { name: "claude-opus-5.5", input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  { name: "claude-sonnet-5.5", input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  { name: "claude-haiku-5.5", input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
  { name: "gpt-6.1-sol", input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
];

export function dollars(tokens: number, perMillion: number): number {
  return (tokens / 1_000_000) * perMillion;
}
