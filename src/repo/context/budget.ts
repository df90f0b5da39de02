/**
 * Text within a strict budget of our own tokens. Room for the last line, which says what was left out and how to get it,
 * is kept from the start, so that no answer is over its budget by a token.
 */
import { countTokens } from "../../platform/tokens.ts";

export interface Part {
  readonly name: string;
  readonly tokens: number;
}

export class BudgetedText {
  private readonly lines: string[] = [];
  private characters = 0;
  private readonly parts = new Map<string, number>();
  private part = "head";

  /** @param reserveTokens kept for the closing line. */
  constructor(
    private readonly budgetTokens: number,
    private readonly reserveTokens = 40,
  ) {}

  /** What follows is counted under this name in the breakdown. */
  section(name: string): this {
    this.part = name;
    return this;
  }

  /** Tokens that can still be added before the reserve is touched. */
  get left(): number {
    return Math.floor(((this.budgetTokens - this.reserveTokens) * 4 - this.characters) / 4);
  }

  fits(text: string): boolean {
    return this.characters + text.length + 1 <= (this.budgetTokens - this.reserveTokens) * 4;
  }

  /** Adds a whole text, or nothing. @returns whether it was added. */
  add(text: string): boolean {
    if (!this.fits(text)) return false;
    this.force(text);
    return true;
  }

  /** Adds as many of the lines as fit, from the first on. @returns how many. */
  addLines(lines: readonly string[]): number {
    let count = 0;
    for (const line of lines) {
      if (!this.add(line)) break;
      count++;
    }
    return count;
  }

  /** The closing line, cut to what the reserve allows. */
  close(text: string): this {
    const room = this.budgetTokens * 4 - this.characters - 1;
    if (room >= 24) this.force(text.length <= room ? text : `${text.slice(0, room - 1)}…`);
    return this;
  }

  breakdown(): readonly Part[] {
    return [...this.parts].map(([name, characters]) => ({ name, tokens: Math.ceil(characters / 4) }));
  }

  toString(): string {
    return this.lines.length === 0 ? "" : `${this.lines.join("\n")}\n`;
  }

  get tokens(): number {
    return countTokens(this.toString());
  }

  private force(text: string): void {
    this.lines.push(text);
    this.characters += text.length + 1;
    this.parts.set(this.part, (this.parts.get(this.part) ?? 0) + text.length + 1);
  }
}
