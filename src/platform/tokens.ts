/**
 * The token estimate of the whole house: characters divided by four, rounded up. Characters and not
 * bytes, so that text outside ASCII is not charged two to four times. It is an estimate and is called
 * one wherever it is shown; exact counts come from `gpt-tokenizer` in reports, loaded only there.
 */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** How many characters of text fit a budget of our own tokens. */
export function charactersFor(budgetTokens: number): number {
  return Math.max(0, Math.floor(budgetTokens) * 4);
}
