/**
 * `bun scripts/readme.ts`: writes the command tables of README.md from the catalog, and the table of the MCP server's
 * tools in docs/agents/mcp.md from its list; `--check` fails when they differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { catalog } from "../src/cli/catalog.ts";
import { TOOLS } from "../src/serve/mcp/tools.ts";

const ROOT = join(import.meta.dir, "..");
const BLOCK = /(<!-- commands:[^>]*-->\n)[\s\S]*?(<!-- \/commands -->)/;
const TOOL_BLOCK = /(<!-- tools:[^>]*-->\n)[\s\S]*?(<!-- \/tools -->)/;

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

/** docs/agents/mcp.md with the tools that the server offers. */
export function mcpPageWithTools(text: string): string {
  const rows = TOOLS.map((tool) => {
    const inputs = Object.entries(tool.properties).map(
      ([name, { description }]) => `\`${name}\`${tool.required.includes(name) ? "" : "?"}: ${description}`,
    );
    return `| \`${tool.name}\` | ${tool.description} | ${inputs.join("; ").replaceAll("|", "\\|")} |`;
  });
  const table = `| tool | what it gives | takes (\`?\`: may be left out) |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  return text.replace(TOOL_BLOCK, (_, open: string, close: string) => `${open}${table}${close}`);
}

if (import.meta.main)
  for (const [name, made] of [
    ["README.md", readmeWithCommands],
    ["docs/agents/mcp.md", mcpPageWithTools],
  ] as const) {
    const path = join(ROOT, name);
    const before = readFileSync(path, "utf8");
    const after = made(before);
    if (after === before) continue;
    if (process.argv.includes("--check")) {
      console.error(`${name} lists other things than the program has: run 'bun scripts/readme.ts'`);
      process.exitCode = 1;
    } else writeFileSync(path, after);
  }
