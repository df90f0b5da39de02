/** How the reasons of a hit are told to whoever reads an answer as text; `--json` has the names themselves. */
const WORDS: Readonly<Record<string, string>> = {
  lexical: "words",
  semantic: "meaning",
  definition: "defines it",
  "file-name": "file name",
  symbol: "symbol",
  demoted: "demoted by its path",
};

export function reasonWords(reasons: readonly string[]): string {
  return reasons.map((reason) => WORDS[reason] ?? reason).join(", ");
}
