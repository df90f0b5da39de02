/** `tokenix doctor`: looks at everything an answer depends on, and says what is wrong and what to do. */
import { realpathSync } from "node:fs";
import { defineCommand } from "citty";
import { EXIT, messageOf } from "../../platform/errors.ts";
import { VERSION } from "../../platform/version.ts";
import { findProjectRoot } from "../../repo/store/root.ts";
import { checks } from "../doctor/checks.ts";
import type { Finding } from "../doctor/types.ts";

export default defineCommand({
  meta: { name: "doctor", description: "Check the home, the index, git, the grammars, the settings and the agents" },
  args: { json: { type: "boolean", description: "Print JSON" } },
  async run({ args }) {
    const context = findProjectRoot(realpathSync(process.cwd()));
    const results: { name: string; findings: readonly Finding[] }[] = [];
    for (const check of checks) {
      let findings: readonly Finding[];
      try {
        findings = await check.run(context);
      } catch (error) {
        findings = [{ status: "fail", detail: `the check itself failed: ${messageOf(error)}` }];
      }
      results.push({ name: check.name, findings });
      if (!args.json) process.stdout.write(textOf(check.name, findings));
    }
    const hasFailed = results.some((one) => one.findings.some((finding) => finding.status === "fail"));
    if (args.json)
      process.stdout.write(`${JSON.stringify({ version: VERSION, root: context.root, checks: results })}\n`);
    return hasFailed ? EXIT.findings : EXIT.ok;
  },
});

function textOf(name: string, findings: readonly Finding[]): string {
  const lines = findings.flatMap((finding) => [
    `${finding.status.padEnd(5)} ${name.padEnd(10)} ${finding.detail}`,
    ...(finding.hint ? [`      ${"".padEnd(10)} ${finding.hint}`] : []),
  ]);
  return `${lines.join("\n")}\n`;
}
