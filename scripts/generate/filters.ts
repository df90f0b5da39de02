/**
 * The bundled filters as two modules: `filters-table.ts` (which filter may match a command; read by every hook call) and
 * `filters-data.ts` (the definitions as JSON, one a line, of which a run parses one). A bad filter file fails the build.
 */
import { join } from "node:path";
import { buildDispatch } from "../../src/output/filters/dispatch.ts";
import type { FilterDefinition } from "../../src/output/filters/schema.ts";
import { storeDefinition } from "../../src/output/filters/stored.ts";
import { parseFilterToml } from "../../src/output/filters/toml.ts";

const folder = join(import.meta.dir, "..", "..", "assets", "filters");

export async function generate(outDir: string): Promise<void> {
  const definitions: FilterDefinition[] = [];
  const files: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of [...new Bun.Glob("*.toml").scanSync(folder)].sort()) {
    const file = parseFilterToml(await Bun.file(join(folder, name)).text());
    for (const problem of file.problems) problems.push(`assets/filters/${name}: ${problem}`);
    for (const filter of file.filters) {
      if (files[filter.name])
        problems.push(`assets/filters/${name}: filter '${filter.name}' is in ${files[filter.name]} too`);
      files[filter.name] = name;
      definitions.push(filter);
    }
  }
  if (problems.length > 0) throw new Error(`filter files have problems:\n  ${problems.join("\n  ")}`);
  const table = buildDispatch(definitions);
  // One text in ASCII: a table of hundreds of texts takes longer to load than a line takes to find.
  const data = definitions.map((definition) => `${definition.name}\t${ascii(storeDefinition(definition))}\n`).join("");
  await Bun.write(
    join(outDir, "filters-table.ts"),
    `/** Made by scripts/generate/filters.ts. */\nexport const tableText: string = ${JSON.stringify(table.text)};\n`,
  );
  await Bun.write(
    join(outDir, "filters-data.ts"),
    `/** Made by scripts/generate/filters.ts. */\nexport const definitionsText: string = ${JSON.stringify(`\n${data}`)};\n`,
  );
}

/** A text with one character outside Latin takes twice the memory, all of it. */
function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
