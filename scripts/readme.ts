/**
 * `bun scripts/readme.ts`: writes the command tables of README.md from the catalog; `--check` fails when they differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { catalog } from "../src/cli/catalog.ts";

const PATH = join(import.meta.dir, "..", "README.md");
const BLOCK = /(<!-- commands:[^>]*-->\n)[\s\S]*?(<!-- \/commands -->)/;

/** README.md with the tables that the catalog asks for. */
export function readmeWithCommands(text: string): string {
  const table = (audience: "agent" | "person"): string =>
    catalog
      .filter((entry) => !entry.hidden && entry.audience === audience)
      .map(
        (entry) =>
          `| \`${entry.name}\` | ${entry.summary} | ${entry.examples[0] ? `\`${entry.examples[0].replaceAll("|", "\\|")}\`` : ""} |`,
      )
      .join("\n");
  const head = "| command | what it does | for example |\n| --- | --- | --- |";
  const tables = `**For agents and scripts**\n\n${head}\n${table("agent")}\n\n**For people**\n\n${head}\n${table("person")}\n`;
  return text.replace(BLOCK, (_, open: string, close: string) => `${open}${tables}${close}`);
}

if (import.meta.main) {
  const before = readFileSync(PATH, "utf8");
  const after = readmeWithCommands(before);
  if (process.argv.includes("--check")) {
    if (after !== before) {
      console.error("README.md lists other commands than the catalog: run 'bun scripts/readme.ts'");
      process.exitCode = 1;
    }
  } else if (after !== before) writeFileSync(PATH, after);
}
