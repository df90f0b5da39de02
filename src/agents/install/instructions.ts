/** The few lines that an agent's instruction file gets: they are read in every session, so each word costs. */
export const instructionLines: readonly string[] = [
  "## Finding code",
  "`tokenix` knows this machine's indexed repositories. Before reading whole files:",
  '- `tokenix query "question"` finds code by meaning, `tokenix symbols NAME` by name.',
  "- `tokenix callers NAME` and `tokenix impact NAME` show who uses it.",
  "- `tokenix read FILE` gives a large file's outline, `--symbol NAME` one part of it.",
  "For exact text, or when nothing is found, use your own search.",
];
