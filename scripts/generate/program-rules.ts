/** `rule-list.ts` by program, as text: one line a program with its rules as JSON, in their order. */
import { join } from "node:path";
import type { StoredRule } from "../../src/output/shell/programs.ts";
import { programRules } from "../../src/output/shell/rule-list.ts";

export async function generate(outDir: string): Promise<void> {
  const byProgram = new Map<string, StoredRule[]>();
  for (const { reason, command, when, unless, operandsBelow } of programRules()) {
    const [programs = "", ...path] = command.split(" ");
    const rule: StoredRule = [
      reason,
      path.map((word) => word.split("|")),
      when?.split(" ") ?? [],
      unless?.split(" ") ?? [],
      operandsBelow ?? null,
    ];
    for (const program of programs.split("|")) byProgram.set(program, [...(byProgram.get(program) ?? []), rule]);
  }
  const text = [...byProgram].map(([program, rules]) => `${program}\t${JSON.stringify(rules)}\n`).join("");
  await Bun.write(
    join(outDir, "program-rules.ts"),
    `/** Made by scripts/generate/program-rules.ts. */\nexport const rulesText: string = ${JSON.stringify(`\n${text}`)};\n`,
  );
}
