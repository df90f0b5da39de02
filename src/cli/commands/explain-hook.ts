/** `tokenix explain-hook`: a payload in, the hook's answer and its reason out. */
import { defineCommand } from "citty";
import { explain } from "../../agents/hook/explain.ts";
import { EXIT, UserError } from "../../platform/errors.ts";

export default defineCommand({
  meta: { name: "explain-hook", description: "Say what the hook would answer to a payload on stdin, and why" },
  args: {
    agent: { type: "positional", required: false, description: "The agent's name; without it the payload tells" },
    post: { type: "boolean", description: "Treat a payload that names no event as one after the tool" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    if (process.stdin.isTTY)
      throw new UserError("there is no payload on stdin", "try: tokenix explain-hook < payload.json", EXIT.usage);
    const result = await explain(Bun.stdin.stream(), args.agent, args.post ? "post" : "pre");
    if (args.json) {
      process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
      return EXIT.ok;
    }
    const lines = [
      `agent     ${result.agent}`,
      `event     ${result.event}`,
      `call      ${result.tool}${result.tool ? ": " : ""}${result.kind}`,
      `decision  ${result.decision}`,
      `because   ${result.why}`,
      ...result.configProblems.map((problem) => `config    ${problem}`),
      `exit code ${result.answer.exitCode}`,
      `stdout    ${result.answer.stdout.trimEnd() || "(nothing)"}`,
      ...(result.answer.stderr ? [`stderr    ${result.answer.stderr.trimEnd()}`] : []),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
    return EXIT.ok;
  },
});
