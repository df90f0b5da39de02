/** `tokenix read`: a file as an agent wants it. The text goes to stdout, what it is to stderr. */
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { type ReadResult, readFile } from "../../repo/context/read.ts";

export default defineCommand({
  meta: { name: "read", description: "Show a file: its outline when it is large, a symbol, a range, or a denser form" },
  args: {
    file: {
      type: "positional",
      required: true,
      description: "The file, also as hits print it: path:10-40, path:10, path:name",
    },
    symbol: { type: "string", description: "Only this symbol (`parse`, `Parser.parse`)" },
    lines: { type: "string", description: "Only these lines: 10-40, 10-, 10" },
    mode: { type: "string", description: "outline, signatures, diff, density:N (percent) or full" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const chosen = [args.symbol && "--symbol", args.lines && "--lines", args.mode && "--mode"].filter(Boolean);
    if (chosen.length > 1)
      throw new UserError(`${chosen.join(" and ")} exclude each other`, "use one of them", EXIT.usage);
    const { file, symbol, lines, mode } = args;
    const result = await readFile({ file, symbol, lines, mode, cwd: process.cwd() });
    if (args.json) {
      const {
        startLine: start_line,
        endLine: end_line,
        shownTokens: shown_tokens,
        omittedCharacters,
        ...rest
      } = result;
      process.stdout.write(
        `${JSON.stringify({ ...rest, shown_tokens, start_line, end_line, omitted_characters: omittedCharacters ?? 0 })}\n`,
      );
      return EXIT.ok;
    }
    if (process.stderr.isTTY || result.mode === "symbol") process.stderr.write(`${describe(result)}\n`);
    process.stdout.write(result.text);
    return EXIT.ok;
  },
});

function describe(result: ReadResult): string {
  const where = result.startLine === undefined ? result.path : `${result.path}:${result.startLine}-${result.endLine}`;
  return `${where} (${result.mode}, ${result.shownTokens} of about ${result.tokens} tokens)`;
}
