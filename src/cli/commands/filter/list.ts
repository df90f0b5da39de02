/** `tokenix filter list`: every filter there is, by tier. */
import { defineCommand } from "citty";
import { bundledFilter } from "../../../output/filters/bundled.ts";
import { openFilters } from "../../../output/filters/find.ts";
import { EXIT } from "../../../platform/errors.ts";
import { filterRoot } from "./place.ts";

export default defineCommand({
  meta: { name: "list", description: "Every filter, with the commands it takes" },
  args: {
    word: { type: "positional", required: false, description: "Only filters whose name or command has this word" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const set = await openFilters(filterRoot());
    const rows: { name: string; tier: string; matches: string; description: string; file?: string }[] = [];
    for (const { tier, table, files: filesOf } of set.tiers) {
      const files = filesOf();
      for (const [name, matches] of table.heads) {
        if (args.word && !name.includes(args.word) && !matches.includes(args.word)) continue;
        const description = tier === "bundled" ? ((await bundledFilter(name))?.description ?? "") : "";
        rows.push({ name, tier, matches, description, ...(files[name] ? { file: files[name] } : {}) });
      }
    }
    rows.sort((a, b) => a.tier.localeCompare(b.tier) || a.name.localeCompare(b.name));
    if (args.json) {
      console.log(JSON.stringify({ filters: rows, problems: set.problems }, undefined, 2));
      return EXIT.ok;
    }
    const width = Math.max(0, ...rows.map(({ name }) => name.length));
    for (const { name, tier, description, file, matches } of rows)
      console.log(`${name.padEnd(width)}  ${tier === "bundled" ? description : `(${tier}: ${file}) ${matches}`}`);
    for (const problem of set.problems) console.error(problem);
    console.error(`${rows.length} filters`);
    return EXIT.ok;
  },
});
