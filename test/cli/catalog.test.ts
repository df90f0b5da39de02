/** The command list is one: what runs is documented, what is documented runs. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mcpPageWithTools, readmeWithCommands } from "../../scripts/readme.ts";
import { catalog } from "../../src/cli/catalog.ts";
import { overview } from "../../src/cli/help.ts";

const ROOT = join(import.meta.dir, "..", "..");

test("README lists every command that the catalog has", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  expect(readmeWithCommands(readme)).toBe(readme);
});

test("the page of the MCP server lists the tools that it offers", () => {
  const page = readFileSync(join(ROOT, "docs", "agents", "mcp.md"), "utf8");
  expect(page).toContain("tokenix_query");
  expect(mcpPageWithTools(page)).toBe(page);
});

test("every command has a one-line summary, an example that calls it, and loads", async () => {
  for (const entry of catalog) {
    expect(entry.summary).toMatch(/^[A-Z][^\n]{8,110}[^.\n]$/);
    if (!entry.hidden) expect(entry.examples.some((one) => one.includes(`tokenix ${entry.name}`))).toBe(true);
    const { default: command } = await entry.load();
    expect(command.run !== undefined || command.subCommands !== undefined).toBe(true);
  }
});

test("names are unique, and the overview shows each that is not hidden", () => {
  const names = catalog.map((entry) => entry.name);
  expect(new Set(names).size).toBe(names.length);
  const text = overview(catalog);
  for (const entry of catalog) expect(text.includes(`  ${entry.name} `)).toBe(!entry.hidden);
});
